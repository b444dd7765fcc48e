package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/magpie-crawl/magpie/weburl"
)

// wire stands between Colly and the transport. It sends the request of the
// current exchange, reads the response whole, and tells Colly no more than the
// status: a body would be transcoded, a Location followed, a
// Content-Encoding undone.
type wire struct {
	transport http.RoundTripper
	opts      Options
	exchange  *exchange
	buffer    buffer
}

// exchange is one request and what came of it.
type exchange struct {
	url      string
	target   *url.URL
	header   http.Header
	body     []byte // of a POST
	cancel   context.CancelCauseFunc
	conn     atomic.Pointer[net.Conn] // that the request was sent by, the last one
	response *Response
	err      *Error

	recording *recording // nil: the exchange is not kept
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	x := w.exchange
	if x == nil || x.response != nil || x.err != nil {
		return nil, errors.New("fetch: a request that nobody asked for")
	}
	if x.response, x.err = w.do(r, x); x.err != nil {
		return nil, x.err
	}
	return &http.Response{
		Status:     http.StatusText(x.response.Status),
		StatusCode: x.response.Status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:       http.Header{},
		Body:         http.NoBody,
		Uncompressed: true, // or Colly looks for gzip in URLs that end in .xml.gz
		Request:      r,
	}, nil
}

func (w *wire) do(r *http.Request, x *exchange) (*Response, *Error) {
	ctx := r.Context()
	r = r.WithContext(x.countAttempts(ctx)) // a copy: a RoundTripper must not change its request
	r.URL, r.Host, r.Header = x.target, x.target.Host, x.header
	if host := x.header.Get("Host"); host != "" {
		r.Host = host
	}
	if x.body != nil {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(x.body)), int64(len(x.body))
	}
	if w.opts.KeepRaw {
		x.recording = &recording{limit: w.opts.rawLimit()}
		defer x.recording.stop()
	}
	out := &Response{FetchedAt: time.Now()}
	resp, err := w.transport.RoundTrip(r)
	if err != nil {
		return nil, classify(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, &Error{Reason: ReasonProtocol, Err: errors.New("the server switched to another protocol")}
	}
	out.Status, out.Proto, out.Header = resp.StatusCode, resp.Proto, resp.Header
	out.ContentType = resp.Header.Get("Content-Type")
	var raw *rawExchange
	if w.opts.KeepRaw {
		raw = keepRaw(r, resp, x.recording)
	}
	if err := w.readBody(ctx, x.cancel, resp, out); err != nil {
		out.Release()
		return nil, err
	}
	if raw != nil {
		out.Raw = raw.finish(len(resp.TransferEncoding) > 0, out.Truncated)
		out.Raw.URL, out.Raw.IP = x.url, x.serverIP()
	}
	out.Duration = time.Since(out.FetchedAt)
	if err := out.setLocation(x.url); err != nil {
		out.Release()
		return nil, &Error{Reason: ReasonRedirect, Err: err}
	}
	return out, nil
}

// maxAttempts is how often net/http may send one request.
const maxAttempts = 3

// countAttempts ends a request that net/http sends again and again. It does so
// to get past connections that the server closed meanwhile, but also without
// pause or end when an HTTP/2 server resets each stream with PROTOCOL_ERROR.
func (x *exchange) countAttempts(ctx context.Context) context.Context {
	var attempts atomic.Int32
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		x.conn.Store(&got.Conn)
		if x.recording != nil {
			x.recording.start(got.Conn)
		}
		if attempts.Add(1) > maxAttempts {
			x.cancel(&Error{Reason: ReasonProtocol, Temporary: true, Err: fmt.Errorf("no answer to %d attempts", maxAttempts)})
		}
	}})
}

// serverIP is the address of the server that was asked, "" where a proxy was.
func (x *exchange) serverIP() string {
	conn := x.conn.Load()
	if conn == nil {
		return ""
	}
	inner := *conn
	if recorded, ok := inner.(*recordedConn); ok {
		inner = recorded.Conn
	}
	for t, ok := inner.(*tls.Conn); ok; t, ok = inner.(*tls.Conn) { // two where the proxy is asked by TLS
		inner = t.NetConn()
	}
	address, ok := inner.RemoteAddr().(*net.TCPAddr)
	if _, proxied := inner.(proxyConn); proxied || !ok {
		return ""
	}
	return address.IP.String()
}

// setLocation resolves the Location field of a redirect from url.
func (r *Response) setLocation(url string) error {
	switch r.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	if len(r.Header["Location"]) == 0 {
		return nil
	}
	location := r.Header.Get("Location")
	canonical, _, err := weburl.Resolve(url, escapeBytes(location))
	if err != nil {
		return fmt.Errorf("redirect: %w", err)
	}
	r.Location = canonical
	return nil
}

// escapeBytes percent-encodes the bytes of a header field that are not ASCII,
// whatever encoding they are in, as browsers do.
func escapeBytes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < 0x80 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}
