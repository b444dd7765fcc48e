package store

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/store/search"
)

// recordValues returns the texts of a record, nested ones by the name of the
// field that they are in. Fields of html are read as a reader reads them.
func recordValues(data []byte, html map[string]bool) ([]search.Value, error) {
	var o extract.Object
	if err := o.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	var values []search.Value
	for _, m := range o {
		values = appendTexts(values, m.Name, m.Value, html[m.Name])
	}
	return values, nil
}

func appendTexts(values []search.Value, name string, v any, isHTML bool) []search.Value {
	switch v := v.(type) {
	case string:
		if isHTML {
			v = htmlText(v)
		}
		if v != "" {
			values = append(values, search.Value{Name: name, Text: v})
		}
	case extract.Object:
		for _, m := range v {
			values = appendTexts(values, name, m.Value, isHTML)
		}
	case []any:
		for _, e := range v {
			values = appendTexts(values, name, e, isHTML)
		}
	}
	return values
}

// htmlText is the text of a piece of HTML; the piece itself if it can't be
// read.
func htmlText(src string) string {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := htmlparse.ParseFragment(src, body, nil)
	if err != nil {
		return src
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return extract.TextOf(body)
}
