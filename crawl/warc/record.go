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
	Direct  bool      // a Reader of the file from Offset on reads this record first
	Block   io.Reader // its content, until the next record is read
	length  int64
}

// Type is the record's type.
func (r *Record) Type() string { return strings.ToLower(r.Header.Get("WARC-Type")) }

// TargetURI is the URL that the record is about. Some files write it in angle
// brackets, as version 1.0 of the standard has it.
func (r *Record) TargetURI() string { return bare(r.Header.Get("WARC-Target-URI")) }

// bare takes a URI out of its angle brackets.
func bare(uri string) string { return strings.TrimSuffix(strings.TrimPrefix(uri, "<"), ">") }

// Date is when the record's content was fetched; zero if the file does not
// say.
func (r *Record) Date() time.Time { return parseDate(r.Header.Get("WARC-Date")) }

// dateLayouts are the granularities of WARC-Date, the usual one first.
// https://www.w3.org/TR/NOTE-datetime
var dateLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateOnly, "2006-01", "2006"}

func parseDate(text string) time.Time {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Length is how many bytes the block has.
func (r *Record) Length() int64 { return r.length }
