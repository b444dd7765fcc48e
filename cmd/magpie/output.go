package main

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// writeJSON writes v as one line of JSON.
func (a *app) writeJSON(v any) error {
	line, err := marshalLine(v)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(line)
	return err
}

// marshalLine returns v as one line of JSON that a terminal can be given.
func marshalLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return harmless.JSON(b.Bytes()), nil
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
