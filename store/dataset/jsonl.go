package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
)

// jsonlEncoder writes each record as one line. Without a choice of fields they
// are written as they are stored, then the metadata.
type jsonlEncoder struct {
	out    *bufio.Writer
	schema Schema
	member *members // nil: records are written whole
	absent *absent
}

// NewJSONL returns an encoder that writes one JSON object a line.
func NewJSONL(w io.Writer, s Schema) Encoder {
	e := &jsonlEncoder{out: bufio.NewWriterSize(w, 64<<10), schema: s, absent: newAbsent(s.Fields)}
	if !s.Whole {
		e.member = newMembers(s.fieldNames()...)
		return e
	}
	// A name stands once in an object.
	e.schema.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f Field) bool {
		return !f.Meta || slices.ContainsFunc(s.Fields, func(other Field) bool { return !other.Meta && other.Name == f.Name })
	})
	return e
}

// fieldNames are the names of all fields, metadata included.
func (s Schema) fieldNames() []string {
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		names[i] = f.Name
	}
	return names
}

func (e *jsonlEncoder) Write(r *Record) error {
	e.absent.note(r.Data)
	if e.member != nil {
		return e.chosen(r)
	}
	object := bytes.TrimSuffix(r.Data, []byte("}"))
	e.out.Write(object)
	first := len(object) == 1
	for _, f := range e.schema.Fields {
		e.name(f.Name, &first)
		e.meta(r.meta(f.Name))
	}
	_, err := e.out.WriteString("}\n") // a bufio.Writer keeps its first error
	return err
}

// chosen writes the fields that were asked for, in their order.
func (e *jsonlEncoder) chosen(r *Record) error {
	if err := e.member.read(r.Data); err != nil {
		return recordError(r, err)
	}
	e.out.WriteByte('{')
	first := true
	for i, f := range e.schema.Fields {
		switch value := e.member.values[i]; {
		case f.Meta:
			e.name(f.Name, &first)
			e.meta(r.meta(f.Name))
		case value != nil:
			e.name(f.Name, &first)
			e.out.Write(value)
		}
	}
	_, err := e.out.WriteString("}\n")
	return err
}

func (e *jsonlEncoder) name(name string, first *bool) {
	if !*first {
		e.out.WriteByte(',')
	}
	*first = false
	e.out.Write(quoted(name))
	e.out.WriteByte(':')
}

func (e *jsonlEncoder) meta(value any) {
	if n, ok := value.(int); ok {
		e.out.Write(strconv.AppendInt(e.out.AvailableBuffer(), int64(n), 10))
		return
	}
	e.out.Write(quoted(value.(string)))
}

// quoted is a text as JSON.
func quoted(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always can be
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Absent are the fields that no record had. A line has no member for a field
// without a value, so that readers who make columns of lines make none of them.
func (e *jsonlEncoder) Absent() []string { return e.absent.names }

// Flush writes what is still in memory.
func (e *jsonlEncoder) Flush() error { return e.out.Flush() }

func (e *jsonlEncoder) Close() error { return e.Flush() }
