// Package learn finds CSS selectors from examples: given the values that
// someone sees on a page, it says where package extract finds them, on that
// page and on others like it. It uses no chance and no network: the same
// pages and examples give the same selectors.
//
// The way of an example:
//
//	value → places on the page → selectors for each place → judged on the other pages → proved by package extract
//
// # Where to change what
//
//	learn.go         what goes in and out
//	search.go        the way of an example
//	list.go          examples within repeated elements
//	repeated.go      which elements are repeated
//	index.go         the page as a list of elements, and which have a feature
//	digest.go        how texts are compared without being kept
//	rendering.go     which text is seen
//	region.go        parts of a page that values are rarely meant to be in
//	places.go        where a value stands: texts and attributes
//	typed.go         values written otherwise: prices, dates, numbers
//	guess.go         which type a value is of
//	names.go         which ids and classes stay, and which are made by machines
//	handles.go       what an element can be held by
//	selector.go      selectors as they are written and matched
//	candidates.go    the selectors that may select a place
//	judge.go         what is worth more: the scores
//	prove.go         the check with package extract itself
//	near.go, errors.go
//	                 examples that are not on the page
package learn
