package article

import (
	"strings"

	"golang.org/x/net/html"
)

// sizeOf counts the characters of a text that aren't whitespace.
func sizeOf(s string) int {
	n := 0
	for i := range len(s) {
		if c := s[i]; c > ' ' && c&0xC0 != 0x80 { // the bytes 10xxxxxx go on with a character
			n++
		}
	}
	return n
}

// textSize counts the characters of the text in n that aren't whitespace.
func textSize(n *html.Node) int {
	size := 0
	for c := n; c != nil; {
		next := after
		if c.Type == html.TextNode {
			size += sizeOf(c.Data)
		} else if isSilent(c) {
			next = beyond
		}
		c = next(c, n)
	}
	return size
}

// isSilent tells elements whose text is not read.
func isSilent(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template", "noscript":
		return n.Type == html.ElementNode
	}
	return false
}

// textOf writes what is in n as text.
//
// https://html.spec.whatwg.org/multipage/dom.html#the-innertext-idl-attribute
func textOf(n *html.Node) string {
	w := textWriter{}
	for c, up := n, false; c != nil; {
		if !up {
			w.enter(c)
			if c.FirstChild != nil && !isSilent(c) {
				c = c.FirstChild
				continue
			}
		}
		w.leave(c)
		switch {
		case c == n:
			c = nil
		case c.NextSibling != nil:
			c, up = c.NextSibling, false
		default:
			c, up = c.Parent, true
		}
	}
	return w.b.String()
}

// textWriter collapses whitespace and keeps line breaks until text follows.
type textWriter struct {
	b      strings.Builder
	breaks int
	space  bool
	pre    int // how many elements around preserve whitespace
}

func (w *textWriter) enter(n *html.Node) {
	if n.Type == html.TextNode {
		w.write(n.Data)
		return
	}
	w.breaks = max(w.breaks, breaksAround(n.Data))
	switch n.Data {
	case "br":
		w.breaks = min(w.breaks+1, 2)
	case "td", "th":
		w.space = true
	case "pre":
		w.pre++
	}
}

func (w *textWriter) leave(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	w.breaks = max(w.breaks, breaksAround(n.Data))
	if n.Data == "pre" {
		w.pre--
	}
}

func (w *textWriter) write(s string) {
	if w.pre > 0 && strings.TrimSpace(s) != "" {
		w.separate()
		w.b.WriteString(strings.Trim(s, "\n"))
		if strings.HasSuffix(s, "\n") {
			w.breaks = max(w.breaks, 1)
		}
		return
	}
	for s != "" {
		i := 0
		for i < len(s) && !isSpace(s[i]) {
			i++
		}
		if i > 0 {
			w.separate()
			w.b.WriteString(s[:i])
		}
		for s = s[i:]; s != "" && isSpace(s[0]); s = s[1:] {
			w.space = true
		}
	}
}

// separate writes what stands between the text so far and the next.
func (w *textWriter) separate() {
	switch {
	case w.b.Len() == 0:
	case w.breaks > 0:
		w.b.WriteString("\n\n"[:w.breaks])
	case w.space:
		w.b.WriteByte(' ')
	}
	w.breaks, w.space = 0, false
}

// isSpace tells ASCII whitespace, https://infra.spec.whatwg.org/#ascii-whitespace
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'
}

// breaksAround is how many line breaks there are around an element at least.
//
// https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3
func breaksAround(name string) int {
	switch name {
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "dl", "table", "figure":
		return 2
	case "address", "article", "aside", "caption", "center", "dd", "details", "dialog", "div", "dt", "fieldset",
		"figcaption", "footer", "form", "header", "hr", "legend", "li", "main", "nav", "option", "section", "summary", "tr":
		return 1
	}
	return 0
}
