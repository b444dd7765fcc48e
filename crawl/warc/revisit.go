package warc

import (
	"bufio"
	"fmt"
	"maps"
	"net/http"
	"strings"
)

// Revisit is what a revisit record says: that an answer brought what another
// record holds.
// https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#revisit
type Revisit struct {
	Status int         // of the answer; 0: the record does not have its head
	Header http.Header // nil without one

	notModified bool // the answer was a 304
}

// Revisit reads a revisit record. A profile that is none of the standard's is
// an error, since nobody knows what such a record stands for.
func (r *Record) Revisit() (*Revisit, error) {
	v := &Revisit{}
	switch profile := r.Header.Get("WARC-Profile"); { // of whatever version of the standard
	case strings.Contains(profile, "/revisit/identical-payload-digest"):
	case strings.Contains(profile, "/revisit/server-not-modified"):
		v.notModified = true
	default:
		return nil, fmt.Errorf("revisit of the unknown profile %.100q", profile)
	}
	if r.length == 0 {
		return v, nil
	}
	var err error
	if v.Status, v.Header, err = readHead(bufio.NewReader(r.Block)); err != nil {
		return nil, fmt.Errorf("HTTP header: %w", err)
	}
	return v, nil
}

// NotModified says that the server said so, and sent nothing.
func (v *Revisit) NotModified() bool { return v.notModified }

// Of returns the response that the revisit stands for: the head of the answer,
// and the body of the response that it refers to. A 304 updates the header of
// that response, but for what describes its body.
// https://www.rfc-editor.org/rfc/rfc9111#section-3.2
func (v *Revisit) Of(original *Response) *Response {
	out := *original
	switch {
	case v.Header == nil:
	case v.notModified:
		out.Header = maps.Clone(original.Header)
		for name, values := range v.Header {
			if !strings.HasPrefix(name, "Content-") && name != "Transfer-Encoding" {
				out.Header[name] = values
			}
		}
	default:
		out.Status, out.Header = v.Status, v.Header
	}
	return &out
}
