package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"github.com/magpie-crawl/magpie/store/internal/place"
)

// GCOptions say how GC works.
type GCOptions struct {
	DryRun   bool             // change nothing, only count
	Progress func(GCProgress) // told now and then, from the goroutine that called GC; nil: nobody
}

// GCProgress is how far GC has come.
type GCProgress struct {
	Step  GCStep
	Done  int64
	Total int64 // 0: not known
}

// GCStep is a part of GC's work.
type GCStep string

// The steps, in their order.
const (
	GCTrim     GCStep = "dropping"    // bodies that jobs keep no longer
	GCSweep    GCStep = "sweeping"    // bodies that nothing refers to
	GCCompress GCStep = "compressing" // bodies, with dictionaries where they pay
	GCShrink   GCStep = "shrinking"   // the file
)

// GCResult is what GC did, or with DryRun would do.
type GCResult struct {
	Trimmed      []Trimmed // by job
	Unused       int64     // bodies that nothing referred to
	UnusedBytes  int64     // that they took
	Compressed   int64     // bodies that were compressed anew; of a dry run: those that have not been yet
	BytesBefore  int64     // that these took
	BytesAfter   int64     // that they take now; 0 in a dry run
	Dictionaries int64     // that were trained and are used
	Damaged      int64     // bodies that could not be read and were left as they are
	FileBefore   int64     // bytes of the file
	FileAfter    int64     // the same in a dry run
	Free         int64     // bytes of the file that are free for what comes, before it was made smaller
	Held         string    // the job whose crawl kept the file from being made smaller; "": none did
}

// shrinkFrom is the part of a file, as a divisor, of which more has to be free
// for it to be worth writing anew.
const shrinkFrom = 10

// GC cleans up: it applies what jobs keep of bodies (see Trim), deletes bodies
// that nothing refers to, compresses those as small as can be that crawls
// stored in a hurry, and gives free room of the file back to the file system.
//
// All but the last is done in small transactions while crawls go on. GC may be
// interrupted, or killed, at any moment: what it did stays done, and the next
// goes on from there.
func (db *DB) GC(ctx context.Context, o GCOptions) (*GCResult, error) {
	if db.writer == nil && !o.DryRun {
		return nil, fmt.Errorf("clean up %s: %w", db.path, errReadOnly)
	}
	if o.Progress == nil {
		o.Progress = func(GCProgress) {}
	}
	g := &collector{db: db, o: o, result: &GCResult{}}
	for _, step := range []func(context.Context) error{g.measure, g.trim, g.sweep, g.compress, g.shrink} {
		if err := step(ctx); err != nil {
			return g.result, db.fileError("clean up", err)
		}
	}
	return g.result, nil
}

// collector is one call of GC.
type collector struct {
	db     *DB
	o      GCOptions
	result *GCResult
}

func (g *collector) measure(ctx context.Context) (err error) {
	g.result.FileBefore, _, err = g.db.fileSize(ctx)
	g.result.FileAfter = g.result.FileBefore
	return err
}

