package fetch

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
)

// Raw is an exchange as archives keep it. The heads are written anew from what
// net/http knows, in the form of HTTP/1.1 whatever the version was: the fields
// have their usual spelling and stand in alphabetical order, transfer-codings
// are undone and not named.
type Raw struct {
	Request  []byte // the head of the request, without the fields that tell who asks: Authorization, Cookie and Proxy-Authorization
	Response []byte // the head of the response
	Body     []byte // with its content-codings
	URL      string // that was asked for
	IP       string // the server's address; "" where a proxy was asked
}

// personalFields are not kept: an archive is handed on.
var personalFields = map[string]bool{"Authorization": true, "Cookie": true, "Proxy-Authorization": true}

// rawExchange begins the Raw of a response and lets its body be kept.
func rawExchange(r *http.Request, resp *http.Response) (raw *Raw, body *bytes.Buffer) {
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.URL.RequestURI(), r.Host)
	header := r.Header.Clone()
	for name := range personalFields {
		header.Del(name)
	}
	header.Del("Host")
	writeHeader(&head, header)
	raw = &Raw{Request: bytes.Clone(head.Bytes())}
	head.Reset()
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", resp.StatusCode, http.StatusText(resp.StatusCode))
	writeHeader(&head, resp.Header)
	raw.Response = head.Bytes()
	body = new(bytes.Buffer)
	resp.Body = teeBody{io.TeeReader(resp.Body, body), resp.Body}
	return raw, body
}

type teeBody struct {
	io.Reader
	io.Closer
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
