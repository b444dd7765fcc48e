package htmlparse

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Dump writes a tree in the format of the html5lib tests: a line for each node and attribute, indented by depth.
// Of a document node it writes what is in it. The only errors are those of w.
//
// https://github.com/html5lib/html5lib-tests/blob/master/tree-construction/README.md
func Dump(w io.Writer, n *html.Node) error {
	d := dumper{w: bufio.NewWriter(w)}
	enter := func(n *html.Node) (descend bool, err error) {
		d.node(n)
		d.depth += dumpIndent(n)
		return true, nil
	}
	leave := func(n *html.Node) { d.depth -= dumpIndent(n) }
	wanted := func(n *html.Node) bool { return n.Type != html.DocumentNode }
	if err := walk(n, enter, leave, wanted); err != nil {
		return err
	}
	return d.w.Flush()
}

// dumpIndent is how much deeper the children of a node stand: those of a template are in its contents.
func dumpIndent(n *html.Node) int {
	if isHTMLElement(n, atom.Template) {
		return 2
	}
	return 1
}

type dumper struct {
	w     *bufio.Writer // keeps the first error
	depth int
}

func (d *dumper) line(depth int, parts ...string) {
	d.w.WriteString("| ")
	for range depth {
		d.w.WriteString("  ")
	}
	for _, s := range parts {
		d.w.WriteString(s)
	}
	d.w.WriteByte('\n')
}

func (d *dumper) node(n *html.Node) {
	switch n.Type {
	case html.ElementNode:
		d.element(n)
	case html.TextNode:
		d.line(d.depth, `"`, n.Data, `"`)
	case html.CommentNode:
		d.line(d.depth, "<!-- ", n.Data, " -->")
	case html.DoctypeNode:
		d.doctype(n)
	case ProcessingInstructionNode:
		data, _ := attribute(n.Attr, "data")
		d.line(d.depth, "<?", n.Data, " ", data, ">")
	}
}

func (d *dumper) doctype(n *html.Node) {
	public, _ := attribute(n.Attr, "public")
	system, _ := attribute(n.Attr, "system")
	if public == "" && system == "" {
		d.line(d.depth, "<!DOCTYPE ", n.Data, ">")
		return
	}
	d.line(d.depth, "<!DOCTYPE ", n.Data, ` "`, public, `" "`, system, `">`)
}

func (d *dumper) element(n *html.Node) {
	d.line(d.depth, "<", prefixed(n.Namespace, n.Data), ">")
	attrs := make([]string, len(n.Attr))
	for i, a := range n.Attr {
		attrs[i] = prefixed(a.Namespace, a.Key) + `="` + a.Val + `"`
	}
	slices.SortFunc(attrs, compareUTF16)
	for _, a := range attrs {
		d.line(d.depth+1, a)
	}
	if isHTMLElement(n, atom.Template) {
		d.line(d.depth+1, "content")
	}
}

func prefixed(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + " " + name
}

// compareUTF16 orders strings by their UTF-16 code units.
func compareUTF16(a, b string) int {
	if strings.Compare(a, b) == 0 {
		return 0
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
