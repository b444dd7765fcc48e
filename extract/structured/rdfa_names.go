package structured

import (
	"strings"

	"golang.org/x/net/html"
)

// initialPrefixes are the prefixes that pages need not declare.
//
// https://www.w3.org/2011/rdfa-context/rdfa-1.1
var initialPrefixes = map[string]string{
	"as": "https://www.w3.org/ns/activitystreams#", "cc": "http://creativecommons.org/ns#",
	"csvw": "http://www.w3.org/ns/csvw#", "ctag": "http://commontag.org/ns#",
	"dc": "http://purl.org/dc/terms/", "dc11": "http://purl.org/dc/elements/1.1/",
	"dcat": "http://www.w3.org/ns/dcat#", "dcterms": "http://purl.org/dc/terms/",
	"foaf": "http://xmlns.com/foaf/0.1/", "gr": "http://purl.org/goodrelations/v1#",
	"grddl": "http://www.w3.org/2003/g/data-view#", "ical": "http://www.w3.org/2002/12/cal/icaltzd#",
	"ldp": "http://www.w3.org/ns/ldp#", "ma": "http://www.w3.org/ns/ma-ont#",
	"oa": "http://www.w3.org/ns/oa#", "og": "http://ogp.me/ns#", "org": "http://www.w3.org/ns/org#",
	"owl": "http://www.w3.org/2002/07/owl#", "prov": "http://www.w3.org/ns/prov#",
	"qb": "http://purl.org/linked-data/cube#", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
	"rdfa": "http://www.w3.org/ns/rdfa#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
	"rev": "http://purl.org/stuff/rev#", "schema": "http://schema.org/",
	"sioc": "http://rdfs.org/sioc/ns#", "skos": "http://www.w3.org/2004/02/skos/core#",
	"skosxl": "http://www.w3.org/2008/05/skos-xl#", "v": "http://rdf.data-vocabulary.org/#",
	"vcard": "http://www.w3.org/2006/vcard/ns#", "void": "http://rdfs.org/ns/void#",
	"wdr": "http://www.w3.org/2007/05/powder#", "xhv": "http://www.w3.org/1999/xhtml/vocab#",
	"xml": "http://www.w3.org/XML/1998/namespace", "xsd": "http://www.w3.org/2001/XMLSchema#",
}

// initialTerms are the names that need neither a vocabulary nor a prefix.
var initialTerms = map[string]bool{"describedby": true, "license": true, "role": true}

// rdfaNames is what names stand for at one place in the tree.
type rdfaNames struct {
	vocab    string              // "" for none
	prefixes map[string][]string // declared ones, the innermost last
}

// declare takes in the vocabulary and prefixes that an element declares. What
// it returns takes them out again.
func (r *rdfaNames) declare(n *html.Node, urls resolver, b *budget) (undo func()) {
	var declared []string
	add := func(prefix, iri string) {
		if prefix = strings.ToLower(prefix); prefix != "" && b.spend(len(prefix)+len(iri)) {
			declared = append(declared, prefix)
			r.prefixes[prefix] = append(r.prefixes[prefix], iri)
		}
	}
	old := r.vocab
	for i := range n.Attr {
		switch a := &n.Attr[i]; {
		case a.Key == "vocab":
			r.vocab = urls.resolve(a.Val, b)
		case a.Key == "prefix":
			eachPrefix(a.Val, add)
		case strings.HasPrefix(a.Key, "xmlns:"):
			add(a.Key[len("xmlns:"):], a.Val)
		}
	}
	if len(declared) == 0 && r.vocab == old {
		return nil
	}
	return func() {
		r.vocab = old
		for _, prefix := range declared {
			r.prefixes[prefix] = r.prefixes[prefix][:len(r.prefixes[prefix])-1]
		}
	}
}

// eachPrefix reads a prefix attribute: "name: IRI name: IRI …".
//
// https://www.w3.org/TR/rdfa-core/#A-prefix
func eachPrefix(s string, add func(prefix, iri string)) {
	prefix := ""
	for part := range splitSpace(s) {
		if prefix != "" {
			add(prefix, part)
			prefix = ""
		} else if name, ok := strings.CutSuffix(part, ":"); ok {
			prefix = name
		}
	}
}

// prefix returns what a prefix stands for, "" where it is not declared.
func (r *rdfaNames) prefix(name string) string {
	name = strings.ToLower(name)
	if list := r.prefixes[name]; len(list) > 0 {
		return list[len(list)-1]
	}
	return initialPrefixes[name]
}

// compact returns the IRI of a compact one, prefix:reference.
//
// https://www.w3.org/TR/rdfa-core/#s_curies
func (r *rdfaNames) compact(s string, b *budget) (iri string, ok bool) {
	prefix, reference, ok := strings.Cut(s, ":")
	if !ok || prefix == "_" || strings.HasPrefix(reference, "//") {
		return "", false
	}
	start := r.prefix(prefix)
	if start == "" || !b.spend(len(start)) {
		return "", false
	}
	return strings.Clone(start + reference), true // the sum with "" is no copy
}

// iris returns the IRIs that the names in typeof or property stand for. Those
// that stand for none are left out.
//
// https://www.w3.org/TR/rdfa-core/#P_term
func (r *rdfaNames) iris(s string, b *budget) []string {
	if !b.spend(len(s)) {
		return nil
	}
	return unique(func(yield func(string) bool) {
		for name := range splitSpace(s) {
			if iri := r.iri(name, b); iri != "" && !yield(iri) {
				return
			}
		}
	})
}

// iri returns the IRI of a name: a term, a compact IRI or an IRI.
func (r *rdfaNames) iri(name string, b *budget) string {
	if strings.Contains(name, ":") {
		if iri, ok := r.compact(name, b); ok {
			return iri
		}
		return name
	}
	switch {
	case r.vocab != "":
		if !b.spend(len(r.vocab)) {
			return ""
		}
		return r.vocab + name
	case initialTerms[strings.ToLower(name)]:
		return initialPrefixes["xhv"] + strings.ToLower(name)
	}
	return ""
}

// vocabularyOf returns the beginning of a type's IRI that its vocabulary's
// other names have too.
func vocabularyOf(types []string) string {
	if len(types) == 0 {
		return ""
	}
	return types[0][:strings.LastIndexAny(types[0], "#/")+1]
}

// short cuts the vocabulary off IRIs that are in it.
func short(iris []string, vocab string) []string {
	for i, iri := range iris {
		if name, ok := strings.CutPrefix(iri, vocab); ok && vocab != "" && name != "" && !strings.ContainsAny(name, "#/") {
			iris[i] = name
		}
	}
	return iris
}
