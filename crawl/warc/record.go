// Package warc reads and writes web archives: files of requests and responses
// as they went over the wire.
//
// The format is WARC/1.1, https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
// (ISO 28500). Files are often compressed by gzip, each record a member of its
// own, so that one can be read without those before it.
package warc

import (
	"io"
	"strings"
	"time"
)

// Record types, values of the field WARC-Type.
const (
	TypeWarcinfo = "warcinfo"
	TypeRequest  = "request"
	TypeResponse = "response"
	TypeResource = "resource"
	TypeMetadata = "metadata"
	TypeRevisit  = "revisit"
)

// Profiles of revisit records, values of the field WARC-Profile.
const (
	ProfileIdentical   = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	ProfileNotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// Field is a named field of a record's header.
type Field struct{ Name, Value string }

// Header is the header of a record, in order.
type Header []Field

// Get returns the value of the first field of a name, whatever its case; "" if
// there is none.
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Record is a record of a file.
type Record struct {
	Version string // "WARC/1.1"
	Header  Header
	Offset  int64     // of the record in the file; where it is compressed, of the member that it begins in
	Block   io.Reader // its content, until the next record is read
	length  int64
}

// Type is the record's type.
func (r *Record) Type() string { return strings.ToLower(r.Header.Get("WARC-Type")) }

// TargetURI is the URL that the record is about. Old files write it in angle
// brackets.
func (r *Record) TargetURI() string {
	return strings.TrimSuffix(strings.TrimPrefix(r.Header.Get("WARC-Target-URI"), "<"), ">")
}

// Date is when the record's content was fetched; zero if the file does not
// say.
func (r *Record) Date() time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.Header.Get("WARC-Date"))
	if err != nil {
		return time.Time{}
	}
	return t
}

// Length is how many bytes the block has.
func (r *Record) Length() int64 { return r.length }
