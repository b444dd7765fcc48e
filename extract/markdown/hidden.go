package markdown

import (
	"strings"

	"golang.org/x/net/html"
)

// hidden reports whether a reader sees nothing of an element.
//
// https://html.spec.whatwg.org/multipage/rendering.html#hidden-elements
func hidden(n *html.Node) bool { return unrendered(n) || hiddenByAttribute(n) }

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

func hiddenByAttribute(n *html.Node) bool {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "hidden":
			if !strings.EqualFold(a.Val, "until-found") {
				return true
			}
		case "style":
			if hiddenByStyle(a.Val) {
				return true
			}
		}
	}
	return false
}

// hiddenByStyle reads the two declarations that a style attribute hides text
// with.
func hiddenByStyle(style string) bool {
	if !strings.Contains(style, ":") {
		return false
	}
	for declaration := range strings.SplitSeq(style, ";") {
		property, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(value, "!")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(property)) {
		case "display":
			if strings.EqualFold(value, "none") {
				return true
			}
		case "visibility":
			if strings.EqualFold(value, "hidden") || strings.EqualFold(value, "collapse") {
				return true
			}
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
