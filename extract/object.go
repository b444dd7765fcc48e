package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Get returns the value of the first member of a name.
func (o Object) Get(name string) (value any, ok bool) {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return nil, false
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) { return appendJSON(nil, o) }

// AppendJSON appends what MarshalJSON writes to b, and saves the copies that
// package json makes of it. What fails is a value that JSON has no word for,
// such as an infinite number.
func (o Object) AppendJSON(b []byte) ([]byte, error) { return appendJSON(b, o) }

// appendJSON appends a value of a Member as JSON. Unlike json.Marshal it
// leaves <, > and & as they are.
func appendJSON(b []byte, value any) ([]byte, error) {
	var err error
	switch v := value.(type) {
	case Object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendJSON(b, m.Name); err != nil {
				return nil, err
			}
			b = append(b, ':')
			if b, err = appendJSON(b, m.Value); err != nil {
				return nil, fmt.Errorf("%s: %w", m.Name, err)
			}
		}
		return append(b, '}'), nil
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendJSON(b, e); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case string:
		if isPlain(v) {
			return append(append(append(b, '"'), v...), '"'), nil
		}
	case bool:
		return strconv.AppendBool(b, v), nil
	case nil:
		return append(b, "null"...), nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...), nil
}

// isPlain says that a string stands in JSON as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// UnmarshalJSON reads a JSON object and keeps the order of its members. JSON
// doesn't tell types apart: every number becomes a json.Number, every object,
// a price too, an Object.
func (o *Object) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := readJSON(dec, 0)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
	case Object:
		*o = v
	default:
		return errors.New("extract: JSON value is no object")
	}
	return nil
}

const maxJSONDepth = 10_000 // as in encoding/json

func readJSON(dec *json.Decoder, depth int) (any, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxJSONDepth {
		return nil, errors.New("extract: JSON is nested too deep")
	}
	switch t {
	case json.Delim('{'):
		o := Object{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := readJSON(dec, depth+1)
			if err != nil {
				return nil, err
			}
			o = append(o, Member{name.(string), v})
		}
		_, err := dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := readJSON(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return t, nil
}
