package structured

import (
	"strings"

	"golang.org/x/net/html"
)

// MetaTag is what a meta element says under a name.
type MetaTag struct {
	Name    string `json:"name"` // as written
	Content string `json:"content"`
}

// Meta returns what the meta elements below root say, in document order. The
// name is that of the attribute property, name, http-equiv or itemprop; an
// element with several names is there once for each.
//
// https://html.spec.whatwg.org/multipage/semantics.html#the-meta-element
func Meta(root *html.Node) []MetaTag {
	return newPage(root, "").meta()
}

// Twitter returns the meta elements below root whose name begins with
// twitter:, as [Meta] does.
//
// https://developer.x.com/en/docs/x-for-websites/cards/overview/markup
func Twitter(root *html.Node) []MetaTag {
	return named(Meta(root), "twitter:")
}

// DublinCore returns the meta elements below root whose name begins with dc.
// or dcterms. (or with a colon for the dot), as [Meta] does.
//
// https://www.dublincore.org/specifications/dublin-core/dc-html/
func DublinCore(root *html.Node) []MetaTag {
	return dublinCore(Meta(root))
}

func dublinCore(tags []MetaTag) []MetaTag {
	return named(tags, "dc.", "dcterms.", "dc:", "dcterms:")
}

func (p *page) meta() []MetaTag {
	var tags []MetaTag
	b := newBudget(p.size) // an element of many names repeats its content
	for _, n := range p.metas {
		content, ok := attr(n, "content")
		if !ok {
			continue
		}
		if names := metaNames(n); len(names) > 0 {
			content = trimmed(content)
			for _, name := range names {
				if !b.spend(len(name) + len(content)) {
					return tags
				}
				tags = append(tags, MetaTag{name, content})
			}
		}
	}
	return tags
}

// metaNames returns the names of a meta element, each once. Those of name and
// http-equiv are one name, the others lists.
func metaNames(n *html.Node) []string {
	return unique(func(yield func(string) bool) {
		for _, key := range []string{"property", "name", "http-equiv", "itemprop"} {
			value, _ := attr(n, key)
			if value = strings.Trim(value, asciiWhitespace); value == "" {
				continue
			}
			if key == "name" || key == "http-equiv" {
				if !yield(value) {
					return
				}
				continue
			}
			for name := range splitSpace(value) {
				if !yield(name) {
					return
				}
			}
		}
	})
}

// named returns the tags whose names begin with one of the prefixes, in
// whatever case.
func named(tags []MetaTag, prefixes ...string) []MetaTag {
	var list []MetaTag
	for _, t := range tags {
		for _, p := range prefixes {
			if len(t.Name) > len(p) && strings.EqualFold(t.Name[:len(p)], p) {
				list = append(list, t)
				break
			}
		}
	}
	return list
}
