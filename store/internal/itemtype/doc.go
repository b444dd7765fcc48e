// Package itemtype says what follows from an item's declaration: what the
// database keeps of it, the columns of its view, the schema of its exports, and
// by what its fields are compared and indexed.
//
// In goes an [extract.Spec] ([Of]), or what a database kept of one
// ([ParseFields]), from several jobs where they share an item; out come SQL
// text and a dataset.Schema. No database is asked.
package itemtype
