package structured

import (
	"strings"

	"golang.org/x/net/html"
)

// speaksRDFa reports whether an element has an attribute that RDFa reads.
func speaksRDFa(n *html.Node) bool {
	for i := range n.Attr {
		switch key := n.Attr[i].Key; key {
		case "vocab", "prefix", "typeof", "property", "about", "resource":
			return true
		case "href", "src":
			if n.FirstChild != nil {
				return true // those below speak of what it links to
			}
		default:
			if strings.HasPrefix(key, "xmlns:") {
				return true
			}
		}
	}
	return false
}

// object returns the IRI that an element refers to.
func (r *rdfa) object(n *html.Node) (iri string, ok bool) {
	if resource, ok := attr(n, "resource"); ok {
		return r.resource(resource), true
	}
	for _, name := range []string{"href", "src"} {
		if hasAttr(n, name) {
			return r.page.urls.attr(n, name, &r.budget), true
		}
	}
	return "", false
}

// resource returns the IRI that the value of resource or about stands for.
//
// https://www.w3.org/TR/rdfa-core/#P_ref
func (r *rdfa) resource(s string) string {
	s = strings.Trim(s, asciiWhitespace)
	if safe, ok := strings.CutPrefix(s, "["); ok {
		safe = strings.TrimSuffix(safe, "]")
		if iri, ok := r.names.compact(safe, &r.budget); ok {
			return iri
		}
		s = safe
	} else if iri, ok := r.names.compact(s, &r.budget); ok {
		return iri
	}
	switch {
	case strings.HasPrefix(s, "_:"):
		return strings.Clone(s)
	case s == "":
		return r.document.id
	}
	return r.page.urls.resolve(s, &r.budget)
}

// value files the value of an element without content and datatype.
//
// https://www.w3.org/TR/rdfa-core/#PS-new-subject
func (r *rdfa) value(n *html.Node, of *subject, property string) {
	if iri, ok := r.object(n); ok {
		r.add(of, property, iri)
		return
	}
	r.literal(n, of, property)
}

// literal files the text that an element gives as a value.
//
// https://www.w3.org/TR/html-rdfa/#extensions-to-the-rdfa-core-1.1-processing-rules
func (r *rdfa) literal(n *html.Node, of *subject, property string) {
	switch {
	case hasAttr(n, "content"):
		r.add(of, property, attrText(n, "content", &r.budget))
	case hasAttr(n, "datetime"):
		r.add(of, property, attrText(n, "datetime", &r.budget))
	case n.Data == "data" && hasAttr(n, "value"):
		r.add(of, property, attrText(n, "value", &r.budget))
	default:
		r.add(of, property, text(n, &r.budget))
	}
}

// add files a string under the names in a property attribute.
func (r *rdfa) add(s *subject, property, value string) {
	if names := short(r.names.iris(property, &r.budget), s.vocab); len(names) > 0 {
		r.file(s, names, value, len(value))
	}
}
