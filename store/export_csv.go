package store

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
)

// csvEncoder writes records as RFC 4180 has it, with the columns of the
// item's view. Lists and objects are JSON; an absent value is empty. (The
// standard library's writer, when told to end lines with CR LF, changes line
// breaks within values.) https://www.rfc-editor.org/rfc/rfc4180
type csvEncoder struct {
	out      *bufio.Writer
	columns  []column
	meta     []string
	formulas bool // write texts as they are
	cells    int  // written on this line
}

func newCSVEncoder(out *bufio.Writer, columns []column, meta []string, formulas bool) *csvEncoder {
	return &csvEncoder{out: out, columns: columns, meta: meta, formulas: formulas}
}

func (e *csvEncoder) begin() error {
	for _, c := range e.columns {
		e.text(c.name)
	}
	for _, name := range e.meta {
		e.text(name)
	}
	return e.endLine()
}

func (e *csvEncoder) record(r *Record) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(r.Data, &fields); err != nil {
		return fmt.Errorf("record %q: %w", r.Key, err)
	}
	for _, c := range e.columns {
		e.value(c.value(fields))
	}
	for _, name := range e.meta {
		if text, ok := metaValue(r, name).(string); ok {
			e.text(text)
		} else {
			e.cell(fmt.Sprint(metaValue(r, name)))
		}
	}
	return e.endLine()
}

// value is the column's value among a record's fields; nil: it has none.
func (c column) value(fields map[string]json.RawMessage) json.RawMessage {
	value := fields[c.field]
	if c.part == "" {
		return value
	}
	var parts map[string]json.RawMessage
	if json.Unmarshal(value, &parts) != nil {
		return nil // an alternative that is no price
	}
	return parts[c.part]
}

func (e *csvEncoder) value(value json.RawMessage) {
	switch text, ok := jsonText(value); {
	case ok:
		e.text(text)
	case string(value) == "null":
		e.cell("")
	default:
		e.cell(string(value)) // numbers, booleans, lists and objects begin with no formula sign but a minus
	}
}

// text writes a cell whose content was text. A spreadsheet takes one that
// begins with certain characters for a formula: a quote before it stops that.
func (e *csvEncoder) text(s string) {
	if !e.formulas && s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		s = "'" + s
	}
	e.cell(s)
}

func (e *csvEncoder) cell(s string) {
	if e.cells > 0 {
		e.out.WriteByte(',')
	}
	e.cells++
	// A line of one empty cell would be an empty line, which readers skip.
	alone := s == "" && len(e.columns)+len(e.meta) == 1
	if !alone && !strings.ContainsAny(s, "\",\r\n") && strings.TrimSpace(s) == s {
		e.out.WriteString(s)
		return
	}
	e.out.WriteByte('"')
	e.out.WriteString(strings.ReplaceAll(s, `"`, `""`))
	e.out.WriteByte('"')
}

func (e *csvEncoder) endLine() error {
	e.cells = 0
	_, err := e.out.WriteString("\r\n") // a bufio.Writer keeps its first error
	return err
}
