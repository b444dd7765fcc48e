// Package rendering knows what of the HTML Standard's rendering can be told
// without style sheets.
package rendering

import (
	"strings"

	"golang.org/x/net/html"
)

// HiddenByAttribute reports whether an attribute of n hides it: hidden, or a
// style with display: none or visibility: hidden.
//
// https://html.spec.whatwg.org/multipage/rendering.html#hidden-elements
func HiddenByAttribute(n *html.Node) bool {
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
