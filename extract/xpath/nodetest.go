package xpath

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// nodeTest is what a step says of its nodes beside predicates.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#node-tests
type nodeTest struct {
	is        testKind
	name      string // exactly so
	lower     string // as names of HTML elements and their attributes are written
	namespace string // as package html names it; "html": none
	bound     bool   // only in namespace
	attr      bool   // names are those of attributes, not of elements
}

type testKind uint8

const (
	isName testKind = iota
	isAnyName
	isNode
	isParent // a node that holds others, where no more is asked for
	isText
	isComment
	isInstruction      // processing-instruction()
	isInstructionNamed // processing-instruction('name')
)

// prefixes are the namespaces that names can be bound to. Attributes of HTML
// elements have none, whatever their names begin with; xml:lang is there as
// people mean it.
var prefixes = []string{"html", "svg", "math", "xlink", "xml"}

// namespaceURIs are the namespaces as the world names them.
//
// https://infra.spec.whatwg.org/#namespaces
var namespaceURIs = map[string]string{
	"":      "http://www.w3.org/1999/xhtml",
	"svg":   "http://www.w3.org/2000/svg",
	"math":  "http://www.w3.org/1998/Math/MathML",
	"xlink": "http://www.w3.org/1999/xlink",
	"xml":   "http://www.w3.org/XML/1998/namespace",
}

// matches reports whether a node on an axis passes the test.
func (t *nodeTest) matches(n Node) bool {
	if n.Attr >= 0 {
		return t.matchesAttribute(n)
	}
	switch t.is {
	case isName:
		return n.Type == html.ElementNode && t.namesElement(n.Node)
	case isAnyName:
		return n.Type == html.ElementNode && (!t.bound || t.namespace == elementNamespace(n.Node))
	case isNode:
		return inModel(n.Node)
	case isParent:
		return firstChild(n.Node) != nil
	case isText:
		return n.Type == html.TextNode
	case isComment:
		return n.Type == html.CommentNode
	case isInstruction:
		return n.Type == htmlparse.ProcessingInstructionNode
	}
	return n.Type == htmlparse.ProcessingInstructionNode && n.Data == t.name
}

func (t *nodeTest) namesElement(n *html.Node) bool {
	if t.bound && t.namespace != elementNamespace(n) {
		return false
	}
	if n.Namespace == "" {
		return n.Data == t.lower
	}
	return n.Data == t.name
}

func elementNamespace(n *html.Node) string {
	if n.Namespace == "" {
		return "html"
	}
	return n.Namespace
}

// matchesAttribute is matches for attributes. On axes other than their own,
// which hold them where they are the context node, names are those of elements.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#attribute-nodes
func (t *nodeTest) matchesAttribute(n Node) bool {
	a := n.attribute()
	if declares(n.Node, a) {
		return false
	}
	switch t.is {
	case isName:
		return t.attr && t.namesAttribute(n.Node, a)
	case isAnyName:
		return t.attr && (!t.bound || a.Namespace == t.namespace || t.hasXMLPrefix(a))
	}
	return t.is == isNode
}

// declares tells the attributes of foreign elements that are declarations of
// namespaces, which XPath doesn't count among attributes.
//
// https://html.spec.whatwg.org/multipage/parsing.html#adjust-foreign-attributes
func declares(n *html.Node, a *html.Attribute) bool {
	return a.Namespace == "xmlns" || n.Namespace != "" && a.Namespace == "" && a.Key == "xmlns"
}

func (t *nodeTest) namesAttribute(n *html.Node, a *html.Attribute) bool {
	name := t.name
	if n.Namespace == "" {
		name = t.lower
	}
	if !t.bound {
		return a.Key == name && a.Namespace == ""
	}
	return a.Namespace == t.namespace && a.Key == name || t.hasXMLPrefix(a) && a.Key[len("xml:"):] == name
}

func (t *nodeTest) hasXMLPrefix(a *html.Attribute) bool {
	return t.namespace == "xml" && a.Namespace == "" && strings.HasPrefix(a.Key, "xml:")
}

// attribute finds the attribute of an element that the test names.
func (t *nodeTest) attribute(n Node) (Node, bool) {
	if n.Attr >= 0 || n.Type != html.ElementNode {
		return Node{}, false
	}
	for i := range n.Node.Attr {
		if a := &n.Node.Attr[i]; t.namesAttribute(n.Node, a) && !declares(n.Node, a) {
			return Node{n.Node, i}, true
		}
	}
	return Node{}, false
}

// asciiLower lowers A to Z.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
