// Package extract turns pages into typed records.
//
// A [Spec] says which types of records ([Item]) a page may hold and where
// their values ([Field]) are found: by CSS or XPath, in the page's structured
// data, in the JSON of its scripts, in its header, address or article.
// [Compile] checks it once and for all; the [Extractor] it returns is run on
// many pages, from as many goroutines as one likes. [Bind] does the same with
// the tags of a Go struct, [Auto] takes what a page says without a spec. A
// [Selector] finds elements as the fields do.
//
// What a field goes through:
//
//	source → text, attribute or JSON → jq → regex, trim, replace, split → map → type → join → check → default or problem
//
// Selectors see what a browser's querySelector sees: the contents of a
// template element are not in the document. Those of an item with Each are
// looked up within its match; ":root …" and FromDocument look from the
// document.
//
// No page makes extraction fail. A value that cannot be read as its type, or
// fails its check, is absent, with a [Problem] that tells the text at fault; a
// record without a required value is a reject. [Extractor.Explain] says of
// each value what was tried, what was found where, and what it became. The
// work on one page is bounded.
//
// # Where to change what
//
//	spec.go              what a spec can say
//	compile.go, compile_field.go   what is wrong with one (errors.go: how it is told)
//	source.go            where a value is found; one room for each kind:
//	  source_nodes.go      CSS and XPath (package xpath)
//	  source_data.go       JSON-LD, microdata, RDFa (package structured; data_path.go: "Product.offers.price")
//	  source_json.go       JSON in scripts
//	  source_page.go       meta elements, header, address
//	  source_article.go    the article (package article)
//	scope.go             what selectors are looked up in; siblings
//	selector_syntax.go   how selectors are read, selector_name.go their names; selector.go, selector_attribute.go, selector_states.go, nth.go: what they match
//	query.go             the walk over the tree; select.go: for other packages
//	walk_once.go         one walk for all selectors of an item; selector_set.go, compound_needs.go: which can match an element
//	cost.go              what work costs
//	schema.go            the JSON Schema of records
//	fields.go            the fields of a record, in turn; which need the others
//	value.go             a field's way: alternatives, one of several, lists, nested items
//	piece.go             what a piece of the page becomes
//	problem.go           what is told of a value that could not be had
//	steps.go             what is done to a text; jq.go, json_value.go: to JSON
//	expression.go        checks and computed fields
//	explain.go           what is told of a value
//	text.go              the text a reader reads; rendering.go: which elements are blocks, hidden, …
//	price.go, date.go, datetime.go, relative_date.go, duration.go, number.go, bool.go, url.go, email.go, phone.go, html.go,
//	pairs.go, table.go, links.go
//	                     one type each; numeral.go, currency.go, months.go, clock.go, timezones.go, language.go: what they share
//	bind.go              Go structs
//	auto.go              everything a page says
//	object.go            JSON objects that keep their order
//	pattern.go           patterns of URLs
package extract
