package htmlparse

import (
	"strings"

	"golang.org/x/net/html"
)

// optionalTags says which tags may be left out where a tree is written. Where
// the standard's conditions hold for documents that follow the content models
// alone, and a tree that came out of the parser may not, a tag is kept.
// https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
type optionalTags struct {
	top    *html.Node // is written without what stands around it; nil: only its children are written
	quirks bool
}

func newOptionalTags(n *html.Node, childrenOnly bool) *optionalTags {
	o := &optionalTags{}
	if !childrenOnly && n.Type == html.ElementNode {
		o.top = n
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	if root.Type == html.DocumentNode {
		o.quirks = true
		for c := range root.ChildNodes() {
			if c.Type == html.DoctypeNode {
				o.quirks = nodeMode(c) == Quirks
			}
		}
	}
	return o
}

// omitStart reports whether the start tag of n may be left out.
func (o *optionalTags) omitStart(n *html.Node) bool {
	if n.Namespace != "" || len(n.Attr) > 0 || n == o.top && n.Data != "html" {
		return false
	}
	first := thing(n.FirstChild, nextSibling)
	switch n.Data {
	case "html":
		return !isComment(first) && !startsWithSpace(first)
	case "head":
		return first == nil || first.Type == html.ElementNode
	case "body":
		return !isComment(first) && !startsWithSpace(first) && !goesToHead(first)
	case "colgroup":
		return isHTML(n.Parent, "table") && isHTML(first, "col") &&
			!o.followsOmittedEnd(n, "colgroup")
	case "tbody":
		return isHTML(n.Parent, "table") && isHTML(first, "tr") &&
			!o.followsOmittedEnd(n, "tbody", "thead", "tfoot")
	}
	return false
}

// followsOmittedEnd reports whether n comes right after an element of one of
// these names whose end tag is left out.
func (o *optionalTags) followsOmittedEnd(n *html.Node, names ...string) bool {
	prev := thing(n.PrevSibling, prevSibling)
	return isHTML(prev, names...) && o.omitEnd(prev)
}

// omitEnd reports whether the end tag of n may be left out.
func (o *optionalTags) omitEnd(n *html.Node) bool {
	if n.Namespace != "" || n == o.top && n.Data != "html" {
		return false
	}
	next := thing(n.NextSibling, nextSibling)
	last := next == nil
	switch n.Data {
	case "html", "head", "body":
		return !isComment(next) && !startsWithSpace(next)
	case "li":
		return isHTML(next, "li") || last && endsChildren(n.Parent)
	case "dt":
		return isHTML(next, "dt", "dd")
	case "dd":
		return isHTML(next, "dd", "dt") || last && endsChildren(n.Parent)
	case "p":
		return isHTML(next, endsParagraph...) || isHTML(next, "table") && !o.quirks || last && endsChildren(n.Parent)
	case "rt", "rp":
		return isHTML(next, "rt", "rp") || last
	case "optgroup":
		return isHTML(next, "optgroup", "hr") || last
	case "option":
		return isHTML(next, "option", "optgroup", "hr") || last
	}
	return omitEndInTable(n, next)
}

// omitEndInTable is omitEnd for the parts of tables.
func omitEndInTable(n, next *html.Node) bool {
	last := next == nil
	switch n.Data {
	case "caption":
		// The standard wants no space or comment behind it. Scripts and
		// templates may stand there too, and would become part of it.
		return last || isHTML(next, "colgroup", "thead", "tbody", "tfoot", "tr")
	case "colgroup":
		// A template behind it would become part of it.
		return !isComment(next) && !startsWithSpace(next) && !isHTML(next, "template", "col")
	case "thead":
		return isHTML(next, "tbody", "tfoot")
	case "tbody":
		return isHTML(next, "tbody", "tfoot") || last
	case "tfoot":
		return last
	case "tr":
		return isHTML(next, "tr") || last
	case "td", "th":
		return isHTML(next, "td", "th") || last
	}
	return false
}

// endsParagraph are the elements that end a p before them. A table does too,
// but not in quirks mode.
var endsParagraph = []string{
	"address", "article", "aside", "blockquote", "details", "dialog", "div", "dl", "fieldset", "figcaption",
	"figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "main", "menu",
	"nav", "ol", "p", "pre", "search", "section", "ul",
}

// endsChildren reports whether the end of parent ends a p, li or dd in it
// that has no end tag. The standard says so of all HTML elements but those
// whose content is what their own parent may contain, and custom elements.
// The parser knows it of the elements of flow content alone: in others a p has
// no place, and its end tag is left out only if nothing comes behind it.
func endsChildren(parent *html.Node) bool {
	if parent == nil || parent.Type != html.ElementNode {
		return true
	}
	if parent.Namespace != "" || strings.Contains(parent.Data, "-") {
		return false
	}
	switch parent.Data {
	case "a", "audio", "del", "ins", "map", "noscript", "video":
		return false
	case "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return false // their end tags rearrange what is open in them
	case "address", "applet", "article", "aside", "blockquote", "body", "button", "caption", "center", "dd",
		"details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1",
		"h2", "h3", "h4", "h5", "h6", "header", "hgroup", "li", "listing", "main", "marquee", "menu", "nav",
		"object", "ol", "pre", "search", "section", "summary", "td", "template", "th", "ul":
		return true
	}
	return endsTree(parent)
}

// endsTree reports whether n is the last node of its tree and stands at most
// in body.
func endsTree(n *html.Node) bool {
	for ; n != nil && n.Type == html.ElementNode; n = n.Parent {
		if thing(n.NextSibling, nextSibling) != nil {
			return false
		}
		if p := n.Parent; p != nil && p.Type == html.ElementNode && !isHTML(p, "body", "html") {
			return false
		}
	}
	return true
}

// goesToHead reports whether the parser would put an element that stands
// first in body into head if body had no start tag.
func goesToHead(n *html.Node) bool {
	return isHTML(n, "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style",
		"template", "title")
}

// thing skips nodes that are not seen in the output: empty texts.
func thing(n *html.Node, step func(*html.Node) *html.Node) *html.Node {
	for n != nil && n.Type == html.TextNode && n.Data == "" {
		n = step(n)
	}
	return n
}

func nextSibling(n *html.Node) *html.Node { return n.NextSibling }
func prevSibling(n *html.Node) *html.Node { return n.PrevSibling }

// isHTML reports whether n is an HTML element of one of these names.
func isHTML(n *html.Node, names ...string) bool {
	if n == nil || n.Type != html.ElementNode || n.Namespace != "" {
		return false
	}
	for _, name := range names {
		if n.Data == name {
			return true
		}
	}
	return false
}

// isComment reports whether n is written as a comment, or as what the parser
// treats like one.
func isComment(n *html.Node) bool {
	return n != nil && (n.Type == html.CommentNode || n.Type == ProcessingInstructionNode)
}

func startsWithSpace(n *html.Node) bool {
	return n != nil && n.Type == html.TextNode && isASCIIWhitespace(n.Data[0])
}
