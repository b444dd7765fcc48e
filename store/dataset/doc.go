// Package dataset writes records to files that others can load, check and
// cite. It knows nothing of the database: package store hands it records one
// by one, and it keeps none.
//
// # Where to change what
//
//	formats, names of files        format.go, compression.go
//	fields, their types, columns   schema.go
//	one file a format              jsonl.go, csv.go, parquet*.go, sqlite.go, markdown.go, warc.go
//	which of them takes records    encoder.go
//	keys of records that are gone  gone.go
//	reading stored values          members.go
//	leaving duplicates out         duplicates.go
//	train, validation and test     split.go
//	what stands beside the files   manifest.go, datapackage.go, croissant.go
package dataset
