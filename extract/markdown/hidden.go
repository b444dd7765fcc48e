package markdown

import (
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/internal/rendering"
)

// hidden reports whether a reader sees nothing of an element.
//
// https://html.spec.whatwg.org/multipage/rendering.html#hidden-elements
func hidden(n *html.Node) bool { return unrendered(n) || rendering.HiddenByAttribute(n) }

// unrendered tells the elements that are never shown as text, and controls,
// which hold what a user may enter.
func unrendered(n *html.Node) bool {
	switch n.Namespace {
	case "svg":
		switch n.Data {
		case "defs", "desc", "metadata", "script", "style", "symbol", "title":
			return true
		}
	case "math":
		return n.Data == "annotation" || n.Data == "annotation-xml"
	default:
		switch n.Data {
		case "area", "base", "basefont", "datalist", "head", "link", "meta", "noembed", "noframes", "noscript",
			"param", "script", "source", "style", "template", "title", "track":
			return true
		case "button", "canvas", "input", "keygen", "meter", "optgroup", "option", "progress", "select", "textarea":
			return true
		case "dialog":
			_, open := attr(n, "open")
			return !open
		}
	}
	return false
}

// attr returns an attribute of n by its name.
func attr(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Namespace == "" && a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}
