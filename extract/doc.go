// Package extract turns pages into typed records.
//
// A [Spec] says which types of records ([Item]) a page may hold and where
// their values ([Field]) are found, in CSS. [Compile] checks it once and for
// all; the [Extractor] it returns is run on many pages, from as many
// goroutines as one likes.
//
// What a field goes through:
//
//	select → text or attribute → regex → map → type → default or problem
//
// Selectors see what a browser's querySelector sees: the contents of a
// template element are not in the document. Those of an item with Each are
// looked up within its match; ":root …" and FromDocument look from the
// document.
//
// No page makes extraction fail. A value that cannot be read as its type is
// absent, with a [Problem] that tells the text at fault; a record without a
// required value is a reject. The work on one page is bounded.
//
// # Where to change what
//
//	spec.go              what a spec can say
//	compile.go           what is wrong with one (errors.go: how it is told)
//	selector_syntax.go   how selectors are read; selector.go, nth.go: what they match
//	query.go             the walk over the tree
//	value.go             a field's way, from select to default
//	text.go              the text a reader reads; rendering.go: which elements are blocks, hidden, …
//	price.go, date.go, number.go, bool.go, url.go, html.go, pairs.go, table.go
//	                     one type each; numeral.go, currency.go, months.go, language.go: what they share
//	object.go            JSON objects that keep their order
//	pattern.go           patterns of URLs
package extract
