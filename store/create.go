package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/magpie-crawl/magpie/store/internal/place"
)

// create makes an empty database at path in one step: it is built under
// another name and then linked to its own, so that nobody ever sees a
// database without its schema, and a file that came to be there meanwhile is
// not overwritten. Beside the log of another one it makes none: ErrLeftLog.
func create(ctx context.Context, path string, o Options) (err error) {
	if hasLog(path) {
		if _, err := os.Stat(path); err == nil {
			return nil // another process made it meanwhile
		}
		return fmt.Errorf("create %s: %w", path, leftLog(path))
	}
	temp := place.TemporaryName(path)
	// Made here and not by SQLite for the sake of a clear error.
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("create %s: %w", path, place.Cause(err))
	}
	f.Close()
	defer os.Remove(temp)
	if err := initialize(ctx, temp, o); err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	if err := os.Link(temp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		// A file system without hard links.
		if err := os.Rename(temp, path); err != nil {
			return fmt.Errorf("create %s: %w", path, place.Cause(err))
		}
	}
	place.SyncFolder(path)
	return nil
}

// initialize puts the schema into an empty file.
func initialize(ctx context.Context, path string, o Options) (err error) {
	pool, err := sql.Open("sqlite3", dsn(path, o, "mode=rw"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// The journal mode comes last: it is then in the file's header, where
	// every later opening finds it.
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	if err := migrate(ctx, conn); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	return err
}
