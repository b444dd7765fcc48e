package structured

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// value reads a property of a kind and what it costs to write it; nil where
// there is none.
func (m *microformats) value(n *html.Node, kind byte) (v any, cost int) {
	switch kind {
	case 'u':
		return m.urlValue(n)
	case 'd':
		s := m.dateValue(n)
		return s, len(s)
	case 'e':
		markup, value := m.markup(n), m.text(n, true)
		return map[string]any{"html": markup, "value": value}, len(markup) + len(value)
	}
	s := m.textValue(n)
	return s, len(s)
}

// textValue reads a p- property.
//
// https://microformats.org/wiki/microformats2-parsing#parsing_a_p-_property
func (m *microformats) textValue(n *html.Node) string {
	if s, ok := m.patternText(n); ok {
		return s
	}
	if s, ok := m.textAttr(n); ok {
		return s
	}
	switch n.Data {
	case "img", "area":
		if hasAttr(n, "alt") {
			return attrText(n, "alt", &m.budget)
		}
	}
	return m.text(n, true)
}

// textAttr reads the attributes that stand for the text of an element.
func (m *microformats) textAttr(n *html.Node) (string, bool) {
	name := ""
	switch n.Data {
	case "abbr", "link":
		name = "title"
	case "data", "input":
		name = "value"
	}
	if name == "" || !hasAttr(n, name) {
		return "", false
	}
	return attrText(n, name, &m.budget), true
}

// urlValue reads a u- property.
//
// https://microformats.org/wiki/microformats2-parsing#parsing_a_u-_property
func (m *microformats) urlValue(n *html.Node) (v any, cost int) {
	if n.Data == "img" && hasAttr(n, "src") {
		return m.picture(n)
	}
	for _, name := range urlAttrs[n.Data] {
		if hasAttr(n, name) {
			s := m.page.urls.attr(n, name, &m.budget)
			return s, len(s)
		}
	}
	s, ok := m.patternText(n)
	if !ok && n.Data != "link" {
		s, ok = m.textAttr(n)
	}
	if !ok {
		s = m.text(n, true)
	}
	s = m.page.urls.resolve(s, &m.budget)
	return s, len(s)
}

// urlAttrs are the attributes that have an element's URL.
var urlAttrs = map[string][]string{
	"a": {"href"}, "area": {"href"}, "link": {"href"},
	"audio": {"src"}, "video": {"src", "poster"}, "source": {"src"}, "iframe": {"src"},
	"object": {"data"},
}

// picture reads an img: its URL, with the alternative text if it has one.
//
// https://microformats.org/wiki/microformats2-parsing#parse_an_img_element_for_src_and_alt
func (m *microformats) picture(n *html.Node) (v any, cost int) {
	url := m.page.urls.attr(n, "src", &m.budget)
	if !hasAttr(n, "alt") {
		return url, len(url)
	}
	alt := attrText(n, "alt", &m.budget)
	return map[string]any{"value": url, "alt": alt}, len(url) + len(alt)
}

// text returns the text in n without scripts and styles, with the text that
// stands for a picture in place of it, or its URL if src.
func (m *microformats) text(n *html.Node, src bool) string {
	var t strings.Builder
	descend := true
	for c := next(n, n, true); c != nil; c = next(c, n, descend) {
		descend = true
		if !m.budget.spend(1) {
			break
		}
		switch {
		case c.Type == html.TextNode:
			if !m.budget.spend(len(c.Data)) {
				return strings.Trim(t.String(), asciiWhitespace)
			}
			t.WriteString(c.Data)
		case !isElement(c):
		case c.Data == "script" || c.Data == "style":
			descend = false
		case c.Data == "img":
			t.WriteString(m.pictureText(c, src))
		}
	}
	return strings.Trim(t.String(), asciiWhitespace)
}

// pictureText returns what stands for a picture in a text.
func (m *microformats) pictureText(n *html.Node, src bool) string {
	if hasAttr(n, "alt") {
		return attrText(n, "alt", &m.budget)
	}
	if src && hasAttr(n, "src") {
		return " " + m.page.urls.attr(n, "src", &m.budget) + " "
	}
	return ""
}

// markup returns the HTML in n, "" where it costs too much.
//
// https://microformats.org/wiki/microformats2-parsing#parsing_an_e-_property
func (m *microformats) markup(n *html.Node) string {
	var b strings.Builder
	err := htmlparse.RenderWith(&b, n, &htmlparse.RenderOptions{Children: true, MaxBytes: int64(max(1, m.budget.left))})
	if !m.budget.spend(b.Len()) || err != nil {
		m.budget.spent = true
		return ""
	}
	return strings.Trim(b.String(), asciiWhitespace)
}
