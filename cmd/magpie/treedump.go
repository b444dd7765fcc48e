package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// dumpTree writes a tree in the format of the html5lib tests:
// https://github.com/html5lib/html5lib-tests/blob/master/tree-construction/README.md
func dumpTree(b *bufio.Writer, root *html.Node) error {
	depth := -1
	for n, leaving := range walk(root) {
		step := 1
		if n.Type == html.ElementNode && n.Data == "template" && n.Namespace == "" {
			step = 2 // the line "content" stands between
		}
		if leaving {
			depth -= step
			continue
		}
		dumpNode(b, n, strings.Repeat("  ", max(depth, 0)))
		depth += step
	}
	return nil
}

func dumpNode(b *bufio.Writer, n *html.Node, indent string) {
	switch n.Type {
	case html.DoctypeNode:
		fmt.Fprintf(b, "| %s<!DOCTYPE %s%s>\n", indent, n.Data, doctypeIDs(n))
	case html.ElementNode:
		fmt.Fprintf(b, "| %s<%s>\n", indent, prefixed(n.Namespace, n.Data))
		attrs := slices.Clone(n.Attr)
		slices.SortFunc(attrs, func(x, y html.Attribute) int {
			return strings.Compare(prefixed(x.Namespace, x.Key), prefixed(y.Namespace, y.Key))
		})
		for _, attr := range attrs {
			fmt.Fprintf(b, "| %s  %s=\"%s\"\n", indent, prefixed(attr.Namespace, attr.Key), attr.Val)
		}
		if n.Data == "template" && n.Namespace == "" {
			fmt.Fprintf(b, "| %s  content\n", indent)
		}
	case html.TextNode:
		fmt.Fprintf(b, "| %s\"%s\"\n", indent, n.Data)
	case html.CommentNode:
		fmt.Fprintf(b, "| %s<!-- %s -->\n", indent, n.Data)
	}
}

func prefixed(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + " " + name
}

// doctypeIDs writes the public and system identifiers if there is one.
func doctypeIDs(n *html.Node) string {
	if len(n.Attr) == 0 {
		return ""
	}
	ids := map[string]string{}
	for _, attr := range n.Attr {
		ids[attr.Key] = attr.Val
	}
	return fmt.Sprintf(` "%s" "%s"`, ids["public"], ids["system"])
}
