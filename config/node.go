package config

import "strings"

// kind is what a value of a job file is written as.
type kind uint8

const (
	nullKind kind = iota
	boolKind
	numberKind
	textKind
	listKind
	mappingKind
)

// place is where something stands in a job file.
type place struct {
	line, column int // from 1; the column in characters
}

// node is a value of a job file. A node that an anchor names is shared by
// its aliases.
type node struct {
	kind  kind
	place place  // of a mapping in lines of its own: its first key
	text  string // scalars; numbers and booleans as they are written
	list  []*node
	pairs []pair // in the order written, each key once
	flow  string // source of a list in brackets on one line
	size  int    // nodes that stand below, aliases counted as often as they are used
}

// pair is a key and its value in a mapping.
type pair struct {
	key   string
	place place // of the key
	value *node
}

// get returns the pair with the given key.
func (n *node) get(key string) (pair, bool) {
	for _, p := range n.pairs {
		if p.key == key {
			return p, true
		}
	}
	return pair{}, false
}

// what describes n to the one who wrote it.
func (n *node) what() string {
	switch n.kind {
	case nullKind:
		return "nothing"
	case boolKind:
		return n.text
	case numberKind:
		return "the number " + n.text
	case textKind:
		return quoted(n.text)
	case listKind:
		return "a list"
	default:
		return "a mapping of keys"
	}
}

// quoted returns s as a message shows it: short, on one line, in quotes.
func quoted(s string) string {
	const limit = 80
	runes := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(runes) > limit {
		runes = append(runes[:limit], '…')
	}
	for i, r := range runes {
		if r < ' ' || r == 0x7F {
			runes[i] = ' '
		}
	}
	return `"` + string(runes) + `"`
}
