package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unsafe"
)

// members finds the values of an object's members by their names, without
// decoding what is not asked for. Records are read so a million at a time.
type members struct {
	places map[string]int
	values [][]byte // by place; nil: there is no such member
}

func newMembers(names ...string) *members {
	m := &members{places: make(map[string]int, len(names)), values: make([][]byte, len(names))}
	for i, name := range names {
		m.places[name] = i
	}
	return m
}

// read reads an object. The values point into data.
func (m *members) read(data []byte) error {
	clear(m.values)
	return eachMember(data, func(name, value []byte) {
		if i, ok := m.places[memberName(name)]; ok {
			m.values[i] = value
		}
	})
}

// memberName is the name that a string in JSON, quotes included, stands for.
func memberName(name []byte) string {
	if bytes.IndexByte(name, '\\') < 0 {
		return unsafe.String(unsafe.SliceData(name[1:]), len(name)-2) // only looked up
	}
	var s string
	_ = json.Unmarshal(name, &s) // "" is no member's name
	return s
}

var errJSON = errors.New("is no JSON object as it is stored")

// eachMember calls yield with each member of an object, its name in quotes.
func eachMember(data []byte, yield func(name, value []byte)) error {
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '{' {
		return errJSON
	}
	i = skipSpace(data, i+1)
	if i < len(data) && data[i] == '}' {
		return nil
	}
	for {
		if i >= len(data) || data[i] != '"' {
			return errJSON
		}
		end := skipString(data, i)
		if end < 0 {
			return errJSON
		}
		name := data[i:end]
		if i = skipSpace(data, end); i >= len(data) || data[i] != ':' {
			return errJSON
		}
		i = skipSpace(data, i+1)
		if end = skipValue(data, i); end < 0 {
			return errJSON
		}
		yield(name, data[i:end])
		if i = skipSpace(data, end); i >= len(data) {
			return errJSON
		}
		switch data[i] {
		case '}':
			return nil
		case ',':
			i = skipSpace(data, i+1)
		default:
			return errJSON
		}
	}
}

// eachElement calls yield with each element of a list.
func eachElement(data []byte, yield func(value []byte)) error {
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '[' {
		return errJSON
	}
	if i = skipSpace(data, i+1); i < len(data) && data[i] == ']' {
		return nil
	}
	for {
		end := skipValue(data, i)
		if end < 0 {
			return errJSON
		}
		yield(data[i:end])
		if i = skipSpace(data, end); i >= len(data) {
			return errJSON
		}
		switch data[i] {
		case ']':
			return nil
		case ',':
			i = skipSpace(data, i+1)
		default:
			return errJSON
		}
	}
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the place behind a string that begins at i; -1: it has no
// end.
func skipString(data []byte, i int) int {
	for j := i + 1; ; {
		n := bytes.IndexByte(data[j:], '"')
		if n < 0 {
			return -1
		}
		end := j + n
		backslashes := 0
		for k := end - 1; k > i && data[k] == '\\'; k-- {
			backslashes++
		}
		if j = end + 1; backslashes%2 == 0 {
			return j
		}
	}
}

// skipValue returns the place behind a value that begins at i; -1: it has no
// end.
func skipValue(data []byte, i int) int {
	if i >= len(data) {
		return -1
	}
	switch data[i] {
	case '"':
		return skipString(data, i)
	case '{', '[':
		return skipNested(data, i)
	}
	j := i
	for j < len(data) && data[j] != ',' && data[j] != '}' && data[j] != ']' && data[j] > ' ' {
		j++
	}
	if j == i {
		return -1
	}
	return j
}

func skipNested(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := skipString(data, i)
			if end < 0 {
				return -1
			}
			i = end
			continue
		}
		i++
	}
	return -1
}

// isNull tells whether there is no value.
func isNull(value []byte) bool { return len(value) == 0 || value[0] == 'n' }

// text returns the string that a JSON value is, without copying it where it
// stands as it is; ok is false for other values.
func text(value []byte) (s []byte, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], true
	}
	var decoded string
	if json.Unmarshal(value, &decoded) != nil {
		return nil, false
	}
	return []byte(decoded), true
}

// recordError names the record that could not be written.
func recordError(r *Record, err error) error { return fmt.Errorf("record %q: %w", r.Key, err) }
