package htmlparse

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// checkTree checks that the links of a tree agree with each other, and its nodes with their types.
func checkTree(t testing.TB, root *html.Node) {
	t.Helper()
	if root.Parent != nil || root.PrevSibling != nil || root.NextSibling != nil {
		t.Errorf("the root has a parent or siblings")
	}
	for n := root; n != nil; n = nextWithin(n, root) {
		checkLinks(t, n)
		checkNode(t, n)
		if t.Failed() {
			return
		}
	}
}

func checkLinks(t testing.TB, n *html.Node) {
	t.Helper()
	if (n.FirstChild == nil) != (n.LastChild == nil) {
		t.Errorf("%q has a first or a last child alone", n.Data)
	}
	var previous *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Parent != n {
			t.Errorf("%q: the parent of its child %q is another", n.Data, c.Data)
		}
		if c.PrevSibling != previous {
			t.Errorf("%q: what precedes its child %q is another", n.Data, c.Data)
		}
		previous = c
	}
	if previous != n.LastChild {
		t.Errorf("%q: its last child is another", n.Data)
	}
}

func checkNode(t testing.TB, n *html.Node) {
	t.Helper()
	switch n.Type {
	case html.ElementNode:
		checkElement(t, n)
	case html.TextNode:
		if n.Data == "" {
			t.Errorf("an empty text in %q", n.Parent.Data)
		}
	case html.DocumentNode, html.DoctypeNode:
		if n.Type == html.DocumentNode && n.Parent != nil {
			t.Errorf("a document in %q", n.Parent.Data)
		}
	case html.CommentNode, ProcessingInstructionNode:
	default:
		t.Errorf("a node of type %v", n.Type)
	}
	if n.Type != html.ElementNode && n.Type != html.DocumentNode && n.FirstChild != nil {
		t.Errorf("a node of type %v has children", n.Type)
	}
}

func checkElement(t testing.TB, n *html.Node) {
	t.Helper()
	if n.DataAtom != rareAtom(n.Data) {
		t.Errorf("element %q has the atom %q", n.Data, n.DataAtom)
	}
	switch n.Namespace {
	case "", "svg", "math":
	default:
		t.Errorf("element %q has the namespace %q", n.Data, n.Namespace)
	}
	if n.Namespace == "" && strings.ToLower(n.Data) != n.Data && asciiLower(n.Data) != n.Data {
		t.Errorf("element %q is not in lower case", n.Data)
	}
	names := map[[2]string]bool{}
	for _, a := range n.Attr {
		if names[[2]string{a.Namespace, a.Key}] {
			t.Errorf("element %q has two attributes %q", n.Data, a.Key)
		}
		names[[2]string{a.Namespace, a.Key}] = true
	}
}

func TestTreeInvariants(t *testing.T) {
	eachTreeCase(t, func(t *testing.T, c *treeCase, scripting bool) {
		checkTree(t, c.parse(&Options{Scripting: scripting}))
	})
}
