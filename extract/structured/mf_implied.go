package structured

import "golang.org/x/net/html"

// imply adds the name, photo and url of an item that doesn't tell them.
//
// https://microformats.org/wiki/microformats2-parsing#parsing_for_implied_properties
func (m *microformats) imply(f *mfFrame) {
	if f.hasNested {
		return
	}
	if !f.hasText {
		if s := m.impliedName(f.node); s != "" {
			m.add(f, "name", s, len(s))
		}
	}
	if f.hasURL {
		return
	}
	if n := around(f.node, isPicture); n != nil {
		if n.Data == "img" {
			v, cost := m.picture(n)
			m.add(f, "photo", v, cost)
		} else {
			m.addURL(f, "photo", n, "data")
		}
	}
	if n := around(f.node, isLink); n != nil {
		m.addURL(f, "url", n, "href")
	}
}

func (m *microformats) add(f *mfFrame, name string, v any, cost int) {
	if _, ok := f.item.Properties[name]; !ok {
		f.cost += file(f.item.Properties, []string{name}, v, cost, &m.budget)
	}
}

func (m *microformats) addURL(f *mfFrame, name string, n *html.Node, key string) {
	s := m.page.urls.attr(n, key, &m.budget)
	m.add(f, name, s, len(s))
}

// isPicture and isLink tell what photo and url are implied from, the element
// that goes first from the other.
func isPicture(n *html.Node) (ok, first bool) {
	return n.Data == "img" && hasAttr(n, "src") || n.Data == "object" && hasAttr(n, "data"), n.Data == "img"
}

func isLink(n *html.Node) (ok, first bool) {
	return (n.Data == "a" || n.Data == "area") && hasAttr(n, "href"), n.Data == "a"
}

// around returns the element that a property is implied from: the item's own,
// the only one of its type in it, or the only one of its type in the item's
// only child.
func around(item *html.Node, is func(*html.Node) (ok, first bool)) *html.Node {
	if ok, _ := is(item); ok {
		return item
	}
	if n := onlyOfType(item, is); n != nil {
		return n
	}
	if child := onlyChild(item); child != nil && !isMFRoot(child) {
		return onlyOfType(child, is)
	}
	return nil
}

// onlyOfType returns the child that is the only one of its type, and no item.
func onlyOfType(parent *html.Node, is func(*html.Node) (ok, first bool)) *html.Node {
	var found [2]*html.Node // of the type that goes first, and of the other
	var count [2]int
	for n := range elements(parent) {
		ok, first := is(n)
		i := 1
		if first {
			i = 0
		}
		if first || n.Data == "object" || n.Data == "area" {
			count[i]++
		}
		if ok {
			found[i] = n
		}
	}
	for i, n := range found {
		if n != nil && count[i] == 1 && !isMFRoot(n) {
			return n
		}
	}
	return nil
}

// impliedName returns the name that the text of an item implies.
func (m *microformats) impliedName(item *html.Node) string {
	if name := nameAttr(item); name != "" {
		return attrText(item, name, &m.budget)
	}
	n := item
	for range 2 { // its only child, and that one's
		if n = onlyChild(n); n == nil || isMFRoot(n) {
			break
		}
		if name := nameAttr(n); name != "" {
			if s := attrText(n, name, &m.budget); s != "" {
				return s
			}
		}
	}
	return m.text(item, false)
}

// nameAttr returns the attribute that names an element, "" for none.
func nameAttr(n *html.Node) string {
	name := ""
	switch n.Data {
	case "img", "area":
		name = "alt"
	case "abbr":
		name = "title"
	}
	if name == "" || !hasAttr(n, name) {
		return ""
	}
	return name
}

// onlyChild returns the only element in n.
func onlyChild(n *html.Node) *html.Node {
	var only *html.Node
	for c := range elements(n) {
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// elements yields the HTML elements that are children of n.
func elements(n *html.Node) func(yield func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		if isTemplate(n) {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if isElement(c) && !yield(c) {
				return
			}
		}
	}
}
