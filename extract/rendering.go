package extract

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/internal/rendering"
)

// lineBreaks returns how many line breaks an element requires around it: 1
// for a block, 2 for a paragraph, 0 for what stands in the line.
//
// https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3
func lineBreaks(n *html.Node) int {
	if n.Namespace != "" {
		return 0
	}
	switch n.Data {
	case "p":
		return 2
	case "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
		"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4",
		"h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol",
		"optgroup", "option", "plaintext", "pre", "search", "section", "summary", "table", "ul", "xmp":
		return 1
	}
	return 0
}

// preserves reports whether whitespace below n is kept.
func preserves(n *html.Node) bool {
	switch n.Data {
	case "pre", "listing", "plaintext", "xmp":
		return n.Type == html.ElementNode && n.Namespace == ""
	}
	return false
}

// keepsTextContent tells the elements that are not rendered as text, but
// whose text is wanted where they are the match.
func keepsTextContent(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "textarea", "iframe", "noembed", "noframes":
		return n.Namespace == "" || n.Namespace == "svg"
	}
	return false
}

// hidden reports whether a reader doesn't see the text of an element: it is
// not rendered, hidden by an attribute, or replaced by something that is no
// text. A noscript is what only readers without scripts see.
//
// https://html.spec.whatwg.org/multipage/rendering.html#hidden-elements
func hidden(n *html.Node) bool {
	switch n.Namespace {
	case "svg":
		switch n.Data {
		case "defs", "desc", "metadata", "script", "style", "symbol", "title":
			return true
		}
	case "math":
		if n.Data == "annotation" || n.Data == "annotation-xml" {
			return true
		}
	default:
		switch n.Data {
		case "area", "base", "basefont", "datalist", "head", "link", "meta", "noembed", "noframes", "noscript", "param",
			"rp", "script", "source", "style", "template", "title", "track":
			return true
		case "audio", "canvas", "embed", "iframe", "img", "input", "object", "textarea", "video":
			return true
		case "dialog":
			if !hasAttr(n, "open") {
				return true
			}
		}
	}
	return rendering.HiddenByAttribute(n)
}

func hasAttr(n *html.Node, name string) bool {
	_, ok := attr(n, name)
	return ok
}

// attr returns an attribute of n by its name in small letters, that of foreign
// content with its prefix: xlink:href.
func attr(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == name && a.Namespace == "" || n.Namespace != "" && isForeignName(a, name) {
			return a.Val, true
		}
	}
	return "", false
}

// isForeignName reports whether an attribute of a foreign element, which may
// have capitals as in viewBox, is of a name in small letters.
func isForeignName(a *html.Attribute, name string) bool {
	if a.Namespace != "" {
		rest, ok := strings.CutPrefix(name, a.Namespace+":")
		return ok && rest == a.Key
	}
	return equalLetters(a.Key, name)
}
