package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// recordSink is what records are written to.
type recordSink interface {
	write(extract.Record) error
	flush() error // hands on what was written, where it need not wait for the rest
	close() error // writes what is left
}

// newSink returns a sink of the given format for the records of spec. With
// meta, where a record comes from follows its fields.
func newSink(w io.Writer, format string, spec extract.Spec, meta bool) (recordSink, error) {
	if format == "table" {
		return &tableSink{out: w, spec: spec, rows: map[string][][]string{}}, nil
	}
	if format == string(store.CSV) && len(spec.Items) > 1 {
		return nil, errors.New("CSV holds records of one item: choose it with --item")
	}
	out, flush := pageWriter(w)
	records, err := store.NewRecordWriter(out, spec, store.ExportOptions{Format: store.Format(format), Meta: meta})
	return &fileSink{records, flush}, err
}

// fileSink writes records as exports have them.
type fileSink struct {
	records *store.RecordWriter
	after   func() error
}

func (s *fileSink) write(r extract.Record) error { return s.records.Write(r) }

func (s *fileSink) flush() error {
	if err := s.records.Flush(); err != nil {
		return err
	}
	return s.after()
}

func (s *fileSink) close() error { return s.flush() }

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
			row[i] = values.Display(values.Member(r.Fields, f.Name))
		}
		s.rows[r.Item] = append(s.rows[r.Item], row)
	}
	return nil
}

func (s *tableSink) flush() error { return nil } // its columns are as wide as the widest record

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
