package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/magpie-crawl/magpie/internal/secretname"
)

// recording is what goes over a connection while an exchange uses it.
type recording struct {
	limit int // bytes of the response that are kept

	mu       sync.Mutex
	conn     *recordedConn // nil: none, or one that cannot be recorded
	request  []byte
	response []byte
	cut      bool // there was more than limit
}

// start records what goes over a connection from now on, and forgets what went
// over another one: net/http sends a request again where a kept connection
// turns out to be closed.
func (r *recording) start(conn net.Conn) {
	r.stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.request, r.response, r.cut = nil, nil, false
	r.conn, _ = conn.(*recordedConn)
	if r.conn != nil {
		r.conn.to.Store(r)
	}
}

// stop ends the recording: what comes next belongs to another exchange. It
// returns what was received, and whether there was more than the limit.
func (r *recording) stop() (response []byte, cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != nil {
		r.conn.to.CompareAndSwap(r, nil)
		r.conn = nil
	}
	return r.response, r.cut
}

// heads returns the head of the request that was sent, without the fields that
// tell who asks, and where the head of the response with a status stands in
// what was received. ok is false where nothing of the kind was recorded.
func (r *recording) heads(status int) (request []byte, from, to int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	request, asked := impersonal(r.request)
	from, to, answered := finalHead(r.response, status)
	return request, from, to, asked && answered
}

// impersonal returns the head at the start of a request, without the fields that
// tell who asks.
func impersonal(request []byte) (head []byte, ok bool) {
	end := headEnd(request)
	for line := range bytes.Lines(request[:end]) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		if len(head) == 0 || !secretname.Is(string(name)) { // the first line has the address
			head = append(head, line...)
		}
	}
	return head, end > 0
}

// finalHead finds the head of the response with a status behind those of
// interim ones. https://www.rfc-editor.org/rfc/rfc9110#section-15.2
func finalHead(b []byte, status int) (from, to int, ok bool) {
	for {
		to = from + headEnd(b[from:])
		if !bytes.HasPrefix(b[from:to], []byte("HTTP/1.")) {
			return 0, 0, false
		}
		line, _, _ := bytes.Cut(b[from:to], []byte("\n"))
		_, rest, _ := bytes.Cut(bytes.TrimRight(line, "\r "), []byte(" "))
		text, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
		code, err := strconv.Atoi(string(text))
		switch {
		case code == status:
			return from, to, true
		case err != nil || code < 100 || code > 199:
			return 0, 0, false
		}
		from = to
	}
}

// headEnd is the length of a head up to the empty line that ends it, and of that
// line, whether or not lines end with CR; 0 if there is none.
func headEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return 0
		}
		i += n + 1
		if rest := b[i:]; bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("\r\n")) {
			return i + bytes.IndexByte(rest, '\n') + 1
		}
	}
}

func (r *recording) sent(conn *recordedConn, p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn == conn && len(r.request) <= MaxHeaderBytes { // its head is all that is asked for
		r.request = append(r.request, p...)
	}
}

func (r *recording) received(conn *recordedConn, p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != conn {
		return
	}
	room := max(0, r.limit-len(r.response))
	if len(p) > room {
		p, r.cut = p[:room], true
	}
	r.response = append(r.response, p...)
}

// recordedConn is a connection that speaks HTTP/1.1, what lies above TLS where
// there is TLS.
type recordedConn struct {
	net.Conn
	to atomic.Pointer[recording] // nil: nobody asks
}

func (c *recordedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if r := c.to.Load(); r != nil && n > 0 {
		r.received(c, p[:n])
	}
	return n, err
}

func (c *recordedConn) Write(p []byte) (int, error) {
	if r := c.to.Load(); r != nil { // before it is written: the answer can be faster than what follows here
		r.sent(c, p)
	}
	return c.Conn.Write(p)
}

// recorder dials connections that can be recorded. Those to proxies cannot:
// what goes over them is the proxy's, or TLS that net/http lays over them.
type recorder struct {
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	tls     *tls.Config
	timeout time.Duration // of the TLS handshake
}

// dialContext is an http.Transport's DialContext.
func (d *recorder) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.dial(ctx, network, address)
	if _, proxied := conn.(proxyConn); proxied || err != nil {
		return conn, err
	}
	return &recordedConn{Conn: conn}, nil
}

// dialTLSContext is an http.Transport's DialTLSContext: net/http hands nobody
// what it lays TLS over itself. A connection that came to HTTP/2 is returned as
// net/http has to have it.
func (d *recorder) dialTLSContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config := d.tls.Clone()
	if config.ServerName, _, err = net.SplitHostPort(address); err != nil {
		conn.Close()
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	_, proxied := conn.(proxyConn)
	if proxied || secure.ConnectionState().NegotiatedProtocol == "h2" {
		return secure, nil
	}
	return &recordedConn{Conn: secure}, nil
}
