// Package place makes files and folders under temporary names beside where they
// will be, and puts them there in one step once they are whole and on disk:
// whoever opens a path finds what was there before or what is there now.
//
// All files of package store that are made so get their names from
// [TemporaryName]. Errors don't name the temporary file, and the caller says
// what was tried.
package place
