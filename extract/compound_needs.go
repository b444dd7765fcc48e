package extract

import (
	"strings"

	"golang.org/x/net/html"
)

// needs are what an element must have to match a compound selector, as far as
// the selector says it in plain names. Most elements lack it, which costs less
// to see than the rest of the selector costs to ask.
//
// https://drafts.csswg.org/selectors-4/#simple
type needs struct {
	tag, id string   // "": any
	classes []string // all of them
	attr    string   // name of an attribute; "": none
}

// readNeeds reads what a compound selector that cascadia understands needs.
// whole says that there is nothing more to it.
func readNeeds(src string) (d needs, whole bool) {
	src = strings.TrimPrefix(src, "*")
	tag, src, ok := plainName(src)
	if !ok {
		return d, false
	}
	d.tag = lowerASCII(tag)
	whole = true
	for src != "" {
		kind := src[0]
		var name string
		if name, src, ok = plainName(src[1:]); !ok || name == "" {
			return d, false
		}
		switch {
		case kind == '.':
			d.classes = append(d.classes, name)
		case kind == '#' && d.id == "":
			d.id = name
		case kind == '[' && requiresAttribute(src):
			whole = false
			d.attr = lowerASCII(name)
			end := strings.IndexAny(src, `]"'\`)
			if end < 0 || src[end] != ']' {
				return d, false
			}
			src = src[end+1:]
		default:
			return d, false
		}
	}
	return d, whole
}

// plainName cuts a name off the front. A name with an escape is not plain.
func plainName(s string) (name, rest string, ok bool) {
	i := 0
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	return s[:i], s[i:], i == len(s) || s[i] != '\\'
}

// requiresAttribute reports whether an attribute selector matches only
// elements that have the attribute, given what follows its name.
func requiresAttribute(rest string) bool {
	return rest != "" && strings.IndexByte("]=~|^$*", rest[0]) >= 0
}

// lowerASCII leaves all but the letters A to Z as they are.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// met reports whether n has the tag, the id and the classes. The attribute is
// left to the rest of the selector, which asks for it anyway.
func (d *needs) met(n *html.Node) bool {
	if d.tag != "" && n.Data != d.tag || d.id != "" && !hasID(n, d.id) {
		return false
	}
	for _, class := range d.classes {
		if !hasClass(n, class) {
			return false
		}
	}
	return true
}

func hasID(n *html.Node, id string) bool {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == "id" && a.Val == id {
			return true
		}
	}
	return false
}

func hasClass(n *html.Node, class string) bool {
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key != "class" || len(a.Val) < len(class) {
			continue
		}
		for word, rest := nextWord(a.Val); word != ""; word, rest = nextWord(rest) {
			if word == class {
				return true
			}
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
