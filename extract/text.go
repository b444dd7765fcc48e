package extract

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// text returns the text of n as a reader reads it: the rendered text of the
// HTML Standard for a page without style sheets. The match itself counts as
// rendered even where it is hidden or in a hidden part; what is hidden below
// it is left out. Line breaks and no-break spaces at both ends are
// dropped. An element that
// browsers don't render has its text content.
//
// The result is no part of the page's text.
//
// DIVERGES from innerText: what stands for no text, such as an image, does
// not keep the spaces around it apart; a closed details is read as if open.
//
// https://html.spec.whatwg.org/multipage/dom.html#the-innertext-idl-attribute
func (w *work) text(n *html.Node) string {
	return w.render(n, false)
}

// numeral is like text, but puts ^ before a superscript, so that 19 with a
// raised 99 is not read as 1999.
func (w *work) numeral(n *html.Node) string {
	return w.render(n, true)
}

func (w *work) render(top *html.Node, raised bool) string {
	switch {
	case top.Type == html.ElementNode && top.Namespace == "" && top.Data == "title":
		// As document.title: https://html.spec.whatwg.org/multipage/dom.html#document.title
		return strings.Clone(strings.Join(strings.Fields(w.textContent(top)), " "))
	case top.Type == html.ElementNode && isTemplate(top):
		return ""
	case top.Type == html.ElementNode && keepsTextContent(top):
		return w.textContent(top)
	}
	t := textWriter{b: w.rendered[:0], raised: raised, lineStart: true}
	for p := top.Parent; p != nil; p = p.Parent {
		if w.steps--; preserves(p) {
			t.preserved++
		}
	}
	w.renderInto(&t, top)
	w.rendered = t.b
	return t.String()
}

// renderInto writes top and what is below it.
func (w *work) renderInto(t *textWriter, top *html.Node) {
	n := top
	for {
		if w.steps -= 1 + len(n.Data) + attributesCost(n); w.steps < 0 {
			return
		}
		descend := n == top || t.enter(n)
		if n == top && preserves(n) {
			t.preserved++
		}
		if descend && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		if n == top {
			return
		}
		if descend {
			t.leave(n)
		}
		for n.NextSibling == nil {
			if n = n.Parent; n == top {
				return
			}
			t.leave(n)
		}
		n = n.NextSibling
	}
}

// textContent returns the text of all that is below n.
//
// https://dom.spec.whatwg.org/#concept-descendant-text-content
func (w *work) textContent(n *html.Node) string {
	var b strings.Builder
	for c := range nodesBelow(n) {
		if w.steps -= 1 + len(c.Data); w.steps < 0 {
			break
		}
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// textWriter collects rendered text.
type textWriter struct {
	b         []byte
	breaks    int  // required line break count of the boundary crossed since the last text
	space     bool // a collapsible space waits for text
	lineStart bool // collapsible spaces are dropped
	preserved int  // how many ancestors preserve whitespace
	raised    bool // mark superscripts
}

// enter begins a node and reports whether it is rendered.
func (t *textWriter) enter(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		if t.preserved > 0 {
			t.write(n.Data)
		} else {
			t.collapse(n.Data)
		}
		return true
	case html.ElementNode:
	default:
		return false
	}
	if hidden(n) {
		return false
	}
	if preserves(n) {
		t.preserved++
	}
	switch n.Data {
	case "br":
		t.literal("\n")
	case "sup":
		if t.raised {
			t.space = false
			t.write("^")
		}
	default:
		t.boundary(lineBreaks(n))
	}
	return true
}

// leave ends a node that was entered.
func (t *textWriter) leave(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	if preserves(n) {
		t.preserved--
	}
	switch n.Data {
	case "td", "th":
		if followedBy(n.NextSibling, "td", "th") {
			t.literal("\t")
		}
	case "tr":
		if !lastRow(n) {
			t.literal("\n")
		}
	case "sup":
		t.space = t.space || t.raised
	default:
		t.boundary(lineBreaks(n))
	}
}

// boundary is the edge of a block: the largest of those between two pieces
// of text is the number of line breaks.
func (t *textWriter) boundary(breaks int) {
	if breaks > 0 {
		t.breaks = max(t.breaks, breaks)
		t.space, t.lineStart = false, true
	}
}

// literal writes a break that always shows and swallows the spaces around it.
func (t *textWriter) literal(s string) {
	t.space = false
	t.write(s)
	t.lineStart = true
}

// write writes s as it is.
func (t *textWriter) write(s string) {
	if s == "" {
		return
	}
	if t.breaks > 0 && len(t.b) > 0 {
		for range t.breaks {
			t.b = append(t.b, '\n')
		}
	}
	if t.space {
		t.b = append(t.b, ' ')
	}
	t.breaks, t.space, t.lineStart = 0, false, false
	t.b = append(t.b, s...)
}

// collapse writes s with each run of whitespace as one space, none at the
// ends of a line.
func (t *textWriter) collapse(s string) {
	for s != "" {
		words := collapsedRun(s)
		t.write(s[:words])
		s = s[words:]
		spaces := 0
		for spaces < len(s) && isSpace(s[spaces]) {
			spaces++
		}
		if spaces > 0 {
			t.space = t.space || !t.lineStart
			s = s[spaces:]
		}
	}
}

// collapsedRun is the length of the words that s begins with, as far as there
// is one space between them.
func collapsedRun(s string) int {
	i := 0
	for i < len(s) {
		switch {
		case !isSpace(s[i]):
			i++
		case s[i] == ' ' && i > 0 && i+1 < len(s) && !isSpace(s[i+1]):
			i += 2
		default:
			return i
		}
	}
	return i
}

const asciiWhitespace = " \t\n\f\r"

// isSpace tells ASCII whitespace: https://infra.spec.whatwg.org/#ascii-whitespace
func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r'
}

func (t *textWriter) String() string {
	text := bytes.TrimRightFunc(bytes.TrimLeft(t.b, "\n\u00a0"), unicode.IsSpace)
	if len(bytes.TrimSpace(text)) == 0 {
		return ""
	}
	return string(text)
}

// followedBy reports whether n or a following sibling is one of the elements.
func followedBy(n *html.Node, names ...string) bool {
	for ; n != nil; n = n.NextSibling {
		for _, name := range names {
			if n.Type == html.ElementNode && n.Data == name {
				return true
			}
		}
	}
	return false
}

// lastRow reports whether no row follows a tr in its table.
func lastRow(tr *html.Node) bool {
	if followedBy(tr.NextSibling, "tr") {
		return false
	}
	if tr.Parent == nil || tr.Parent.Data == "table" {
		return true
	}
	for group := tr.Parent.NextSibling; group != nil; group = group.NextSibling {
		if group.Data == "tr" || followedBy(group.FirstChild, "tr") {
			return false
		}
	}
	return true
}
