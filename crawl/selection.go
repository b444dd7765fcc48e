package crawl

import (
	"fmt"
	"sync"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract"
)

// Element is an element of a page, with short ways to what is in it. One
// without a Node is nothing: it has no text, no attributes, nothing below.
type Element struct {
	*html.Node
}

// Select returns the elements of the page that match a CSS selector, in
// document order; none where the page is no HTML. It panics if css is no
// selector.
func (p *PageVisit) Select(css string) []Element { return p.document().Select(css) }

// First returns the first element of the page that matches a CSS selector.
func (p *PageVisit) First(css string) Element { return p.document().First(css) }

func (p *PageVisit) document() Element {
	if p.Document == nil {
		return Element{}
	}
	return Element{p.Document.Root}
}

// Select returns the elements below e that match a CSS selector, in document
// order. It panics if css is no selector.
func (e Element) Select(css string) []Element {
	var found []Element
	e.each(css, func(n Element) bool {
		found = append(found, n)
		return true
	})
	return found
}

// First returns the first element below e that matches a CSS selector.
func (e Element) First(css string) (first Element) {
	e.each(css, func(n Element) bool {
		first = n
		return false
	})
	return first
}

// Text returns the text of e as a reader reads it.
func (e Element) Text() string {
	if e.Node == nil {
		return ""
	}
	return extract.TextOf(e.Node)
}

// Attr returns the value of an attribute, "" where e has none of this name.
func (e Element) Attr(name string) string {
	if e.Node == nil {
		return ""
	}
	value, _ := attribute(e.Node, name)
	return value
}

// each calls yield with the matches until it returns false.
func (e Element) each(css string, yield func(Element) bool) {
	sel := selectors.get(css)
	if e.Node == nil {
		return
	}
	sel.Each(e.Node, func(n *html.Node) bool { return yield(Element{n}) }) // as far as it gets on a hostile page
}

// selectors remembers the selectors of the program's hooks, so that each is
// compiled once.
var selectors selectorCache

type selectorCache struct {
	mu       sync.RWMutex
	compiled map[string]*extract.Selector
}

// maxSelectors bounds the cache for programs that make selectors of what they
// find on pages.
const maxSelectors = 1000

func (c *selectorCache) get(css string) *extract.Selector {
	c.mu.RLock()
	sel, ok := c.compiled[css]
	c.mu.RUnlock()
	if ok {
		return sel
	}
	sel, err := extract.ParseSelector(css)
	if err != nil {
		panic(fmt.Sprintf("selector %q: %v", css, err))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compiled == nil || len(c.compiled) >= maxSelectors {
		c.compiled = map[string]*extract.Selector{}
	}
	c.compiled[css] = sel
	return sel
}
