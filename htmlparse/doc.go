// Package htmlparse turns the bytes of an HTML page into the tree that the
// HTML Standard demands, and says in which encoding it read them and how sure
// that is. The tree is made of *html.Node of golang.org/x/net/html, so that
// cascadia, goquery, htmlquery and their like work on it.
//
// Bad HTML is never an error: there is a tree for every input. The errors
// that functions return are about the reader given, or about wrong [Options].
//
// # The way of the bytes
//
//	sniff → decode → tree
//
// [Sniff] finds the encoding: a byte order mark, the user's override, the
// transport's Content-Type, a prescan of the first 1024 bytes, a check for
// UTF-8 of the whole document, the usual encoding of a locale. A meta element
// that the parser meets later may prove it wrong; the page is then parsed
// again, from the same bytes.
//
// [Parse], [ParseBytes] and [ParseString] build documents, [ParseFragment]
// builds what setting innerHTML would. [Render] writes a tree by the
// standard's algorithm, [RenderWith] with options, [RenderXML] as XML.
//
// # Where things are
//
//	options.go           Options, and which of them are mistakes
//	parse.go             Parse and its like: from input to Document
//	encoding.go          Encoding, Confidence, names and labels of encodings
//	sniff.go             the encoding sniffing algorithm, step by step
//	content_type.go      … the transport's charset parameter
//	prescan.go           … <meta> and tags in the first 1024 bytes
//	meta_charset.go      … the encoding that a meta element declares
//	xml_declaration.go   … the encoding in an XML declaration
//	locale.go            … suggested default encodings
//	change_encoding.go   changing the encoding while parsing
//	quirks.go            the document's mode, by its doctype
//	xnet.go              the tree
//	serialize.go         the fragment serialization algorithm, its options and limits
//	limited_writer.go    … RenderOptions.MaxBytes
//	optional_tags.go     … tags that may be left out
//	infoset.go           coercing a tree to what XML can say
//	xml.go               … and writing it
//	internal/encoding    labels and decoders of the Encoding Standard
//
// In trees, the contents of a template are the template element's children.
// A doctype node's identifiers are its attributes "public" and "system".
package htmlparse
