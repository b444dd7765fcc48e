package article

import (
	"strings"

	"golang.org/x/net/html"
)

// kinds tells elements that are no part of an article.
type kinds struct {
	names string   // of elements, each in spaces
	words []string // in a class or an id
	share int      // an element with more than this share of the text in percent stays
}

var (
	// unreadable never is an article.
	unreadable = kinds{" footer ", nil, 50}

	// beside is what stands beside or below an article, and is taken for a part of it.
	beside = kinds{"", []string{"breadcrumb", "related", "copyright", "subscri", "newsletter", "author", "rating"}, 25}

	// doubtful is often beside the article, but may be a part of it.
	doubtful = kinds{" nav aside footer form noscript ", []string{
		"banner", "breadcrumb", "comment", "consent", "cookie", "copyright", "foot", "header", "login", "menu", "modal",
		"nav", "newsletter", "pagination", "popup", "promo", "recommend", "related", "search", "share", "sidebar",
		"social", "subscri", "teaser", "widget",
	}, 50}
)

// cut takes the elements of some kinds off a tree, unless they hold much of its text.
func (t *tree) cut(k *kinds) {
	for n := t.root.FirstChild; n != nil; {
		next := after(n, t.root)
		if k.has(n) {
			next = beyond(n, t.root)
			if textSize(n)*100 <= t.text*k.share {
				n.Parent.RemoveChild(n)
			}
		}
		n = next
	}
}

// has reports whether an element is of the kinds.
func (k *kinds) has(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.Data {
	case "html", "head", "body", "main", "article":
		return false
	}
	if strings.Contains(k.names, " "+n.Data+" ") {
		return true
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; (a.Key == "class" || a.Key == "id") && a.Namespace == "" && k.named(a.Val) {
			return true
		}
	}
	return false
}

// named reports whether the value of an attribute has one of the words.
func (k *kinds) named(value string) bool {
	value = strings.ToLower(value[:min(len(value), maxClass)])
	for _, w := range k.words {
		if strings.Contains(value, w) {
			return true
		}
	}
	return false
}

// maxClass is how many bytes of a class are looked at.
const maxClass = 1 << 10

// clean takes the classes off the elements of an article.
func clean(root *html.Node) {
	for n := root; n != nil; n = after(n, root) {
		kept := n.Attr[:0]
		for _, a := range n.Attr {
			if a.Key != "class" {
				kept = append(kept, a)
			}
		}
		n.Attr = kept
	}
}

// after is the node that comes behind n in the order of the tree below root.
//
// https://dom.spec.whatwg.org/#concept-tree-order
func after(n, root *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	return beyond(n, root)
}

// beyond is the node that comes behind n and all that is in it.
func beyond(n, root *html.Node) *html.Node {
	for ; n != nil && n != root; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}
