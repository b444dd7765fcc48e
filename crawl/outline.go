package crawl

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/crawl/simhash"
	"github.com/magpie-crawl/magpie/weburl"
)

// Outline is what a page's elements look like, whatever they say: pages of one
// template have nearly the same one.
type Outline struct {
	Pattern string // of URLs that may share a template, see pattern
	Sum     uint64 // simhash of the elements
}

// maxKinds bounds the kinds of elements that are looked at in one page.
const maxKinds = 4096

func outline(u weburl.URL, root *html.Node) *Outline {
	return &Outline{Pattern: pattern(u), Sum: outlineSum(root)}
}

// outlineSum is a simhash of the kinds of elements in a document, where a kind
// is an element's name and classes with those of its parent. Each kind counts
// once: a list of fifty products looks like one of ten.
func outlineSum(root *html.Node) uint64 {
	var b simhash.Builder
	seen := map[uint64]struct{}{}
	for n := range elements(root) {
		kind := elementKind(n)
		if n.Parent != nil && n.Parent.Type == html.ElementNode {
			kind ^= elementKind(n.Parent) * 3
		}
		if _, known := seen[kind]; known {
			continue
		}
		if len(seen) == maxKinds {
			break
		}
		seen[kind] = struct{}{}
		b.AddFeature(kind)
	}
	return b.Sum()
}

// elementKind is a hash of an element's name and classes.
func elementKind(n *html.Node) uint64 {
	kind := simhash.Hash(n.Data)
	if class, has := attribute(n, "class"); has {
		kind ^= simhash.Hash(class) * 5
	}
	return kind
}

// pattern is what URLs have in common that are likely to share a template: the
// origin, the first of several path segments, with its numbers left out, and
// how many others there are: "https://h.test/shop/*/*".
func pattern(u weburl.URL) string {
	segments := strings.Split(strings.TrimPrefix(u.Path(), "/"), "/")
	var b strings.Builder
	b.WriteString(u.Origin())
	for i, s := range segments {
		b.WriteByte('/')
		switch {
		case s == "": // the root, or a slash at the end
		case i > 0 || len(segments) == 1:
			b.WriteByte('*')
		default:
			writeWithoutNumbers(&b, s)
		}
	}
	return b.String()
}

func writeWithoutNumbers(b *strings.Builder, s string) {
	for i := 0; i < len(s); {
		end := numberEnd(s, i)
		if end == i {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteByte('#')
		i = end
	}
}
