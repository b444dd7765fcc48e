package learn

import (
	"net/url"
	"slices"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/weburl"
)

// index is a page as a list of its elements in document order. An element is
// named by its position there. The contents of templates are left out.
type index struct {
	page     extract.Page
	base     weburl.URL // relative URLs start from it
	elements []element
	having   map[feature][]int32 // the elements that have a feature, in order
	matched  map[string][]int32  // those that a compound selector matches, by its CSS
	counted  bool                // nth and same of the elements are known
	steps    int                 // elements compared so far
}

// element is one of a page.
type element struct {
	node   *html.Node
	parent int32 // -1: none
	end    int32 // the first element that is not within this one
	nth    int32 // its place among its siblings of the same name, from 1
	same   int32 // how many those are
	text   digest
	hidden bool // its text is not that of its parent
	region region
}

// feature is what a simple selector selects by.
type feature struct {
	kind  kind
	name  string // of the attribute, the element or the class
	value string // of an attribute
}

type kind uint8

const (
	byTag kind = iota
	byID
	byClass
	byAttr  // name and value
	hasAttr // name
	byStart // start of a class: see beforeHash
)

// newIndex reads a page.
func newIndex(p Page) *index {
	ix := &index{page: extract.Page{Root: p.Root}, having: map[feature][]int32{}, matched: map[string][]int32{}}
	if u, err := url.Parse(p.URL); err == nil && p.URL != "" {
		ix.page.URL = u
	}
	ix.list()
	ix.digests()
	ix.regions()
	for i := range ix.elements {
		ix.features(int32(i))
	}
	ix.base, _ = weburl.Parse(p.URL)
	for _, i := range ix.having[feature{byTag, "base", ""}] {
		if href, ok := attr(ix.elements[i].node, "href"); ok {
			if u, err := ix.base.Resolve(href); err == nil {
				ix.base = u
			}
			break
		}
	}
	return ix
}

// list fills the elements.
func (ix *index) list() {
	top := ix.page.Root
	parent := int32(-1)
	up := func() {
		ix.elements[parent].end = int32(len(ix.elements))
		parent = ix.elements[parent].parent
	}
	for n := top.FirstChild; n != nil; {
		if n.Type == html.ElementNode {
			at := int32(len(ix.elements))
			ix.elements = append(ix.elements, element{node: n, parent: parent, end: at + 1})
			if n.FirstChild != nil && !isTemplate(n) {
				parent, n = at, n.FirstChild
				continue
			}
		}
		for n.NextSibling == nil {
			if n = n.Parent; n == top || n == nil {
				for parent >= 0 {
					up()
				}
				return
			}
			up()
		}
		n = n.NextSibling
	}
}

// count finds the place of each element among its siblings of the same name.
// Few pages need it.
func (ix *index) count() {
	if ix.counted {
		return
	}
	ix.counted = true
	type siblings struct {
		parent int32
		name   string
	}
	counts := map[siblings]int32{}
	for i := range ix.elements {
		e := &ix.elements[i]
		of := siblings{e.parent, e.node.Data}
		counts[of]++
		e.nth = counts[of]
	}
	for i := range ix.elements {
		e := &ix.elements[i]
		e.same = counts[siblings{e.parent, e.node.Data}]
	}
}

// digests reads the texts, those of the children before those of their parents.
func (ix *index) digests() {
	for i := len(ix.elements) - 1; i >= 0; i-- {
		e := &ix.elements[i]
		e.hidden = hidden(e.node)
		e.text = emptyDigest
		if isTemplate(e.node) || isCode(e.node) {
			continue
		}
		child := int32(i + 1)
		for c := e.node.FirstChild; c != nil; c = c.NextSibling {
			switch c.Type {
			case html.TextNode:
				e.text = e.text.plus(digestOf(c.Data))
			case html.ElementNode:
				if !ix.elements[child].hidden {
					e.text = e.text.plus(ix.elements[child].text)
				}
				child = ix.elements[child].end
			}
		}
	}
}

// features notes what element i can be selected by.
func (ix *index) features(i int32) {
	n := ix.elements[i].node
	ix.note(i, feature{byTag, n.Data, ""})
	for k := range n.Attr {
		switch a := &n.Attr[k]; {
		case a.Namespace != "":
		case a.Key == "id":
			ix.note(i, feature{byID, a.Val, ""})
		case a.Key == "class":
			for _, class := range classes(n) {
				ix.note(i, feature{byClass, class, ""})
				if start, ok := beforeHash(class); ok {
					ix.note(i, feature{byStart, start, ""})
				}
			}
		case isHold(a.Key):
			ix.note(i, feature{hasAttr, a.Key, ""})
			if len(a.Val) <= maxHeldValue {
				ix.note(i, feature{byAttr, a.Key, a.Val})
			}
		}
	}
}

func (ix *index) note(i int32, f feature) {
	list := ix.having[f]
	if k := len(list); k > 0 && list[k-1] == i { // a class that is written twice
		return
	}
	ix.having[f] = append(list, i)
}

// scope is a part of a page that selectors are looked up in.
type scope struct {
	*index
	item     int32 // the element whose descendants they are; -1: the document
	from, to int32
}

// document returns the whole page.
func (ix *index) document() scope { return scope{ix, -1, 0, int32(len(ix.elements))} }

// within returns what is within element i.
func (ix *index) within(i int32) scope { return scope{ix, i, i + 1, ix.elements[i].end} }

// cut returns those of a sorted list that are in the scope.
func (s scope) cut(list []int32) []int32 {
	from, _ := slices.BinarySearch(list, s.from)
	to, _ := slices.BinarySearch(list, s.to)
	return list[from:to]
}

// similarity compares what two pages are built of, from 0 to 1: the ids and
// classes that both have among those that either has. Pages without any are
// compared by the names of their elements.
func similarity(a, b *index) float64 {
	if one, all := common(a, b, byID, byClass); all > 0 {
		return float64(one) / float64(all)
	}
	one, all := common(a, b, byTag, byTag)
	return float64(one) / float64(max(1, all))
}

// sameKind is the similarity from which two pages are of one kind.
const sameKind = 0.5

func common(a, b *index, kinds ...kind) (both, either int) {
	counts := func(f feature) bool {
		return slices.Contains(kinds, f.kind) && (f.kind == byTag || stability(f.name) > 0)
	}
	for f := range a.having {
		if counts(f) {
			either++
			if len(b.having[f]) > 0 {
				both++
			}
		}
	}
	for f := range b.having {
		if counts(f) && len(a.having[f]) == 0 {
			either++
		}
	}
	return both, either
}
