package store

import (
	"errors"
	"fmt"
	"io"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// RecordWriter writes records that are in no database as Export writes those
// that are.
type RecordWriter struct{ encoder flusher }

// flusher is an encoder of a format that can be looked at while it is written.
type flusher interface {
	dataset.Encoder
	Flush() error
}

// newRecordMeta is the metadata of a record that no run has stored.
var newRecordMeta = []string{"_item", "_key", "_url", "_position"}

// NewRecordWriter returns a writer of the records of spec. Of o it heeds
// Format, Formulas and Meta, which adds _item, _key, _url and _position. CSV
// holds the records of one item type: a spec with more is an error.
func NewRecordWriter(w io.Writer, spec extract.Spec, o ExportOptions) (*RecordWriter, error) {
	if o.Format == CSV && len(spec.Items) != 1 {
		return nil, errors.New("CSV holds records of one item type")
	}
	items, err := itemtype.Of(spec)
	if err != nil {
		return nil, err
	}
	var fields [][]itemtype.Field
	for _, item := range items {
		fields = append(fields, item.Fields)
	}
	var meta []string
	if o.Meta {
		meta = newRecordMeta
	}
	name := "records"
	if len(items) == 1 {
		name = items[0].Name
	}
	if o.Format != JSONL && o.Format != CSV && o.Format != "" {
		return nil, fmt.Errorf("records cannot be written one by one as %q: use %s or %s", o.Format, JSONL, CSV)
	}
	encoder, err := dataset.NewEncoder(w, o.Format, itemtype.Schema(name, fields, meta), o.Formulas)
	if err != nil {
		return nil, err
	}
	return &RecordWriter{encoder.(flusher)}, nil
}

// Write writes a record; it may stay in memory until Flush.
func (w *RecordWriter) Write(r extract.Record) error {
	data, err := encodeJSON(r.Fields)
	if err != nil {
		return fmt.Errorf("record %q: %w", r.Key, err)
	}
	return w.encoder.Write(&dataset.Record{Item: r.Item, Key: r.Key, URL: r.URL, Position: r.Position, Data: []byte(data)})
}

// Flush writes what is still in memory.
func (w *RecordWriter) Flush() error { return w.encoder.Flush() }
