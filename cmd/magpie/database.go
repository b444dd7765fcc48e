package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/magpie-crawl/magpie/store"
)

// defaultDB is the database when --db does not say otherwise.
const defaultDB = "magpie.db"

// openReadOnly opens the database for commands that only look.
func (a *app) openReadOnly() (*store.DB, error) {
	db, err := store.OpenReadOnly(a.db, store.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no database %s: magpie crawl makes one, --db names another", a.db)
	}
	return db, err
}
