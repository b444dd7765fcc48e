// Package search takes text apart into the words that it can be found by, reads
// what people type into a search box, and shows where it was found. It knows
// nothing of databases: package store keeps the index.
//
// # Where to change what
//
//	what a word is             words.go
//	which spellings are one    fold.go
//	what can be asked          query.go, and how the index is asked: match.go
//	the order of what is found rank.go
//	the excerpt that is shown  snippet.go
package search
