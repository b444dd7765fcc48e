package extract

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// needs are the type, the IDs, the classes and the attributes that an element
// must have to match a compound selector. Most elements lack them, which costs
// less to see than the rest of the selector costs to ask.
//
// https://drafts.csswg.org/selectors-4/#elemental-selectors
type needs struct {
	tag        string // in small letters; "": any
	ids        []string
	classes    []string
	attributes []attributeSelector
}

// read adds the simple selector at i in src, which must not be a
// pseudo-class, and returns where it ends. A type can only be the first.
func (d *needs) read(src string, i int, first bool) (end int, err error) {
	var name string
	switch src[i] {
	case '#':
		if name, end, err = readName(src, i+1); err == nil {
			d.ids = append(d.ids, name)
		}
	case '.':
		if name, end, err = readIdentifier(src, i+1); err == nil {
			d.classes = append(d.classes, name)
		}
	case '[':
		var a attributeSelector
		if a, end, err = readAttributeSelector(src, i); err == nil {
			d.attributes = append(d.attributes, a)
		}
	default:
		if !first {
			return 0, fmt.Errorf("unexpected %q in %q", src[i:], src)
		}
		return d.readType(src, i)
	}
	return end, err
}

// readType reads a type selector or *, which may have the prefix of any
// namespace before it: *|a.
//
// https://drafts.csswg.org/selectors-4/#type-nmsp
func (d *needs) readType(src string, i int) (end int, err error) {
	if rest, ok := strings.CutPrefix(src[i:], "*|"); ok && rest != "" {
		i += 2
	}
	if src[i] == '*' {
		return i + 1, nil
	}
	name, end, err := readIdentifier(src, i)
	if err == nil && end < len(src) && src[end] == '|' {
		err = fmt.Errorf("%q: there are no prefixes of namespaces here: write *|%s", src, src[end+1:])
	}
	d.tag = lowerASCII(name)
	return end, err
}

// attribute is the name of an attribute that an element must have; "": none.
func (d *needs) attribute() string {
	for i := range d.attributes {
		if a := &d.attributes[i]; a.operation != "!=" {
			return a.name
		}
	}
	return ""
}

// lowerASCII leaves all but the letters A to Z as they are.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// equalLetters reports whether two texts are the same but for the case of the
// letters A to Z.
//
// https://infra.spec.whatwg.org/#ascii-case-insensitive
func equalLetters(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lowerByte(a[i]) != lowerByte(b[i]) {
			return false
		}
	}
	return true
}

// met reports whether n has all of it. In quirks mode the letters' case
// doesn't count in IDs and classes.
//
// DIVERGES from the HTML Standard, as Chromium does: it doesn't count in the
// names of foreign elements either, which pages write as linearGradient.
//
// https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors
func (d *needs) met(n *html.Node, quirks bool) bool {
	if d.tag != "" && n.Data != d.tag && (n.Namespace == "" || !equalLetters(n.Data, d.tag)) {
		return false
	}
	for _, id := range d.ids {
		if !hasID(n, id, quirks) {
			return false
		}
	}
	for _, class := range d.classes {
		if !hasClass(n, class, quirks) {
			return false
		}
	}
	return !slices.ContainsFunc(d.attributes, func(a attributeSelector) bool { return !a.matches(n) })
}

func hasID(n *html.Node, id string, quirks bool) bool {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == "id" && a.Namespace == "" && (a.Val == id || quirks && equalLetters(a.Val, id)) {
			return true
		}
	}
	return false
}

func hasClass(n *html.Node, class string, quirks bool) bool {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == "class" && a.Namespace == "" && len(a.Val) >= len(class) && hasWord(a.Val, class, quirks) {
			return true
		}
	}
	return false
}

// hasWord reports whether a list of words, with whitespace between them, has
// one; fold says that the letters' case doesn't count.
func hasWord(list, want string, fold bool) bool {
	for word, rest := nextWord(list); word != ""; word, rest = nextWord(rest) {
		if word == want || fold && equalLetters(word, want) {
			return true
		}
	}
	return false
}

// nextWord cuts the first word off a list of them; "" at its end.
func nextWord(s string) (word, rest string) {
	start := 0
	for start < len(s) && isSpace(s[start]) {
		start++
	}
	end := start
	for end < len(s) && !isSpace(s[end]) {
		end++
	}
	return s[start:end], s[end:]
}
