package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/magpie-crawl/magpie/store"
)

// defaultDB is the database when --db does not say otherwise.
const defaultDB = "magpie.db"

// openReadOnly opens the database for commands that only look.
func (a *app) openReadOnly() (*store.DB, error) {
	db, err := store.OpenReadOnly(a.db, store.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, a.noDatabase()
	}
	return db, a.notWritable(err)
}

// openExisting opens the database for commands that change it but make none.
func (a *app) openExisting() (*store.DB, error) {
	if _, err := os.Stat(a.db); errors.Is(err, fs.ErrNotExist) {
		return nil, a.noDatabase()
	}
	db, err := store.Open(a.db, store.Options{})
	return db, a.notWritable(err)
}

// notWritable adds to the error of opening the database what to do where it
// cannot be written to. It passes others on.
// https://www.sqlite.org/wal.html#read_only_databases
func (a *app) notWritable(err error) error {
	if err == nil {
		return nil
	}
	f, writing := os.OpenFile(a.db, os.O_RDWR, 0)
	if writing == nil {
		f.Close()
	}
	if !errors.Is(writing, fs.ErrPermission) && !errors.Is(writing, syscall.EROFS) {
		return err
	}
	return fmt.Errorf("%w: %s cannot be written to, which SQLite needs even to read: copy it to a folder of yours, and name the copy with --db", err, a.db)
}

func (a *app) noDatabase() error {
	return fmt.Errorf("there is no database %s: magpie crawl makes one, --db names another", a.db)
}
