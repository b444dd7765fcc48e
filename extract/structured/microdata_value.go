package structured

import "golang.org/x/net/html"

// value reads the value of a property and what it costs to write it. It
// reports false for an item that is nested in itself, or too deep.
//
// https://html.spec.whatwg.org/multipage/microdata.html#values
func (m *microdata) value(n *html.Node) (v any, cost int, ok bool) {
	if hasAttr(n, "itemscope") {
		if m.open[n] {
			return nil, 0, false
		}
		if len(m.open) >= maxNesting {
			m.budget.tooDeep = true
			return nil, 0, false
		}
		if !m.budget.spend(itemCost) {
			return nil, 0, false
		}
		item, cost := m.item(n)
		return item, cost, true
	}
	s := m.stringValue(n)
	return s, len(s), true
}

// stringValue reads the value of a property that is no item.
//
// DIVERGES from the standard: content counts on every element, not on meta
// alone. Shops write <span itemprop=price content=12.50>, as the vocabularies
// advise.
func (m *microdata) stringValue(n *html.Node) string {
	if hasAttr(n, "content") {
		return m.attrValue(n, "content")
	}
	switch n.Data {
	case "meta":
		return m.attrValue(n, "content")
	case "audio", "embed", "iframe", "img", "source", "track", "video":
		return m.urlValue(n, "src")
	case "a", "area", "link":
		return m.urlValue(n, "href")
	case "object":
		return m.urlValue(n, "data")
	case "data", "meter":
		return m.attrValue(n, "value")
	case "time":
		if hasAttr(n, "datetime") {
			return m.attrValue(n, "datetime")
		}
	}
	return text(n, &m.budget)
}

func (m *microdata) attrValue(n *html.Node, name string) string {
	return attrText(n, name, &m.budget)
}

func (m *microdata) urlValue(n *html.Node, name string) string {
	return m.page.urls.attr(n, name, &m.budget)
}

// attrText copies an attribute without the whitespace around it, if b reaches.
func attrText(n *html.Node, name string, b *budget) string {
	s, _ := attr(n, name)
	if !b.spend(len(s)) {
		return ""
	}
	return trimmed(s)
}
