package extract

import (
	"time"

	"golang.org/x/net/html"
)

// source is where a field's value is found.
type source interface {
	// find calls yield with what it finds in a scope, in order, until that
	// returns false. Where it finds nothing, e.why says so.
	find(e *extraction, sc scope, yield func(found) bool)
}

// nodes is a source of nodes: what an each can be.
type nodes interface {
	// find is like source's. It returns false when yield did.
	find(e *extraction, sc scope, yield func(*html.Node) bool) bool
}

// found is a piece of a page that is to become a value: a node, of which the
// field says what is read, a text, or a JSON value.
type found struct {
	node   *html.Node // where it was found; nil: in no node
	text   string     // what was read of node, or was found elsewhere
	isText bool       // text is what was found
	own    bool       // text is no part of the page's
	attr   bool       // text is that of an attribute, or written for machines in another way
	dotted bool       // the number in text is known to have a decimal point, as programs write it
	json   any
	isJSON bool           // json is what was found
	zone   *time.Location // of a time that names none; nil: UTC
	work   *work
}

// itself is the source of a field without one: what the item is made of.
type itself struct{}

func (itself) find(e *extraction, sc scope, yield func(found) bool) {
	if sc.isJSON {
		yield(found{node: sc.node, json: sc.json, isJSON: true, work: &e.work})
		return
	}
	yield(found{node: sc.node, work: &e.work})
}

// keys are the names that the sources have in a job file, in the order in
// which they are told, with what of a Field says them.
var sourceKeys = []struct {
	name string
	of   func(*Field) string
}{
	{"css", func(f *Field) string { return f.CSS }},
	{"xpath", func(f *Field) string { return f.XPath }},
	{"jsonld", func(f *Field) string { return f.JSONLD }},
	{"microdata", func(f *Field) string { return f.Microdata }},
	{"rdfa", func(f *Field) string { return f.RDFa }},
	{"opengraph", func(f *Field) string { return f.OpenGraph }},
	{"meta", func(f *Field) string { return f.Meta }},
	{"json", func(f *Field) string { return f.JSON }},
	{"header", func(f *Field) string { return f.Header }},
	{"url", func(f *Field) string { return f.URLPart }},
	{"article", func(f *Field) string { return f.Article }},
	{"expr", func(f *Field) string { return f.Expr }},
}

// sourceOf returns the key and text of a field's source, "" for none. more is
// another one that it must not have beside it.
func sourceOf(f *Field) (key, text, more string) {
	for _, k := range sourceKeys {
		if s := k.of(f); s != "" {
			if key != "" {
				return key, text, k.name
			}
			key, text = k.name, s
		}
	}
	if f.Const != nil {
		if key != "" {
			return key, text, "const"
		}
		key = "const"
	}
	return key, text, ""
}
