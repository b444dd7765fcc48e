package structured

import (
	"maps"
	"slices"

	"golang.org/x/net/html"
)

// Microdata returns the top-level items below root, in document order. URLs
// are resolved against base.
//
// https://html.spec.whatwg.org/multipage/microdata.html#json
func Microdata(root *html.Node, base string) []Item {
	items, _ := newPage(root, base).microdataItems()
	return items
}

func (p *page) microdataItems() ([]Item, []Problem) {
	if !p.microdata {
		return nil, nil
	}
	m := microdata{page: p, budget: newBudget(p.size), open: map[*html.Node]bool{}}
	var items []Item
	for n := p.root; n != nil; n = next(n, p.root, true) {
		if isElement(n) && hasAttr(n, "itemscope") && !hasAttr(n, "itemprop") {
			if !m.budget.spend(itemCost) {
				break
			}
			item, _ := m.item(n)
			items = append(items, *item)
		}
	}
	return items, m.budget.problems("microdata")
}

// microdata reads items.
type microdata struct {
	page   *page
	budget budget
	open   map[*html.Node]bool // the items that the one being read is nested in

	// What itemref needs, made when it is met first.
	ids   map[string]*html.Node // the first element of each ID
	order map[*html.Node]int    // places of elements in the tree
}

// item reads the item that an element makes, and what it costs to write it.
//
// https://html.spec.whatwg.org/multipage/microdata.html#get-the-object
func (m *microdata) item(n *html.Node) (item *Item, cost int) {
	m.open[n] = true
	defer delete(m.open, n)
	id, _ := attr(n, "itemid")
	item = &Item{Type: m.tokens(n, "itemtype"), ID: m.page.urls.resolve(id, &m.budget), Properties: map[string][]any{}}
	cost = itemCost + len(item.ID)
	for _, t := range item.Type {
		cost += len(t) + stringCost
	}
	for _, property := range m.properties(n) {
		names := m.tokens(property, "itemprop")
		if len(names) == 0 {
			continue
		}
		if v, valueCost, ok := m.value(property); ok {
			cost += file(item.Properties, names, v, valueCost, &m.budget)
		}
	}
	return item, cost
}

// tokens is the function tokens within the budget: by itemref an element may
// be read many times.
func (m *microdata) tokens(n *html.Node, name string) []string {
	s, _ := attr(n, name)
	if s == "" || !m.budget.spend(len(s)) {
		return nil
	}
	return tokens(n, name)
}

// properties returns the elements that add properties to an item, in tree
// order.
//
// https://html.spec.whatwg.org/multipage/microdata.html#the-properties-of-an-item
func (m *microdata) properties(item *html.Node) []*html.Node {
	var refs []string
	if m.page.itemrefs {
		refs = m.tokens(item, "itemref")
	}
	c := crawl{budget: &m.budget}
	if len(refs) == 0 {
		c.below(item)
		return c.found
	}
	m.indexIDs()
	c.seen = map[*html.Node]bool{item: true}
	c.below(item)
	for _, id := range refs {
		if n := m.ids[id]; n != nil {
			c.from(n)
		}
	}
	slices.SortFunc(c.found, func(a, b *html.Node) int { return m.order[a] - m.order[b] })
	return c.found
}

// crawl collects the properties of an item.
type crawl struct {
	budget *budget
	seen   map[*html.Node]bool // with itemref, which may lead to an element twice; else nil
	found  []*html.Node
}

// below looks for properties among the descendants of top.
func (c *crawl) below(top *html.Node) {
	for n := next(top, top, true); n != nil && !c.budget.spent; {
		n = next(n, top, c.visit(n))
	}
}

// from looks for properties in top and its descendants.
func (c *crawl) from(top *html.Node) {
	if c.visit(top) {
		c.below(top)
	}
}

// visit notes n if it is a property, and reports whether its children may be
// properties of the same item.
func (c *crawl) visit(n *html.Node) bool {
	cost := 1
	if c.seen != nil {
		cost = 4 // for the look into it
	}
	if !c.budget.spend(cost) {
		return false
	}
	if n.Type != html.ElementNode {
		return true
	}
	if c.seen != nil {
		if c.seen[n] {
			return false
		}
		c.seen[n] = true
	}
	if !isElement(n) {
		return true
	}
	if hasAttr(n, "itemprop") {
		c.found = append(c.found, n)
	}
	return !hasAttr(n, "itemscope")
}

// indexIDs notes where elements are for itemref.
func (m *microdata) indexIDs() {
	if m.ids != nil {
		return
	}
	m.ids, m.order = map[string]*html.Node{}, map[*html.Node]int{}
	wanted := m.wantedIDs()
	place := 0
	for n := m.page.root; n != nil; n = next(n, m.page.root, true) {
		if n.Type != html.ElementNode {
			continue
		}
		place++
		if hasAttr(n, "itemprop") {
			m.order[n] = place
		}
		if id, ok := attr(n, "id"); ok && wanted[id] && m.ids[id] == nil {
			m.ids[id] = n
		}
	}
}

// wantedIDs returns the IDs that items refer to.
func (m *microdata) wantedIDs() map[string]bool {
	wanted := map[string]bool{}
	for n := m.page.root; n != nil; n = next(n, m.page.root, true) {
		if isElement(n) && hasAttr(n, "itemref") {
			refs, _ := attr(n, "itemref")
			maps.Insert(wanted, func(yield func(string, bool) bool) {
				for id := range splitSpace(refs) {
					if !yield(id, true) {
						return
					}
				}
			})
		}
	}
	return wanted
}
