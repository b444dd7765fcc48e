// Package fileset writes the files of an export: the parts that it is split
// into, the keys of what is gone, and the manifests. They are made beside their
// places, by package place, and take them together once all are whole and on
// disk; until then nothing has changed.
//
// It knows nothing of the database: package store hands it schemas and records,
// and package dataset knows the formats.
//
// # Where to change what
//
//	the order in which an export is made  set.go
//	one file, or folder, of any format    file.go
//	what is told of it                    finish.go
package fileset
