package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

// recordSink is what records are written to.
type recordSink interface {
	write(extract.Record) error
	close() error // writes what is left
}

// newSink returns a sink of the given format for the records of spec. With
// meta, where a record comes from follows its fields: _item, _key, _url and
// _position.
func newSink(w io.Writer, format string, spec extract.Spec, meta bool) (recordSink, error) {
	if format == "csv" && len(spec.Items) > 1 {
		return nil, errors.New("CSV holds records of one item: choose it with --item")
	}
	switch format {
	case "csv":
		out, flush := pageWriter(w)
		return &csvSink{out: bufio.NewWriter(out), flush: flush, item: spec.Items[0], meta: meta}, nil
	case "table":
		return &tableSink{out: w, spec: spec, rows: map[string][][]string{}}, nil
	}
	return &jsonlSink{bufio.NewWriter(w), meta}, nil
}

// metaOf tells where a record comes from.
func metaOf(r extract.Record) extract.Object {
	return extract.Object{
		{Name: "_item", Value: r.Item},
		{Name: "_key", Value: r.Key},
		{Name: "_url", Value: r.URL},
		{Name: "_position", Value: int64(r.Position)},
	}
}

// jsonlSink writes a JSON object a line.
type jsonlSink struct {
	out  *bufio.Writer
	meta bool
}

func (s *jsonlSink) write(r extract.Record) error {
	object := append(extract.Object{}, r.Fields...)
	if s.meta {
		object = append(object, metaOf(r)...)
	}
	line, err := marshalLine(object)
	if err != nil {
		return err
	}
	_, err = s.out.Write(line)
	return err
}

func (s *jsonlSink) close() error { return s.out.Flush() }

// csvSink writes a header and a line for each record, as exports have them:
// https://www.rfc-editor.org/rfc/rfc4180
type csvSink struct {
	out   *bufio.Writer
	flush func() error
	item  extract.Item
	meta  bool
	begun bool
}

func (s *csvSink) write(r extract.Record) error {
	if err := s.begin(); err != nil {
		return err
	}
	var cells []any
	for _, f := range s.item.Fields {
		cells = append(cells, cellsOf(f, member(r.Fields, f.Name))...)
	}
	if s.meta {
		for _, m := range metaOf(r) {
			cells = append(cells, m.Value)
		}
	}
	return s.line(cells)
}

// begin writes the header, once.
func (s *csvSink) begin() error {
	if s.begun {
		return nil
	}
	s.begun = true
	var names []any
	for _, f := range s.item.Fields {
		for _, name := range columnsOf(f) {
			names = append(names, name)
		}
	}
	if s.meta {
		for _, m := range metaOf(extract.Record{}) {
			names = append(names, m.Name)
		}
	}
	return s.line(names)
}

func (s *csvSink) line(cells []any) error {
	for i, v := range cells {
		text := cell(v)
		// Spreadsheets take texts that begin so for formulas; a quote stops that.
		if _, isText := v.(string); isText && text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
			text = "'" + text
		}
		// A line of one empty cell would be an empty line, which readers skip.
		if strings.ContainsAny(text, "\",\r\n") || strings.TrimSpace(text) != text || text == "" && len(cells) == 1 {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		if i > 0 {
			s.out.WriteByte(',')
		}
		s.out.WriteString(text)
	}
	_, err := s.out.WriteString("\r\n") // a bufio.Writer keeps its first error
	return err
}

func (s *csvSink) close() error {
	if err := s.begin(); err != nil {
		return err
	}
	if err := s.out.Flush(); err != nil {
		return err
	}
	return s.flush()
}

// tableSink writes a table for each item that has records, at the end.
type tableSink struct {
	out  io.Writer
	spec extract.Spec
	rows map[string][][]string
}

func (s *tableSink) write(r extract.Record) error {
	for _, item := range s.spec.Items {
		if item.Name != r.Item {
			continue
		}
		row := make([]string, len(item.Fields))
		for i, f := range item.Fields {
			row[i] = display(member(r.Fields, f.Name))
		}
		s.rows[r.Item] = append(s.rows[r.Item], row)
	}
	return nil
}

func (s *tableSink) close() error {
	t := terminalOf(s.out)
	for _, item := range s.spec.Items {
		rows := s.rows[item.Name]
		if len(rows) == 0 {
			continue
		}
		tb := &table{rows: rows}
		for _, f := range item.Fields {
			tb.header = append(tb.header, f.Name)
			tb.right = append(tb.right, !f.All && (f.As == extract.Number || f.As == extract.Integer || f.As == extract.PriceType))
		}
		if len(s.spec.Items) > 1 {
			if _, err := fmt.Fprintf(s.out, "%s:\n", item.Name); err != nil {
				return err
			}
		}
		if err := tb.write(s.out, t); err != nil {
			return err
		}
	}
	return nil
}
