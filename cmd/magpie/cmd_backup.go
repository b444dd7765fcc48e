package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
)

func newBackupCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database, also while a crawl writes to it",
		Long: `Backup writes a copy of the database, as it stands at one moment, to a file. It
works while crawls go on and does not hold them up.

The copy is made beside its place, checked, and renamed when it is whole. An
earlier backup of that name is replaced; a file that is no backup is not.`,
		Example: `  magpie backup books-monday.db
  magpie backup --db books.db /mnt/backups/books.db
  magpie status --db books-monday.db    # a backup is a database like any other`,
		Args: oneArgument("a file"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.backup(cmd, args[0]) },
	}
}

func (a *app) backup(cmd *cobra.Command, path string) error {
	db, err := a.openReadOnly()
	if err != nil {
		return err
	}
	defer db.Close()
	var done, total atomic.Int64
	work := a.startWork(cmd.Context(), func() []stat {
		d, t := done.Load(), total.Load()
		return []stat{{"copied", d, words.Bytes(d)}, {"of", t, "of " + words.Bytes(t)}}
	})
	defer work.stop()
	size, err := db.Backup(work.ctx, path, func(d, t int64) { done.Store(d); total.Store(t) })
	work.stop()
	switch {
	case err != nil && work.interrupted && errors.Is(err, context.Canceled):
		return errInterrupted
	case err != nil:
		return err
	case a.json:
		return a.writeJSON(map[string]any{"path": path, "bytes": size})
	}
	_, err = fmt.Fprintf(a.stdout, "Wrote a copy of %s to %s (%s).\n", a.db, path, words.Bytes(size))
	return err
}
