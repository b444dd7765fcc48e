package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/store/internal/place"
)

// applicationID marks a SQLite database as ours: "MGPI".
// https://www.sqlite.org/pragma.html#pragma_application_id
const applicationID = 0x4D475049

// readOnlyCheckLimit is the size up to which a database that is only looked
// at is checked whole. Checking reads every byte; a crawl can wait for that,
// a look at a large database should not.
const readOnlyCheckLimit = 256 << 20

// checkHeader finds out whether the file is a database of ours, before it is
// opened for good: that can already change a database, and one that is not
// ours is not touched. SQLite reads the header as that of a file which nobody
// changes, so it takes no lock and heeds no journal.
//
// The file is not read without SQLite, because closing it would drop the locks
// that SQLite holds on it elsewhere in this process.
// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
func checkHeader(ctx context.Context, path string) (size int64, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, fmt.Errorf("open %s: %w", path, place.Cause(err))
	case info.IsDir():
		return 0, fmt.Errorf("open %s: %w: it is a folder", path, ErrNotDatabase)
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("open %s: %w: it is no regular file", path, ErrNotDatabase)
	case info.Size() == 0:
		return 0, fmt.Errorf("open %s: %w", path, ErrEmpty)
	}
	db, err := sql.Open("sqlite3", dsn(path, Options{}, "mode=ro&immutable=1"))
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", path, err)
	}
	defer db.Close()
	var id int64
	err = db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id)
	switch e, _ := errors.AsType[sqlite3.Error](err); {
	case e.Code == sqlite3.ErrCorrupt && hasLog(path):
		// The file is shorter than its header says where a full disk ended
		// the copying back of the log: the two together are whole.
		return info.Size(), nil
	case e.Code == sqlite3.ErrNotADB:
		return 0, fmt.Errorf("open %s: %w", path, ErrNotDatabase)
	case err != nil:
		return 0, asDamaged(path, err)
	case id != applicationID && info.Size() < 512: // less than the smallest page is empty to SQLite
		return 0, fmt.Errorf("open %s: %w", path, ErrNotDatabase)
	case id != applicationID:
		return 0, fmt.Errorf("open %s: %w", path, ErrForeign)
	}
	return info.Size(), nil
}

// hasLog tells whether there is a write-ahead log beside the database.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// leftLog names the log that is left of a database whose file is not there.
func leftLog(path string) error { return fmt.Errorf("%w, %s-wal", ErrLeftLog, path) }

// checkContent has SQLite look at the database: its version, and (deep) every
// page. db is a read-only connection.
func checkContent(ctx context.Context, db *sql.DB, path string, deep bool) (version int, err error) {
	var id int64
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, asDamaged(path, err)
	}
	if id != applicationID {
		return 0, fmt.Errorf("open %s: %w", path, ErrForeign)
	}
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, asDamaged(path, err)
	}
	if version > schemaVersion {
		return version, fmt.Errorf("open %s: %w: its schema is %d, this one knows up to %d", path, ErrNewer, version, schemaVersion)
	}
	if version < 1 {
		return version, fmt.Errorf("open %s: %w: it has no schema", path, ErrDamaged)
	}
	if !deep {
		return version, nil
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return version, asDamaged(path, err)
	}
	if verdict != "ok" {
		return version, fmt.Errorf("open %s: %w: %s", path, ErrDamaged, verdict)
	}
	return version, nil
}

// asDamaged tells SQLite's complaint about the content from its being unable
// to read, or being told to stop.
func asDamaged(path string, err error) error {
	if isDamage(err) {
		return fmt.Errorf("open %s: %w: %w", path, ErrDamaged, err)
	}
	return fmt.Errorf("open %s: %w", path, err)
}

var errIsDatabase = errors.New("there is a database of magpie, which an export does not replace: name another file")

// noDatabase refuses the place of a database that crawls write to, or of what
// SQLite keeps beside it: in one slip an export would take all that there is to
// export.
func noDatabase(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		of, ok := strings.CutSuffix(path, suffix)
		if !ok {
			continue
		}
		if _, err := checkHeader(context.Background(), of); err == nil {
			return errIsDatabase
		}
	}
	if hasLog(path) {
		return fmt.Errorf("it is in use or was left by a crash, as %s-wal tells: name another file", path)
	}
	return nil
}
