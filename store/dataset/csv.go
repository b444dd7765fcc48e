package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// csvEncoder writes records as RFC 4180 has it, with the columns of the
// item's view. Lists and objects are JSON; an absent value is empty. (The
// standard library's writer, when told to end lines with CR LF, changes line
// breaks within values.) https://www.rfc-editor.org/rfc/rfc4180
type csvEncoder struct {
	out      *bufio.Writer
	fields   []Field
	member   *members
	price    *members
	columns  int
	formulas bool // write texts as they are
	cells    int  // written on this line
}

// NewCSV returns an encoder that writes CSV, and writes the header line. A
// text that a spreadsheet would take for a formula gets a ' before it, unless
// formulas are wanted.
func NewCSV(w io.Writer, s Schema, formulas bool) (Encoder, error) {
	e := &csvEncoder{out: bufio.NewWriterSize(w, 64<<10), fields: s.Fields, formulas: formulas,
		member: newMembers(s.fieldNames()...), price: newMembers("amount", "currency")}
	for _, c := range s.columns() {
		e.columns++
		e.text([]byte(c.Name))
	}
	return e, e.endLine()
}

// columns are the columns of all fields.
func (s Schema) columns() []Column {
	var columns []Column
	for _, f := range s.Fields {
		columns = append(columns, f.Columns...)
	}
	return columns
}

func (e *csvEncoder) Write(r *Record) error {
	if err := e.member.read(r.Data); err != nil {
		return recordError(r, err)
	}
	for i, f := range e.fields {
		if f.Meta {
			e.meta(r.meta(f.Name))
			continue
		}
		for _, c := range f.Columns {
			e.value(part(e.price, e.member.values[i], c.Part))
		}
	}
	return e.endLine()
}

// part is a part of a price, or the value itself; nil: it has none.
func part(price *members, value []byte, part string) []byte {
	switch {
	case part == "":
		return value
	case price.read(value) != nil:
		return nil // an alternative that is no price
	case part == "amount":
		return price.values[0]
	default:
		return price.values[1]
	}
}

func (e *csvEncoder) meta(value any) {
	if s, ok := value.(string); ok {
		e.text([]byte(s))
		return
	}
	e.cell(fmt.Append(nil, value))
}

func (e *csvEncoder) value(value []byte) {
	switch text, ok := text(value); {
	case ok:
		e.text(text)
	case isNull(value):
		e.cell(nil)
	default:
		e.cell(value) // numbers, booleans, lists and objects begin with no formula sign but a minus
	}
}

// text writes a cell whose content was text. A spreadsheet takes one that
// begins with certain characters for a formula: a quote before it stops that.
func (e *csvEncoder) text(s []byte) {
	if !e.formulas && len(s) > 0 && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		s = append([]byte{'\''}, s...)
	}
	e.cell(s)
}

func (e *csvEncoder) cell(s []byte) {
	if e.cells > 0 {
		e.out.WriteByte(',')
	}
	e.cells++
	// A line of one empty cell would be an empty line, which readers skip.
	alone := len(s) == 0 && e.columns == 1
	if !alone && !bytes.ContainsAny(s, "\",\r\n") && len(bytes.TrimSpace(s)) == len(s) {
		e.out.Write(s)
		return
	}
	e.out.WriteByte('"')
	for {
		i := bytes.IndexByte(s, '"')
		if i < 0 {
			break
		}
		e.out.Write(s[:i+1])
		e.out.WriteByte('"')
		s = s[i+1:]
	}
	e.out.Write(s)
	e.out.WriteByte('"')
}

func (e *csvEncoder) endLine() error {
	e.cells = 0
	_, err := e.out.WriteString("\r\n") // a bufio.Writer keeps its first error
	return err
}

// Flush writes what is still in memory.
func (e *csvEncoder) Flush() error { return e.out.Flush() }

func (e *csvEncoder) Close() error { return e.Flush() }
