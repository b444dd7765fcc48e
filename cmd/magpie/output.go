package main

import (
	"io"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// writeJSON writes v as one line of JSON.
func (a *app) writeJSON(v any) error {
	line, err := machine.Line(v)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(line)
	return err
}

// pageWriter returns a writer for text of pages. A terminal gets it line by
// line, made harmless; files and pipes get it as it is. The caller must call
// flush at the end.
func pageWriter(w io.Writer) (out io.Writer, flush func() error) {
	if !terminalOf(w).people {
		return w, func() error { return nil }
	}
	lines := harmless.NewWriter(w)
	return lines, lines.Flush
}