// fileSize returns the bytes of the file, log not counted, and how many of
// them are free.
func (db *DB) fileSize(ctx context.Context) (size, free int64, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT page_size * page_count, page_size * freelist_count
		FROM pragma_page_size, pragma_page_count, pragma_freelist_count`).Scan(&size, &free)
	return size, free, err
}

func (g *collector) trim(ctx context.Context) (err error) {
	g.o.Progress(GCProgress{Step: GCTrim})
	g.result.Trimmed, err = g.db.trim(ctx, "", g.o.DryRun)
	return err
}

// sweepBodies is how many bodies are looked at in one transaction.
const sweepBodies = 2000

// unused tells bodies b that nothing refers to.
const unused = `NOT EXISTS (SELECT 1 FROM pages WHERE body_id = b.id) AND NOT EXISTS (SELECT 1 FROM robots WHERE body_id = b.id)`

// sweep deletes what nothing refers to: bodies such as those of former
// robots.txt files, and dictionaries that newer ones took the place of. Those
// that this call replaces are left for the next, in case somebody has just read
// a body that needs one.
func (g *collector) sweep(ctx context.Context) error {
	var last int64
	err := g.db.read.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM bodies`).Scan(&last)
	if err != nil {
		return err
	}
	for from := int64(0); from <= last; from += sweepBodies {
		g.o.Progress(GCProgress{GCSweep, from, last})
		var n, bytes int64
		err := g.db.read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(octet_length(b.data)), 0) FROM bodies b
			WHERE b.id > ? AND b.id <= ? AND `+unused, from, from+sweepBodies).Scan(&n, &bytes)
		if err != nil {
			return err
		}
		if n > 0 && !g.o.DryRun {
			err = g.db.writer.transact(ctx, func(t *tx) error {
				n, err = t.changed(`DELETE FROM bodies AS b WHERE b.id > ? AND b.id <= ? AND `+unused, from, from+sweepBodies)
				return err
			})
			if err != nil {
				return err
			}
		}
		g.result.Unused, g.result.UnusedBytes = g.result.Unused+n, g.result.UnusedBytes+bytes
	}
	if g.o.DryRun {
		return nil
	}
	return g.db.writer.transact(ctx, func(t *tx) error {
		return t.exec(`DELETE FROM magpie_dictionaries AS d WHERE NOT EXISTS (SELECT 1 FROM bodies WHERE dictionary_id = d.id)
			AND id != (SELECT max(id) FROM magpie_dictionaries WHERE host_id = d.host_id)`)
	})
}

// shrink writes the file anew without its free room, unless that is little or
// a crawl is at work: it would have to wait for longer than it can.
func (g *collector) shrink(ctx context.Context) (err error) {
	size, free, err := g.db.fileSize(ctx)
	if err != nil {
		return err
	}
	g.result.Free = free
	if g.o.DryRun || max(free, g.saved()) <= size/shrinkFrom {
		return nil
	}
	if g.result.Held, err = g.db.heldJob(ctx); err != nil || g.result.Held != "" {
		return err
	}
	g.o.Progress(GCProgress{Step: GCShrink})
	pool, err := g.db.workspace()
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("make the file smaller, which needs as much room again as it takes: %w", err)
	}
	// The log now has all of the file in it. Where a reader keeps it from
	// being emptied, whoever closes the database last does that.
	if _, err := pool.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return err
	}
	info, err := os.Stat(g.db.path)
	if err != nil {
		return place.Cause(err)
	}
	g.result.FileAfter = info.Size()
	return nil
}

// saved is how many bytes less the bodies take than when this call began. Of
// small ones, that is room within the pages of the file, which are not free.
func (g *collector) saved() int64 {
	n := g.result.UnusedBytes + g.result.BytesBefore - g.result.BytesAfter
	for _, t := range g.result.Trimmed {
		n += t.Bytes
	}
	return n
}

// workspace opens a connection of its own that can write, with temporary
// tables on disk. The caller must close it.
func (db *DB) workspace() (*sql.DB, error) {
	pool, err := sql.Open("sqlite3", dsn(db.path, Options{}, "mode=rw"))
	if err == nil {
		pool.SetMaxOpenConns(1)
	}
	return pool, err
}

// heldJob returns the name of a job that somebody works on; "" if there is
// none.
func (db *DB) heldJob(ctx context.Context) (string, error) {
	type named struct {
		hold
		name string
	}
	all, err := collect(ctx, db, `SELECT name, holder_pid, holder_machine, heartbeat FROM jobs WHERE holder_pid IS NOT NULL`, nil,
		func(rows *sql.Rows) (h named, err error) {
			return h, rows.Scan(&h.name, &h.pid, &h.machine, &h.heartbeat)
		})
	if err != nil {
		return "", err
	}
	for _, h := range all {
		if h.inForce(db.self, time.Now()) {
			return h.name, nil
		}
	}
	return "", nil
}
