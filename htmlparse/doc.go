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
//	sniff → decode → tokenize → build the tree
//
// [Sniff] finds the encoding: a byte order mark, the user's override, the
// transport's Content-Type, a prescan of the first 1024 bytes, a check for
// UTF-8 of the whole document, the usual encoding of a locale. A meta element
// that the parser meets later may prove it wrong; the page is then parsed
// again, from the same bytes. A [Tokenizer] cuts the text into tokens, and tree
// construction takes them one by one; the tree it has built decides how the
// text goes on being read (a script's, a title's, a CDATA section).
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
//	tokenizer.go         Tokenizer; its states are in states_….go
//	parser.go            Parser: memory that is used again, in node_slab.go and attributes.go
//	tree_builder.go      tree construction: the builder's state, the dispatcher
//	insertion_mode.go    … the insertion modes, which are in mode_….go
//	mode_in_body_….go    … the tags of the body, by what they are
//	mode_foreign.go      … SVG and MathML; their names in foreign_names.go
//	tag.go               … element types and the sets they belong to
//	open_elements.go     … the stack of open elements; scope.go asks it
//	implied_end_tags.go  … and what it closes without an end tag
//	active_formatting.go … the list of active formatting elements
//	adoption_agency.go   … misnested formatting
//	insertion_place.go   … where a node goes, foster parenting
//	insert_element.go    … making and inserting nodes; text in insert_text.go
//	select_content.go    … the selectedcontent element
//	script.go            … where scripts run; what they write in script_write.go
//	source_positions.go  … Document.Position
//	limits.go            … MaxDepth, MaxNodes
//	tree_error.go        … the codes of its parse errors
//	fragment.go          … ParseFragment
//	shadow_root.go       declarative shadow roots in a finished tree
//	clone.go             Clone: a copy that keeps nothing else in memory
//	dump.go              Dump: a tree in the format of the html5lib tests
//	serialize.go         the fragment serialization algorithm, its options and limits
//	escape.go            … what is escaped, and how
//	limited_writer.go    … RenderOptions.MaxBytes
//	optional_tags.go     … tags that may be left out
//	infoset.go           coercing a tree to what XML can say
//	xml.go               … and writing it
//	internal/encoding    labels and decoders of the Encoding Standard
//
// In trees, the contents of a template are the template element's children.
// A doctype node's identifiers are its attributes "public" and "system".
//
// # Memory
//
// A tree is made of few large pieces of memory, not of many small ones: its
// nodes come from slabs of up to 128, its attributes likewise, and its strings
// are parts of the page's text, which for a page in UTF-8 is the bytes that
// were parsed. Nodes are linked to each other besides. So whoever keeps a
// single node keeps the whole tree and the page, and whoever keeps a single
// string of it keeps the page. [Clone] copies a piece that is to be kept, and
// strings.Clone a string.
//
// Who reads many pages and keeps no node of them can have all trees made in
// the same memory: see [Parser].
//
// # Hostile input
//
// Time and memory grow with the length of the input and no faster. Where a
// page nests its elements deeper than [Options.MaxDepth], or makes more nodes
// than [Options.MaxNodes], the tree is cut and a [ParseError] says so.
package htmlparse
