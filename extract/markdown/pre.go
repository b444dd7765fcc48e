package markdown

import (
	"strings"

	"golang.org/x/net/html"
)

// pre renders preformatted text: a code block; in a cell, a code span for
// each line; where it holds what no code has, paragraphs.
//
// https://html.spec.whatwg.org/multipage/grouping-content.html#the-pre-element
func (w *walker) pre(n *html.Node) {
	w.flush()
	switch {
	case w.lineFeeds:
		w.flow(n)
		return
	case holdsFlow(n):
		w.lineFeeds = true
		w.flow(n)
		w.lineFeeds = false
		return
	case w.cell:
		w.codeLines(preText(n))
		return
	}
	if text := preText(n); strings.TrimSpace(text) != "" {
		w.add(block{kind: code, text: text, language: language(n)})
	}
}

// codeLines renders each line as a code span.
func (w *walker) codeLines(text string) {
	f := w.format
	f.marks |= codeSpan
	for s := range strings.SplitSeq(text, "\n") {
		if s = strings.TrimRight(s, asciiWhitespace); s != "" {
			w.line.literal(strings.ReplaceAll(s, "\f", " "), f)
		}
		w.line.waitBreak(w.format)
	}
	w.flush()
}

const asciiWhitespace = " \t\n\f\r"

// holdsFlow reports whether there is something in a pre that a code block
// would lose.
func holdsFlow(pre *html.Node) bool {
	for n := pre.FirstChild; n != nil; n = following(n, pre) {
		if n.Type != html.ElementNode || n.Namespace != "" {
			continue
		}
		switch n.Data {
		case "img", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "audio", "embed",
			"iframe", "object", "video":
			return true
		}
	}
	return false
}

// preText returns the text below n as it stands, with line feeds at the edges
// of blocks, without those at the end.
func preText(pre *html.Node) string {
	var p preWriter
	n := pre.FirstChild
	for n != nil {
		if p.enter(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		p.edge(n)
		for n.NextSibling == nil {
			if n = n.Parent; n == pre || n == nil {
				return p.text()
			}
			p.edge(n)
		}
		n = n.NextSibling
	}
	return p.text()
}

// following returns the node below top that comes after n in the document.
func following(n, top *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n.NextSibling == nil {
		if n = n.Parent; n == top || n == nil {
			return nil
		}
	}
	return n.NextSibling
}

type preWriter struct{ b strings.Builder }

// text is what was collected, without the line feeds around.
func (p *preWriter) text() string {
	return strings.TrimRight(strings.TrimLeft(strings.ReplaceAll(p.b.String(), "\r", "\n"), "\n"), asciiWhitespace)
}

func (p *preWriter) enter(n *html.Node) bool {
	switch {
	case n.Type == html.TextNode:
		p.b.WriteString(n.Data)
		return false
	case n.Type != html.ElementNode || hidden(n):
		return false
	case n.Namespace == "" && n.Data == "br":
		p.b.WriteByte('\n')
	}
	p.edge(n)
	return true
}

// edge ends the line at the edge of a block.
func (p *preWriter) edge(n *html.Node) {
	if s := p.b.String(); n.Type == html.ElementNode && isBlock(n) && s != "" && s[len(s)-1] != '\n' {
		p.b.WriteByte('\n')
	}
}

// language returns the language that the class of a pre, or of the code in
// it, names.
//
// https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-code-element
func language(pre *html.Node) string {
	if s := languageOf(pre); s != "" {
		return s
	}
	for c := pre.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "code" {
			return languageOf(c)
		}
	}
	return ""
}

func languageOf(n *html.Node) string {
	class, _ := attr(n, "class")
	for name := range strings.FieldsSeq(class) {
		for _, prefix := range []string{"language-", "lang-"} {
			if s, ok := strings.CutPrefix(name, prefix); ok && isLanguage(s) {
				return s
			}
		}
	}
	return ""
}

// isLanguage tells names that need no escape in an info string.
func isLanguage(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && !strings.ContainsRune("+#.-_", rune(c)) {
			return false
		}
	}
	return 0 < len(s) && len(s) <= 40
}

func isAlnum(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }
