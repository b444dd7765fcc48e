package learn

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/internal/rendering"
)

func isTemplate(n *html.Node) bool { return n.Data == "template" && n.Namespace == "" }

// isCode tells the elements whose text is for machines.
func isCode(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

// hidden reports whether a reader doesn't see the text of an element, nearly
// as package extract decides; what differs comes out when a selector is proved.
//
// https://html.spec.whatwg.org/multipage/rendering.html#hidden-elements
func hidden(n *html.Node) bool {
	switch n.Data {
	case "area", "audio", "base", "canvas", "datalist", "defs", "desc", "embed", "head", "iframe", "img", "input", "link",
		"meta", "metadata", "noembed", "noframes", "noscript", "object", "param", "rp", "script", "source", "style",
		"symbol", "template", "textarea", "title", "track", "video":
		return true
	case "dialog":
		if _, open := attr(n, "open"); !open {
			return true
		}
	}
	return rendering.HiddenByAttribute(n)
}

// attr returns an attribute of n.
func attr(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Namespace == "" && n.Attr[i].Key == name {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// maxClasses is how many classes of an element are looked at.
const maxClasses = 40

// classes returns the classes of n, none twice.
func classes(n *html.Node) []string {
	value, _ := attr(n, "class")
	var list []string
	for class := range strings.FieldsSeq(value) {
		if len(list) == maxClasses {
			break
		}
		list = append(list, class)
	}
	return list
}
