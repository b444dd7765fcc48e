// Package rendering knows what of the HTML Standard's rendering can be told
// without style sheets.
package rendering

import (
	"slices"
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

// hiddenByStyle reads the two declarations that a style attribute hides
// text with. Of several of the same property the last one counts, or the last
// important one.
//
// https://drafts.csswg.org/css-cascade-5/#cascade-sort
func hiddenByStyle(style string) bool {
	if !strings.Contains(style, ":") {
		return false
	}
	var display, visibility declared
	for declaration := range strings.SplitSeq(style, ";") {
		property, value, _ := strings.Cut(declaration, ":")
		switch property = strings.TrimSpace(property); {
		case strings.EqualFold(property, "display"):
			display.set(value, "none")
		case strings.EqualFold(property, "visibility"):
			visibility.set(value, "hidden", "collapse")
		}
	}
	return display.hides || visibility.hides
}

// declared is what the declarations of a property come to.
type declared struct {
	hides, important bool
}

// set takes a declaration in; hiding are the values that hide.
func (d *declared) set(value string, hiding ...string) {
	value, priority, _ := strings.Cut(value, "!")
	important := strings.EqualFold(strings.TrimSpace(priority), "important")
	if d.important && !important {
		return
	}
	value = strings.TrimSpace(value)
	d.important = important
	d.hides = slices.ContainsFunc(hiding, func(s string) bool { return strings.EqualFold(s, value) })
}
