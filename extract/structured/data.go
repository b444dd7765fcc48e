package structured

import "golang.org/x/net/html"

// Data is what a page says of itself.
type Data struct {
	Title        string         `json:"title,omitempty"`
	Lang         string         `json:"lang,omitempty"`
	JSONLD       []any          `json:"json_ld,omitempty"`
	Microdata    []Item         `json:"microdata,omitempty"`
	RDFa         []Item         `json:"rdfa,omitempty"`
	Microformats []MFItem       `json:"microformats,omitempty"`
	OpenGraph    map[string]any `json:"open_graph,omitempty"`
	Twitter      []MetaTag      `json:"twitter,omitempty"`
	DublinCore   []MetaTag      `json:"dublin_core,omitempty"`
	Meta         []MetaTag      `json:"meta,omitempty"`
	Links        LinkSet        `json:"links,omitzero"`
	Problems     []Problem      `json:"problems,omitempty"`
}

// Problem is something on a page that could not be read as written.
type Problem struct {
	Syntax string `json:"syntax"`         // "json-ld", "microdata", "rdfa" or "microformats"
	Line   int    `json:"line,omitempty"` // from 1, in the script; 0 where it isn't known
	Detail string `json:"detail"`         // for people
}

// Read reads all formats of the page whose tree root is. base is the document
// base URL, "" where it isn't known. The result is never nil.
func Read(root *html.Node, base string) *Data {
	p := newPage(root, base)
	d := &Data{Title: p.titleText(), Lang: p.lang(), Meta: p.meta(), Links: p.linkSet()}
	d.OpenGraph, d.Twitter, d.DublinCore = openGraph(d.Meta), named(d.Meta, "twitter:"), dublinCore(d.Meta)
	var microdata, rdfa, mf []Problem
	d.JSONLD, d.Problems = p.jsonLD()
	d.Microdata, microdata = p.microdataItems()
	d.RDFa, rdfa = p.rdfaItems()
	d.Microformats, mf = p.mfItems()
	d.Problems = append(append(append(d.Problems, microdata...), rdfa...), mf...)
	return d
}
