package fetch

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"hash"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/magpie-crawl/magpie/internal/secretname"
)

// Raw is an exchange as archives keep it: over HTTP/1.1 as it was on the wire,
// but for interim responses (RFC 9110, section 15.2), which readers of archives
// would take for the response. HTTP/2 has no such form, and neither a proxy's
// exchange nor what lies in its tunnel is the server's: heads are written from
// what net/http knows of them, fields with their usual spelling in alphabetical
// order, and transfer-codings are undone and not named.
type Raw struct {
	Request   []byte // the head of the request, without the fields that tell who asks, such as Authorization and Cookie
	Response  []byte // the head of the response
	Body      []byte // with its content-codings, and the transfer-codings that Response names
	Truncated bool   // Body is cut
	URL       string // that was asked for
	IP        string // the server's address; "" where a proxy was asked

	// PayloadSHA1 is the digest of the payload: Body, transfer-codings undone.
	// nil: Body is cut so that nobody can compute it again.
	PayloadSHA1 []byte
	PayloadSize int64
}

// rawExchange makes the Raw of an exchange while its response is read.
type rawExchange struct {
	io.ReadCloser // the body, transfer-codings undone
	raw           *Raw
	recorded      *recording // nil: heads are written, and kept is the body
	from          int        // where the response's head begins in what is recorded
	kept          bytes.Buffer
	sum           hash.Hash
}

// keepRaw begins the Raw of an exchange whose head has come, and has its body
// looked at when it is read. rec is nil, or what is recorded of it.
func keepRaw(r *http.Request, resp *http.Response, rec *recording) *rawExchange {
	x := &rawExchange{ReadCloser: resp.Body, sum: sha1.New()}
	resp.Body = x
	if request, from, to, ok := rec.heads(resp.StatusCode); ok {
		x.recorded, x.from = rec, from
		x.raw = &Raw{Request: request, Response: make([]byte, to-from)}
		return x
	}
	rec.stop()
	x.raw = &Raw{Request: requestHead(r), Response: responseHead(resp)}
	return x
}

// Read reads the body.
func (x *rawExchange) Read(b []byte) (int, error) {
	n, err := x.ReadCloser.Read(b)
	x.raw.PayloadSize += int64(n)
	x.sum.Write(b[:n])
	if x.recorded == nil {
		x.kept.Write(b[:n])
	}
	return n, err
}

// finish completes the Raw, once the body is read, or enough of it.
func (x *rawExchange) finish(chunked, truncated bool) *Raw {
	x.raw.PayloadSHA1, x.raw.Truncated = x.sum.Sum(nil), truncated
	if x.recorded == nil {
		x.raw.Body = x.kept.Bytes()
		return x.raw
	}
	response, cut := x.recorded.stop()
	head := len(x.raw.Response)
	response = response[x.from:]
	x.raw.Response, x.raw.Body = response[:head:head], response[head:]
	if size := int(x.raw.PayloadSize); !chunked && size <= len(x.raw.Body) {
		x.raw.Body = x.raw.Body[:size:size] // a connection is read ahead of what is asked for
		return x.raw
	}
	if x.raw.Truncated = truncated || cut; x.raw.Truncated {
		x.raw.PayloadSHA1 = nil
	}
	return x.raw
}

// requestHead writes the head of a request.
func requestHead(r *http.Request) []byte {
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.URL.RequestURI(), r.Host)
	header := maps.Clone(r.Header)
	maps.DeleteFunc(header, func(name string, _ []string) bool { return name == "Host" || secretname.Is(name) })
	writeHeader(&head, header)
	return head.Bytes()
}

// responseHead writes the head of a response.
func responseHead(resp *http.Response) []byte {
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", resp.StatusCode, http.StatusText(resp.StatusCode))
	writeHeader(&head, resp.Header)
	return head.Bytes()
}

func writeHeader(b *bytes.Buffer, header http.Header) {
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range header[name] {
			b.WriteString(name + ": " + value + "\r\n")
		}
	}
	b.WriteString("\r\n")
}
