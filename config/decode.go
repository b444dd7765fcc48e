package config

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// decoder reads nodes into what the packages want and keeps the mistakes.
type decoder struct {
	folder    string   // of the job file
	variables []string // of the environment, that it takes values from
	offline   bool     // nothing will be fetched: environment variables need not be set
	lines     []string // of its text
	mistakes  []*Mistake
	broken    map[*node]bool // those of the wrong type, and mappings with a key that cannot be used
}

// value is a node with the name of its key, as messages call it.
type value struct {
	*node
	name string
}

// key tells how one key of a mapping is read.
type key struct {
	name   string
	read   func(value)
	absent string // set: why the key cannot be used
	null   bool   // the key may be without a value
}

func (d *decoder) wrong(p place, format string, args ...any) {
	d.mistakes = append(d.mistakes, mistakeAt(p, format, args...))
}

// want reports that v is not what it must be.
func (d *decoder) want(v value, expected string) {
	hint := ""
	switch {
	case v.kind == listKind && v.flow != "" && strings.HasPrefix(expected, "text"):
		hint = "; to YAML [ begins a list: write " + singleQuoted(v.flow)
	case v.kind == numberKind && strings.HasPrefix(expected, "text"):
		hint = "; as text it is written " + quoted(v.text)
	}
	d.broke(v.node)
	d.wrong(v.place, "%s must be %s, not %s%s", v.name, expected, v.what(), hint)
}

// mapping reads the pairs of v by keys.
func (d *decoder) mapping(v value, keys []key) {
	if v.kind != mappingKind {
		d.want(v, "a mapping with the keys "+enumerate(names(keys), "and"))
		return
	}
	for _, p := range v.pairs {
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == p.key })
		switch {
		case i < 0:
			d.unknownKey(v, p, keys)
		case keys[i].absent != "":
			d.broke(v.node)
			d.wrong(p.place, "%s", keys[i].absent)
		case p.value.kind == nullKind && !keys[i].null:
			d.broke(v.node)
			d.noValue(p)
		default:
			keys[i].read(value{p.value, p.key})
		}
	}
}

func (d *decoder) broke(n *node) {
	if d.broken == nil {
		d.broken = map[*node]bool{}
	}
	d.broken[n] = true
}

func (d *decoder) unknownKey(v value, p pair, keys []key) {
	d.broke(v.node)
	in, known := "", names(keys)
	if v.name != "" {
		in = " in " + v.name
	}
	switch near := nearest(p.key, known); {
	case near != "":
		d.wrong(p.place, "unknown key %s%s: did you mean %s?", quoted(p.key), in, near)
	case p.value.kind == nullKind && strings.ContainsAny(p.key, ".#>[:"):
		d.wrong(p.place, "unknown key %s%s: put text that has a comma in it in quotes", quoted(p.key), in)
	default:
		d.wrong(p.place, "unknown key %s%s: the keys here are %s", quoted(p.key), in, enumerate(known, "and"))
	}
}

// noValue reports a key without a value.
func (d *decoder) noValue(p pair) {
	if p.place.line <= len(d.lines) {
		if _, rest, _ := strings.Cut(d.lines[p.place.line-1], p.key+":"); strings.HasPrefix(strings.TrimSpace(rest), "#") {
			d.wrong(p.place, "%s has no value: to YAML # begins a comment; put the text in quotes", p.key)
			return
		}
	}
	d.wrong(p.place, "%s has no value: give it one or leave the key out", p.key)
}

// names lists the keys that can be used.
func names(keys []key) []string {
	var list []string
	for _, k := range keys {
		if k.absent == "" {
			list = append(list, k.name)
		}
	}
	return list
}

// text reads text that is not empty. ok is false when it was not there.
func (d *decoder) text(v value, example string) (s string, ok bool) {
	switch {
	case v.kind != textKind:
		d.want(v, "text such as "+example)
	case strings.TrimSpace(v.text) == "":
		d.wrong(v.place, "%s is empty: write text such as %s, or leave it out", v.name, example)
	default:
		return v.text, true
	}
	return "", false
}

// verbatim reads text that may be of spaces alone.
func (d *decoder) verbatim(v value, example string) (s string, ok bool) {
	if v.kind == textKind && v.text != "" && strings.TrimSpace(v.text) == "" {
		return v.text, true
	}
	return d.text(v, example)
}

// texts reads one text or a list of them.
func (d *decoder) texts(v value, example string) []value {
	switch v.kind {
	case listKind:
	case textKind:
		if _, ok := d.text(v, example); !ok {
			return nil
		}
		return []value{v}
	default:
		d.want(v, "text such as "+example+" or a list of texts")
		return nil
	}
	var list []value
	for _, n := range v.list {
		entry := value{n, "an entry of " + v.name}
		if n.kind == nullKind {
			d.wrong(n.place, "%s is empty: write text such as %s, in quotes", entry.name, example)
		} else if _, ok := d.text(entry, example); ok {
			list = append(list, entry)
		}
	}
	return list
}

// plainTexts returns the texts of values; nil for none.
func plainTexts(values []value) []string {
	var list []string
	for _, v := range values {
		list = append(list, v.text)
	}
	return list
}

func (d *decoder) boolean(v value) bool {
	if v.kind != boolKind {
		d.want(v, "true or false")
	}
	return v.kind == boolKind && v.text == "true"
}

// integer reads a whole number that is not below least.
func (d *decoder) integer(v value, least int, example string) int {
	n, err := strconv.Atoi(v.text)
	switch {
	case v.kind != numberKind, err != nil, v.text != strconv.Itoa(n):
		d.want(v, "a whole number such as "+example)
	case n < least:
		d.wrong(v.place, "%s must be at least %d, not %d", v.name, least, n)
	case n > math.MaxInt32:
		d.wrong(v.place, "%s must be at most %d", v.name, math.MaxInt32)
	default:
		return n
	}
	return 0
}

func (d *decoder) duration(v value, example string) time.Duration {
	if v.kind == textKind || v.text == "0" {
		if t, ok := parseDuration(v.text); ok {
			return t
		}
	}
	if v.kind == numberKind && strings.Trim(v.text, "0123456789.") == "" {
		d.wrong(v.place, "%s needs a unit: %ss are seconds, %sm minutes, %sh hours, %sd days", v.name, v.text, v.text, v.text, v.text)
	} else {
		d.want(v, "a duration such as "+example)
	}
	return 0
}

// size reads a number of bytes.
func (d *decoder) size(v value, example string) int64 {
	if v.kind == textKind || v.kind == numberKind {
		if n, ok := ParseSize(v.text); ok && n > 0 {
			return n
		}
	}
	d.want(v, "a size above 0 such as "+example)
	return 0
}

// choice reads one of the names of choices, of which it returns the place.
func (d *decoder) choice(v value, choices []string) (int, bool) {
	i := slices.Index(choices, v.text)
	if v.kind == textKind && i >= 0 {
		return i, true
	}
	expected := enumerate(choices, "or")
	if near := nearest(v.text, choices); v.kind == textKind && near != "" {
		d.wrong(v.place, "%s must be %s, not %s: did you mean %s?", v.name, expected, v.what(), near)
	} else {
		d.want(v, expected)
	}
	return 0, false
}

// singleQuoted writes s as YAML text in single quotes.
func singleQuoted(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
