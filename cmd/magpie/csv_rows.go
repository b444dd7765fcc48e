package main

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
)

// csvWriter writes rows as RFC 4180 has them, with line feeds. A terminal gets
// them harmless. https://www.rfc-editor.org/rfc/rfc4180
type csvWriter struct {
	out   *csv.Writer
	after func() error
}

func newCSVWriter(w io.Writer) *csvWriter {
	out, flush := pageWriter(w)
	return &csvWriter{csv.NewWriter(out), flush}
}

// row writes a row. Text that a spreadsheet would run as a formula gets a quote
// before it, as in exports.
func (w *csvWriter) row(cells ...string) error {
	for i := range cells {
		cells[i] = formulaSafe(cells[i])
	}
	return w.out.Write(cells)
}

// flush writes what is still held back.
func (w *csvWriter) flush() error {
	w.out.Flush()
	return errors.Join(w.out.Error(), w.after())
}

// formulaSafe puts a quote before text that a spreadsheet would run as a
// formula; a number keeps its sign.
func formulaSafe(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
