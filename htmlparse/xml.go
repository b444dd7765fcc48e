package htmlparse

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// RenderXML writes n and what it contains as XML in UTF-8, coerced as
// CoerceInfoset does, with the namespace declarations that it needs. Elements
// that are void in HTML are written as <br />, others that are empty with both
// tags, so that HTML parsers read it too. Of opts, which may be nil, Children
// and MaxBytes count. A node with raw HTML can't be written and is an error.
func RenderXML(w io.Writer, n *html.Node, opts *RenderOptions) error {
	if opts == nil {
		opts = &RenderOptions{}
	}
	r := &xmlRenderer{out: newLimitedWriter(w, opts.MaxBytes)}
	err := walk(n, r.enter, r.leave, func(m *html.Node) bool { return m != n || !opts.Children })
	if closeErr := r.out.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("htmlparse: render XML: %w", err)
	}
	return nil
}

type xmlRenderer struct {
	out  *limitedWriter
	open []xmlElement // the elements that have no end tag yet
}

type xmlElement struct {
	name, namespace string
}

// xmlNamespaces are the namespaces by the names that x/net/html has for them.
// https://infra.spec.whatwg.org/#namespaces
var xmlNamespaces = map[string]string{
	"":      "http://www.w3.org/1999/xhtml",
	"math":  "http://www.w3.org/1998/Math/MathML",
	"svg":   "http://www.w3.org/2000/svg",
	"xlink": "http://www.w3.org/1999/xlink",
}

var (
	xmlTextEscapes      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	xmlAttributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
		"\t", "&#9;", "\n", "&#10;", "\r", "&#13;")
)

// enter writes what stands before a node's children.
func (r *xmlRenderer) enter(n *html.Node) (descend bool, err error) {
	c := infosetNode(n)
	switch n.Type {
	case html.DocumentNode:
	case html.ElementNode:
		r.startTag(n, c)
		if isVoid(n) {
			r.out.write(" />")
			return false, r.out.err
		}
		r.out.write(">")
		r.open = append(r.open, xmlElement{c.Data, c.Namespace})
	case html.TextNode:
		r.out.replace(xmlTextEscapes, c.Data)
	case html.CommentNode:
		r.out.write("<!--", c.Data, "-->")
	case html.DoctypeNode:
		r.doctype(c)
	case ProcessingInstructionNode:
		r.out.write("<?", c.Data, " ", instructionData(c), "?>")
	default:
		return false, fmt.Errorf("node of type %d", n.Type)
	}
	return true, r.out.err
}

// leave writes what stands behind a node's children.
func (r *xmlRenderer) leave(n *html.Node) {
	if n.Type != html.ElementNode || isVoid(n) {
		return
	}
	last := len(r.open) - 1
	r.out.write("</", r.open[last].name, ">")
	r.open = r.open[:last]
}

// startTag writes the start tag of n, whose coerced copy is c, up to its ">".
func (r *xmlRenderer) startTag(n, c *html.Node) {
	r.out.write("<", c.Data)
	if len(r.open) == 0 || r.open[len(r.open)-1].namespace != n.Namespace {
		r.out.write(` xmlns="`)
		r.out.replace(xmlAttributeEscapes, xmlNamespace(n.Namespace))
		r.out.write(`"`)
	}
	var declared []string
	for _, a := range c.Attr {
		r.out.write(" ")
		if a.Namespace != "" {
			prefix := infosetName(a.Namespace)
			if prefix != "xml" && !slices.Contains(declared, prefix) {
				r.out.write("xmlns:", prefix, `="`)
				r.out.replace(xmlAttributeEscapes, xmlNamespace(a.Namespace))
				r.out.write(`" `)
				declared = append(declared, prefix)
			}
			r.out.write(prefix, ":")
		}
		r.out.write(a.Key, `="`)
		r.out.replace(xmlAttributeEscapes, a.Val)
		r.out.write(`"`)
	}
}

// xmlNamespace returns the namespace that x/net/html calls name. Other names
// are not the parser's and stand for themselves.
func xmlNamespace(name string) string {
	if ns, ok := xmlNamespaces[name]; ok {
		return ns
	}
	return infosetText(name)
}

// doctype writes identifiers only where XML can have them: a public one needs
// a system one beside it and has fewer characters.
func (r *xmlRenderer) doctype(c *html.Node) {
	public, hasPublic := lookupAttribute(c, "public")
	system, hasSystem := lookupAttribute(c, "system")
	r.out.write("<!DOCTYPE ", c.Data)
	if hasSystem && !(strings.Contains(system, `"`) && strings.Contains(system, "'")) && !hasMarkup(system) {
		switch {
		case !hasPublic:
			r.out.write(" SYSTEM ", quoteIdentifier(system))
		case isXMLPublicIdentifier(public):
			r.out.write(` PUBLIC "`, public, `" `, quoteIdentifier(system))
		}
	}
	r.out.write(">")
}

// hasMarkup reports whether an identifier has characters that simple XML
// readers count brackets by.
func hasMarkup(id string) bool { return strings.ContainsAny(id, "<>[]") }

// https://www.w3.org/TR/xml/#NT-PubidChar
func isXMLPublicIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isASCIIAlpha(c) && (c < '0' || c > '9') && strings.IndexByte(" \r\n-'()+,./:=?;!*#@$_%", c) < 0 {
			return false
		}
	}
	return true
}
