package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/store/internal/place"
)

// backupPages is how many pages of the file are copied between two looks at
// the context: 16 MB.
const backupPages = 4096

// Backup writes a copy of the database to path, as it stands at one moment,
// and returns its size in bytes. It works while crawls go on and does not hold
// them up; the write-ahead log cannot be emptied meanwhile and grows by what
// they write. progress, which may be nil, is told the bytes copied and the
// bytes there are.
//
// The copy is made beside its place, checked, synced and renamed; whoever may
// not read the database may not read it either. A file that is there is replaced
// if it is a database of this package's and no other process can be using it;
// anything else is refused with an error that wraps fs.ErrExist, and the log of
// a database that is not there with ErrLeftLog.
//
// https://www.sqlite.org/backup.html
func (db *DB) Backup(ctx context.Context, path string, progress func(done, total int64)) (int64, error) {
	if err := db.mayReplace(ctx, path); err != nil {
		return 0, err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	temp := place.TemporaryName(path)
	mode := fs.FileMode(0o666)
	if of, err := os.Stat(db.path); err == nil {
		mode = of.Mode().Perm() | 0o600
	}
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("back up to %s: %w: there is no folder %s, make it first", path, place.Cause(err), filepath.Dir(path))
	} else if err != nil {
		return 0, fmt.Errorf("back up to %s: %w", path, place.Cause(err))
	}
	f.Close()
	defer removeDatabase(temp)
	if err := db.copyTo(ctx, temp, progress); err != nil {
		return 0, fmt.Errorf("back up %s to %s: %w", db.path, path, err)
	}
	size, err := finishCopy(ctx, temp)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return 0, fmt.Errorf("back up to %s: %w", path, place.Cause(err))
	}
	place.SyncFolder(path)
	return size, nil
}

// mayReplace refuses to overwrite what is no earlier backup.
func (db *DB) mayReplace(ctx context.Context, path string) error {
	there, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && hasLog(path):
		return fmt.Errorf("back up to %s: %w", path, leftLog(path))
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("back up to %s: %w", path, place.Cause(err))
	}
	if self, err := os.Stat(db.path); err == nil && os.SameFile(self, there) {
		return fmt.Errorf("back up to %s: %w, and is the database itself: choose another file", path, fs.ErrExist)
	}
	if _, err := checkHeader(ctx, path); err != nil {
		return fmt.Errorf("back up to %s: %w, and is no earlier backup: choose another file, or move it away (%w)", path, fs.ErrExist, err)
	}
	if hasLog(path) {
		return fmt.Errorf("back up to %s: %w, and is in use or was left by a crash, as %s-wal tells: choose another file", path, fs.ErrExist, path)
	}
	return nil
}

// removeDatabase deletes a database that is of no use, with what SQLite has
// put beside it.
func removeDatabase(path string) {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		os.Remove(path + suffix)
	}
}

// copyTo copies all pages to the empty file at path.
func (db *DB) copyTo(ctx context.Context, path string, progress func(done, total int64)) error {
	from, err := db.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	// A transaction holds on to one state of the database. Without it each
	// commit of a crawl would make the copy begin anew.
	if _, err := from.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer from.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	var pageSize, any int64
	if err := from.QueryRowContext(ctx, `SELECT page_size, (SELECT count(*) FROM jobs) FROM pragma_page_size`).Scan(&pageSize, &any); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite3", dsn(path, Options{noSync: true}, "mode=rw"))
	if err != nil {
		return err
	}
	defer pool.Close()
	to, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer to.Close()
	return withDriver(from, func(from *sqlite3.SQLiteConn) error {
		return withDriver(to, func(to *sqlite3.SQLiteConn) error {
			return copyPages(ctx, from, to, func(done, total int) { progress(int64(done)*pageSize, int64(total)*pageSize) })
		})
	})
}

// withDriver calls f with the driver's own connection.
func withDriver(conn *sql.Conn, f func(*sqlite3.SQLiteConn) error) error {
	return conn.Raw(func(c any) error {
		own, ok := c.(*sqlite3.SQLiteConn)
		if !ok {
			return driver.ErrBadConn
		}
		return f(own)
	})
}

func copyPages(ctx context.Context, from, to *sqlite3.SQLiteConn, progress func(done, total int)) (err error) {
	b, err := to.Backup("main", from, "main")
	if err != nil {
		return err
	}
	defer func() {
		if finished := b.Finish(); err == nil { // which says again what failed
			err = finished
		}
	}()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		done, err := b.Step(backupPages)
		if err != nil {
			return err
		}
		progress(b.PageCount()-b.Remaining(), b.PageCount())
		if done {
			return nil
		}
	}
}

// finishCopy checks a copy and has it written to the disk.
func finishCopy(ctx context.Context, path string) (int64, error) {
	db, err := OpenReadOnly(path, Options{})
	if err != nil {
		return 0, err
	}
	if err := db.Close(); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	err = f.Sync()
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil {
		return 0, err
	}
	return info.Size(), nil
}
