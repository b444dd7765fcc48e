package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// migrationFiles are the steps from nothing to the present schema:
// migrations/NNNN_name.sql, numbered from 0001 without gaps. A file that was
// released never changes.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations[i] takes a database from version i to i+1.
var migrations = readMigrations()

// schemaVersion is the user_version of a database that this package writes.
var schemaVersion = len(migrations)

func readMigrations() []string {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		panic(err)
	}
	steps := make([]string, len(names))
	for i, name := range names {
		number, _, _ := strings.Cut(path.Base(name), "_")
		if n, err := strconv.Atoi(number); err != nil || n != i+1 {
			panic(fmt.Sprintf("store: %s should be number %04d", name, i+1))
		}
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		steps[i] = string(text)
	}
	return steps
}

// migrate takes the database at conn to the present schema, each step in a
// transaction of its own.
func migrate(ctx context.Context, conn *sql.Conn) error {
	for {
		version, err := migrateOnce(ctx, conn)
		if err != nil {
			return fmt.Errorf("migrate to schema %d: %w", version+1, err)
		}
		if version >= schemaVersion {
			return nil
		}
	}
}

// migrateOnce takes one step and returns the version it found, which it reads
// within the transaction: another process may be migrating too.
func migrateOnce(ctx context.Context, conn *sql.Conn) (version int, err error) {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version < schemaVersion {
		if _, err := conn.ExecContext(ctx, migrations[version]); err != nil {
			return version, err
		}
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
			return version, err
		}
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return version, err
}
