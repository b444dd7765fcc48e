// Package loosejson reads JSON as it is found in pages, where much of it is
// not quite JSON: with comments, trailing commas, raw newlines in strings, in
// an HTML comment, cut off at the end. What is JSON reads as encoding/json
// reads it, numbers as [json.Number]; what is not is repaired where the
// author's intent is plain, and the repairs are told.
//
//	loosejson.go  the reader: values, objects, arrays
//	strings.go    … strings and their escapes
//	words.go      … numbers, literals, and what stands without quotes
//	space.go      … what may stand between tokens
//	repairs.go    how repairs and errors are told
//
// Time and memory grow with the length of the text and no faster.
package loosejson

import (
	"errors"
	"html"
	"strings"
)

// MaxDepth is how deep arrays and objects may be nested. Deeper text is an
// error.
const MaxDepth = 200

// Parse reads s and returns its value: map[string]any, []any, string,
// [encoding/json.Number], bool or nil. Several values one after the other are
// returned as a list. No string in it is a part of s.
//
// repaired says what was not JSON and how it was read, each kind once, with
// the line of s where it was met first. The error is a [*SyntaxError].
//
// https://www.rfc-editor.org/rfc/rfc8259
func Parse(s string) (v any, repaired []string, err error) {
	v, repairs, err := Read(s)
	for _, r := range repairs {
		repaired = append(repaired, r.String())
	}
	return v, repaired, err
}

// Read is [Parse] with the repairs' lines and kinds apart.
func Read(s string) (v any, repairs []Repair, err error) {
	v, repairs, err = read(s, nil)
	if errors.Is(err, errReference) {
		// The whole text was escaped once more than it should be.
		v, repairs, err = read(html.UnescapeString(s), []Repair{{1, repairReferences}})
		if errors.Is(err, errReference) {
			err = &SyntaxError{1, "has character references where JSON should be"}
		}
	}
	return v, repairs, err
}

// reader is at pos in src.
type reader struct {
	src     string
	pos     int
	depth   int // of the arrays and objects that are open
	lines   lineCounter
	repairs []Repair
}

// read reads all values of a text.
func read(s string, repairs []Repair) (any, []Repair, error) {
	r := &reader{src: s, repairs: repairs}
	var values []any
	for {
		if err := r.topSpace(len(values) > 0); err != nil {
			return nil, r.repairs, err
		}
		if r.atEnd() {
			break
		}
		v, err := r.value()
		if err != nil {
			if len(values) > 0 && !errors.Is(err, errReference) {
				r.repair(repairRest)
				break
			}
			return nil, r.repairs, err
		}
		values = append(values, v)
	}
	switch len(values) {
	case 0:
		return nil, r.repairs, r.fail("holds no value")
	case 1:
		return values[0], r.repairs, nil
	}
	r.repair(repairSeveral)
	return values, r.repairs, nil
}

func (r *reader) atEnd() bool { return r.pos >= len(r.src) }

// peek returns the byte at pos, 0 at the end.
func (r *reader) peek() byte {
	if r.atEnd() {
		return 0
	}
	return r.src[r.pos]
}

// value reads a value that begins at pos.
func (r *reader) value() (any, error) {
	switch c := r.peek(); c {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"', '\'':
		return r.quoted(c), nil
	default:
		return r.word()
	}
}

// open begins an array or object.
func (r *reader) open() error {
	if r.depth++; r.depth > MaxDepth {
		return r.fail("is nested too deep")
	}
	r.pos++
	return nil
}

// array reads an array.
//
// https://www.rfc-editor.org/rfc/rfc8259#section-5
func (r *reader) array() (any, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	list := []any{}
	for {
		more, err := r.next(']', len(list) > 0)
		if err != nil || !more {
			return list, err
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
}

// object reads an object. Of members of one name the last counts.
//
// https://www.rfc-editor.org/rfc/rfc8259#section-4
func (r *reader) object() (any, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	object := map[string]any{}
	for members := 0; ; members++ {
		more, err := r.next('}', members > 0)
		if err != nil || !more {
			return object, err
		}
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		if err := r.space(); err != nil {
			return nil, err
		}
		if r.atEnd() {
			r.repair(repairCut)
			return object, nil
		}
		if r.peek() != ':' {
			return nil, r.fail("has no colon after a name")
		}
		r.pos++
		v, err := r.memberValue()
		if err != nil {
			return nil, err
		}
		object[name] = v
	}
}

// memberValue reads what stands after a colon; nothing there is null.
func (r *reader) memberValue() (any, error) {
	if err := r.space(); err != nil {
		return nil, err
	}
	switch r.peek() {
	case ',', '}':
		r.repair(repairNoValue)
		return nil, nil
	case 0:
		if r.atEnd() {
			r.repair(repairCut)
			return nil, nil
		}
	}
	return r.value()
}

// next goes to the next member of an array or object that ends with end, and
// reports false where there is none. later says that there was one before.
func (r *reader) next(end byte, later bool) (more bool, err error) {
	commas := 0
	for {
		if err := r.space(); err != nil {
			return false, err
		}
		if r.peek() != ',' {
			break
		}
		r.pos++
		commas++
	}
	switch c := r.peek(); {
	case r.atEnd():
		r.repair(repairCut)
		return false, nil
	case c == end:
		r.pos++
		if commas > 0 {
			r.repair(repairComma)
		}
		return false, nil
	case c == '}' || c == ']':
		return false, r.fail("closes with " + string(c) + " what does not begin so")
	case commas == 0 && later:
		r.repair(repairNoComma)
	case commas > 1, commas > 0 && !later:
		r.repair(repairComma)
	}
	return true, nil
}

// name reads the name of a member.
func (r *reader) name() (string, error) {
	if c := r.peek(); c == '"' || c == '\'' {
		return r.quoted(c), nil
	}
	start := r.pos
	for !r.atEnd() && isNameByte(r.src[r.pos]) {
		r.pos++
	}
	if start == r.pos {
		return "", r.fail("has no name where a member of an object begins")
	}
	r.repair(repairName)
	return strings.ToValidUTF8(strings.Clone(r.src[start:r.pos]), "\ufffd"), nil
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c == '@' || c == '-' || c >= 0x80 ||
		'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
