package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

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
	return db, err
}

// openExisting opens the database for commands that change it but make none.
func (a *app) openExisting() (*store.DB, error) {
	if _, err := os.Stat(a.db); errors.Is(err, fs.ErrNotExist) {
		return nil, a.noDatabase()
	}
	return store.Open(a.db, store.Options{})
}

func (a *app) noDatabase() error {
	return fmt.Errorf("there is no database %s: magpie crawl makes one, --db names another", a.db)
}
