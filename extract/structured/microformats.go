package structured

import (
	"golang.org/x/net/html"
)

// MFItem is a microformat.
type MFItem struct {
	Type []string `json:"type"` // root class names, sorted
	ID   string   `json:"id,omitempty"`

	// Properties are the values by name, without the prefix: strings, of
	// pictures with a text map[string]any of value and alt, of e- properties
	// map[string]any of html and value, and *MFItem.
	Properties map[string][]any `json:"properties"`

	Children []*MFItem `json:"children,omitempty"` // nested, but no property

	// Value is what an item is as a property, in short: its name, its URL, a
	// picture, a date. HTML is what is in it, where it is an e- property.
	Value any    `json:"value,omitempty"`
	HTML  string `json:"html,omitempty"`
}

// Microformats returns the microformats below root that are nested in none,
// in document order. It knows the class names of microformats2, not the
// classic ones. URLs are resolved against base, except those in HTML.
//
// https://microformats.org/wiki/microformats2-parsing
func Microformats(root *html.Node, base string) []MFItem {
	items, _ := newPage(root, base).mfItems()
	return items
}

func (p *page) mfItems() ([]MFItem, []Problem) {
	if !p.mf {
		return nil, nil
	}
	m := microformats{page: p, budget: newBudget(p.size)}
	walk(p.root, m.enter, m.leave)
	return m.items, m.budget.problems("microformats")
}

// microformats reads items.
type microformats struct {
	page   *page
	budget budget
	frames []mfFrame // the items that are open
	items  []MFItem
}

// mfFrame is an item that is being read.
type mfFrame struct {
	node *html.Node
	item *MFItem
	as   []mfProperty // which properties of the item around it is it?
	cost int          // to write it
	date string       // the last one met, for times that have none

	// What keeps properties from being implied.
	hasText, hasURL, hasNested bool
}

// enter reads an element.
//
// https://microformats.org/wiki/microformats2-parsing#parse_a_document_for_microformats
func (m *microformats) enter(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return n.Type == html.DocumentNode
	}
	if !m.budget.spend(1) {
		return false
	}
	if n.Namespace != "" {
		return true
	}
	roots, properties := mfClasses(n)
	switch {
	case len(roots) > 0:
		if len(m.frames) >= maxNesting {
			m.budget.tooDeep = true
			return false
		}
		m.open(n, roots, properties)
	case len(m.frames) > 0:
		for _, p := range properties {
			m.property(n, p)
		}
	}
	return true
}

// open begins an item.
func (m *microformats) open(n *html.Node, roots []string, properties []mfProperty) {
	id, _ := attr(n, "id")
	f := mfFrame{node: n, item: &MFItem{Type: roots, ID: trimmed(id), Properties: map[string][]any{}}, cost: itemCost + len(id)}
	for _, r := range roots {
		f.cost += len(r) + stringCost
	}
	if len(m.frames) > 0 {
		f.as = properties
		around := m.top()
		around.hasNested = true
		for _, p := range properties {
			around.has(p.kind)
		}
	}
	m.frames = append(m.frames, f)
}

// top is the innermost item that is open.
func (m *microformats) top() *mfFrame { return &m.frames[len(m.frames)-1] }

// has notes that an item has a property of a kind.
func (f *mfFrame) has(kind byte) {
	switch kind {
	case 'p', 'e':
		f.hasText = true
	case 'u':
		f.hasURL = true
	}
}

// property reads a property that is no item.
func (m *microformats) property(n *html.Node, p mfProperty) {
	f := m.top()
	f.has(p.kind)
	if v, cost := m.value(n, p.kind); v != nil {
		f.cost += file(f.item.Properties, []string{p.name}, v, cost, &m.budget)
	}
}

// leave ends an item and puts it where it belongs.
func (m *microformats) leave(n *html.Node) {
	if len(m.frames) == 0 || m.top().node != n {
		return
	}
	m.imply(m.top())
	f := *m.top()
	m.frames = m.frames[:len(m.frames)-1]
	switch {
	case len(m.frames) == 0:
		m.items = append(m.items, *f.item)
	case len(f.as) == 0:
		around := m.top()
		around.item.Children = append(around.item.Children, f.item)
		around.cost += f.cost
	default:
		for i, p := range f.as {
			m.nested(f, p, i > 0)
		}
	}
}

// nested files an item as a property of the one around it. again says that it
// has been filed already, so that it is written once more.
//
// https://microformats.org/wiki/microformats2-parsing#parsing_a_microformats_property
func (m *microformats) nested(f mfFrame, p mfProperty, again bool) {
	if again && !m.budget.spend(f.cost) {
		return
	}
	item := *f.item
	cost := f.cost
	switch {
	case p.kind == 'p' && len(item.Properties["name"]) > 0:
		item.Value = plainValue(item.Properties["name"][0])
	case p.kind == 'u' && len(item.Properties["url"]) > 0:
		item.Value = plainValue(item.Properties["url"][0])
	default:
		var valueCost int
		item.Value, valueCost = m.value(f.node, p.kind)
		cost += valueCost
		if e, ok := item.Value.(map[string]any); ok && p.kind == 'e' {
			item.Value = e["value"]
			item.HTML, _ = e["html"].(string)
		}
	}
	if s, ok := item.Value.(string); ok && p.kind != 'e' {
		cost += len(s)
		m.budget.spend(len(s))
	}
	around := m.top()
	around.cost += file(around.item.Properties, []string{p.name}, &item, cost, &m.budget)
}

// plainValue returns the text of a value that may have parts.
func plainValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return v["value"]
	case *MFItem:
		return v.Value
	}
	return v
}
