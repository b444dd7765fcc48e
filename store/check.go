package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// applicationID marks a SQLite database as ours: "MGPI".
// https://www.sqlite.org/pragma.html#pragma_application_id
const applicationID = 0x4D475049

// readOnlyCheckLimit is the size up to which a database that is only looked
// at is checked whole. Checking reads every byte; a crawl can wait for that,
// a look at a large database should not.
const readOnlyCheckLimit = 256 << 20

// checkHeader looks at the file itself, before SQLite does: opening a
// database with SQLite can already change it, and one that is not ours is not
// touched. https://www.sqlite.org/fileformat.html#the_database_header
func checkHeader(path string) (size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("open %s: %w", path, ErrNotDatabase)
	}
	if info.Size() == 0 {
		return 0, fmt.Errorf("open %s: %w", path, ErrEmpty)
	}
	header := make([]byte, 100)
	if _, err := io.ReadFull(f, header); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, fmt.Errorf("read %s: %w", path, err)
	}
	if !bytes.HasPrefix(header, []byte("SQLite format 3\x00")) {
		return 0, fmt.Errorf("open %s: %w", path, ErrNotDatabase)
	}
	if info.Size() < int64(len(header)) {
		return 0, fmt.Errorf("open %s: %w: the file ends within its header", path, ErrDamaged)
	}
	if binary.BigEndian.Uint32(header[68:]) != applicationID {
		return 0, fmt.Errorf("open %s: %w", path, ErrForeign)
	}
	return info.Size(), nil
}

// checkContent has SQLite look at the database: its version, and (deep) every
// page. db is a read-only connection.
func checkContent(ctx context.Context, db *sql.DB, path string, deep bool) (version int, err error) {
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
