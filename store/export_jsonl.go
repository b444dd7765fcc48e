package store

import (
	"bufio"
	"bytes"
	"encoding/json"
)

// jsonlEncoder writes each record as one line: its fields as they are stored,
// then the metadata.
type jsonlEncoder struct {
	out  *bufio.Writer
	meta []string
}

func newJSONLEncoder(out *bufio.Writer, fields [][]itemField, meta []string) *jsonlEncoder {
	e := &jsonlEncoder{out: out}
	for _, name := range meta {
		if !hasField(fields, name) { // a name stands once in an object
			e.meta = append(e.meta, name)
		}
	}
	return e
}

func hasField(jobs [][]itemField, name string) bool {
	for _, fields := range jobs {
		for _, f := range fields {
			if f.Name == name {
				return true
			}
		}
	}
	return false
}

func (e *jsonlEncoder) begin() error { return nil }

func (e *jsonlEncoder) record(r *Record) error {
	object := bytes.TrimSuffix(r.Data, []byte("}"))
	e.out.Write(object)
	first := len(object) == 1
	for _, name := range e.meta {
		if !first {
			e.out.WriteByte(',')
		}
		first = false
		value, err := encodeJSON(metaValue(r, name))
		if err != nil {
			return err
		}
		e.out.WriteString(`"` + name + `":` + value)
	}
	_, err := e.out.WriteString("}\n") // a bufio.Writer keeps its first error
	return err
}

// metaValue is a record's value of a metadata column: a string or an int.
func metaValue(r *Record, name string) any {
	switch name {
	case "_item":
		return r.Item
	case "_job":
		return r.Job
	case "_key":
		return r.Key
	case "_url":
		return r.URL
	case "_position":
		return r.Position
	case "_first_run":
		return r.FirstRun
	case "_last_run":
		return r.LastRun
	}
	panic("store: no metadata is called " + name)
}

// jsonText returns the string that a JSON value is; ok is false for others.
func jsonText(value json.RawMessage) (text string, ok bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	return text, json.Unmarshal(value, &text) == nil
}
