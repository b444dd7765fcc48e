// Package structured reads what a page says of itself for machines: JSON-LD,
// microdata, RDFa, microformats, meta elements and links.
//
// Each format has a function that reads it from a tree that htmlparse made;
// [Read] reads them all. The values are those that encoding/json writes:
// map[string]any, []any, string, [encoding/json.Number], bool and nil, and
// items nested in items. No string in them is a part of the page, so a result
// does not keep the page in memory.
//
// Nothing on a page is an error. What could not be read is left out and told
// as a [Problem]. The contents of template elements are not part of the
// document and are not read.
//
// The base that functions take is the document base URL, which the caller
// has computed from the page's address and its base element; "" where it
// isn't known. A URL that can't be resolved stays as written.
//
// # Bounds
//
// Pages can ask for more than they are worth: by itemref each of many items
// may claim the whole page, and a property within a property repeats its
// text. So each format has a budget in proportion to the size of the page,
// and items are nested maxNesting deep at most. What goes beyond is left out,
// with a [Problem]. No function recurses with the depth of the tree.
//
// # Where to change what
//
//	data.go          Data, Problem and Read: all formats of a page
//	page.go          the first walk over the tree: what the page has
//	walk.go          walking trees, attributes, texts
//	budget.go        what a format may cost
//	resolve.go       URLs
//	jsonld.go        JSON-LD; loosejson reads the JSON
//	item.go          items, as microdata and RDFa have them
//	microdata.go     microdata; its values in microdata_value.go
//	rdfa.go          RDFa; names in rdfa_names.go, values in rdfa_value.go
//	microformats.go  microformats2; class names in mf_class.go, values in
//	                 mf_value.go, mf_pattern.go, mf_date.go, what is implied in mf_implied.go
//	meta.go          meta elements, opengraph.go: those of Open Graph
//	links.go         link elements
package structured
