package structured

import (
	"strings"

	"golang.org/x/net/html"
)

// pattern returns the elements that give parts of a property's value by the
// class names value and value-title.
//
// https://microformats.org/wiki/value-class-pattern
func (m *microformats) pattern(n *html.Node) []*html.Node {
	if !m.page.valueClass {
		return nil
	}
	var parts []*html.Node
	descend := true
	for c := next(n, n, true); c != nil; c = next(c, n, descend) {
		if !m.budget.spend(1) {
			break
		}
		if descend = true; !isElement(c) {
			continue
		}
		class, _ := attr(c, "class")
		if class == "" {
			continue
		}
		if !m.budget.spend(len(class)) {
			break
		}
		if hasToken(class, "value") || hasToken(class, "value-title") {
			parts = append(parts, c)
			descend = false
		} else if roots, properties := mfClasses(c); len(roots)+len(properties) > 0 {
			descend = false // its parts are another's
		}
	}
	return parts
}

func hasToken(s, token string) bool {
	for t := range splitSpace(s) {
		if t == token {
			return true
		}
	}
	return false
}

// patternText joins the parts of a value.
func (m *microformats) patternText(n *html.Node) (string, bool) {
	parts := m.pattern(n)
	if len(parts) == 0 {
		return "", false
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(m.part(p))
	}
	return b.String(), true
}

// part reads a part of a value.
func (m *microformats) part(n *html.Node) string {
	class, _ := attr(n, "class")
	switch {
	case !hasToken(class, "value"):
		return attrText(n, "title", &m.budget)
	case (n.Data == "img" || n.Data == "area") && hasAttr(n, "alt"):
		return attrText(n, "alt", &m.budget)
	case n.Data == "data" && hasAttr(n, "value"):
		return attrText(n, "value", &m.budget)
	case n.Data == "abbr" && hasAttr(n, "title"):
		return attrText(n, "title", &m.budget)
	}
	return m.text(n, false)
}
