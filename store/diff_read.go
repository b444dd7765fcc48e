package store

import (
	"context"
	"database/sql"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// A diff is read in chunks of about chunkBytes, and of at most diffChunkSize
// versions, on at most diffProcessors: what is in memory is bounded where
// records are long, and on large machines too.
const (
	diffChunkSize  = 500
	diffProcessors = 4
)

// changes yields the changes of an item of one kind. Some chunks are read, and
// the versions in them compared, at a time.
func (d *diff) changes(ctx context.Context, item diffItem, kind ChangeKind) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		processors := min(runtime.GOMAXPROCS(0), diffProcessors)
		chunks := ahead(ctx, processors-1, func(ctx context.Context) iter.Seq[*diffChunk] {
			return d.chunks(ctx, item, kind)
		})
		for c := range chunks {
			<-c.read
			if c.err != nil {
				yield(Change{}, c.err)
				return
			}
			for i := range c.changes {
				if !yield(c.changes[i], nil) {
					return
				}
			}
		}
		if err := context.Cause(ctx); err != nil {
			yield(Change{}, err)
		}
	}
}

// diffChunk is what a range of versions shows, once it is read.
type diffChunk struct {
	read    chan struct{} // closed then
	changes []Change
	err     error
}

// chunks yields the chunks in their order, each while it is being read. All of
// them are when it returns.
func (d *diff) chunks(ctx context.Context, item diffItem, kind ChangeKind) iter.Seq[*diffChunk] {
	return func(yield func(*diffChunk) bool) {
		var reading sync.WaitGroup
		defer reading.Wait()
		var size atomic.Int64 // of the next chunk, by the length of what the last ones showed
		size.Store(diffChunkSize / 10)
		for _, run := range d.runs {
			for versions, err := range d.ranges(ctx, item, kind, run, &size) {
				c := &diffChunk{read: make(chan struct{}), err: err}
				reading.Go(func() {
					defer close(c.read)
					if c.err == nil {
						c.changes, c.err = d.readChanges(ctx, item, kind, run, versions)
						size.Store(c.fitting())
					}
				})
				if !yield(c) {
					return
				}
			}
		}
	}
}

// fitting is how many changes such as these make a chunk.
func (c *diffChunk) fitting() int64 {
	bytes := 0
	for i := range c.changes {
		bytes += len(c.changes[i].Old) + len(c.changes[i].New)
	}
	if bytes == 0 {
		return diffChunkSize
	}
	return int64(max(1, min(diffChunkSize, chunkBytes*len(c.changes)/bytes)))
}

// idRange are the ids behind after, up to last.
type idRange struct{ after, last int64 }

// ranges yields the ranges of the versions that began in a run, or are gone
// since, each of the size that is wanted then.
func (d *diff) ranges(ctx context.Context, item diffItem, kind ChangeKind, run int64, size *atomic.Int64) iter.Seq2[idRange, error] {
	began := `INDEXED BY magpie_records_began WHERE item_id = ?1 AND from_run = ?2`
	if kind == Gone {
		began = `INDEXED BY magpie_records_gone WHERE item_id = ?1 AND to_run = ?2 AND gone = 1`
	}
	query := `SELECT count(*), coalesce(max(id), 0) FROM (SELECT id FROM records ` + began + ` AND id > ?3 ORDER BY id LIMIT ?4)`
	return func(yield func(idRange, error) bool) {
		for r := (idRange{}); ; r.after = r.last {
			n, wanted := int64(0), size.Load()
			err := d.db.reading(ctx, func(t *sql.Tx) error {
				return t.QueryRowContext(ctx, query, item.id, run, r.after, wanted).Scan(&n, &r.last)
			})
			if err == nil && n == 0 {
				return
			}
			if !yield(r, err) || err != nil || n < wanted {
				return
			}
		}
	}
}

// readChanges reads what a range of the versions of a run shows.
func (d *diff) readChanges(ctx context.Context, item diffItem, kind ChangeKind, run int64, ids idRange) (changes []Change, err error) {
	query := `SELECT ` + diffColumns[kind] + diffQueries[kind] + ` ORDER BY ` + diffIDs[kind]
	err = d.db.reading(ctx, func(t *sql.Tx) error {
		changes, err = collectIn(ctx, t, query, []any{item.id, d.from, d.to, run, ids.after, ids.last}, func(rows *sql.Rows) (Change, error) {
			c := Change{Item: item.name, Kind: kind, fields: item.fields}
			return c, rows.Scan(&c.Key, &c.URL, (*[]byte)(&c.Old), (*[]byte)(&c.New))
		})
		return err
	})
	for i := range changes {
		if kind == Changed {
			changes[i].differing = changes[i].compare()
		}
	}
	return changes, err
}
