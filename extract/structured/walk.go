package structured

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const asciiWhitespace = " \t\n\f\r"

// walk visits root and what is below it in tree order, without recursion and
// without the contents of templates. enter says whether to go on to a node's
// children; leave is called for the nodes where it did.
func walk(root *html.Node, enter func(*html.Node) bool, leave func(*html.Node)) {
	for n := root; ; {
		descend := enter(n)
		if descend && n.FirstChild != nil && !isTemplate(n) {
			n = n.FirstChild
			continue
		}
		if descend {
			leave(n)
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
			leave(n)
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}

// next returns the node after n in tree order below root: its first child if
// descend, nil at the end.
func next(n, root *html.Node, descend bool) *html.Node {
	if descend && n.FirstChild != nil && !isTemplate(n) {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

func isTemplate(n *html.Node) bool {
	return n.Data == "template" && n.Type == html.ElementNode && n.Namespace == ""
}

// isElement reports whether n is an HTML element.
func isElement(n *html.Node) bool { return n.Type == html.ElementNode && n.Namespace == "" }

// attr returns an attribute of an HTML element.
func attr(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == name && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

func hasAttr(n *html.Node, name string) bool {
	_, ok := attr(n, name)
	return ok
}

// tokens returns the tokens of an attribute, copied, each once.
//
// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#set-of-space-separated-tokens
func tokens(n *html.Node, name string) []string {
	s, ok := attr(n, name)
	if !ok {
		return nil
	}
	return unique(splitSpace(s))
}

// splitSpace yields the parts of s between ASCII whitespace.
func splitSpace(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(s, func(r rune) bool { return r < 0x80 && strings.IndexByte(asciiWhitespace, byte(r)) >= 0 })
}

// unique copies strings, each once.
func unique(seq iter.Seq[string]) []string {
	const few = 8 // beyond them a map is faster than a look at each
	var list []string
	var seen map[string]bool
	for s := range seq {
		if len(list) < few {
			if !slices.Contains(list, s) {
				list = append(list, strings.Clone(s))
			}
			continue
		}
		if seen == nil {
			seen = make(map[string]bool)
			for _, s := range list {
				seen[s] = true
			}
		}
		if !seen[s] {
			s = strings.Clone(s)
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}

// text returns the text of all that is below n, without the whitespace around
// it, as far as b reaches.
//
// DIVERGES from the standards of microdata and RDFa, which keep the
// whitespace around a value: nobody means it.
//
// https://dom.spec.whatwg.org/#concept-descendant-text-content
func text(n *html.Node, b *budget) string {
	if only := n.FirstChild; only != nil && only == n.LastChild && only.Type == html.TextNode && !isTemplate(n) {
		if s := strings.Trim(only.Data, asciiWhitespace); b.spend(len(s)) {
			return strings.Clone(s)
		}
		return ""
	}
	var t strings.Builder
	for c := next(n, n, true); c != nil; c = next(c, n, true) {
		if c.Type == html.TextNode {
			if !b.spend(1 + len(c.Data)) {
				break
			}
			t.WriteString(c.Data)
		} else if !b.spend(1) {
			break
		}
	}
	return strings.Trim(t.String(), asciiWhitespace)
}

// collapse strips s and makes each run of ASCII whitespace in it one space.
//
// https://infra.spec.whatwg.org/#strip-and-collapse-ascii-whitespace
func collapse(s string) string {
	var b strings.Builder
	for part := range splitSpace(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

// trimmed copies s without the whitespace around it.
func trimmed(s string) string { return strings.Clone(strings.Trim(s, asciiWhitespace)) }
