// Package search takes text apart into the words that it can be found by, reads
// what people type into a search box, and shows where it was found. Package
// store keeps the index, by SQLite's FTS5: https://www.sqlite.org/fts5.html
//
// # Where to change what
//
//	what a word is             words.go
//	which spellings are one    fold.go
//	what can be asked          query.go
//	what an index holds        columns.go: its columns, and what they weigh
//	how an index is asked      match.go
//	the excerpt that is shown  snippet.go
package search
