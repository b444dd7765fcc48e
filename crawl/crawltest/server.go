// Package crawltest has real HTTP servers that misbehave as servers on the web
// do, for tests over loopback.
//
// Each fault is an http.Handler: mount those you need. Faults below HTTP take
// the connection over and write to it what no server library would; they work
// over HTTP/1.1 alone.
package crawltest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Server is a server on loopback that remembers what it was asked.
type Server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

// NewServer starts a server that ends with the test.
func NewServer(t testing.TB, h http.Handler) *Server {
	s := newServer(h)
	s.Start()
	t.Cleanup(s.end)
	return s
}

// NewTLSServer is NewServer with TLS and HTTP/2. Its certificate is that of
// httptest.
func NewTLSServer(t testing.TB, h http.Handler) *Server {
	s := newServer(h)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.end)
	return s
}

func newServer(h http.Handler) *Server {
	s := &Server{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	s.Config.ErrorLog = quiet
	return s
}

func (s *Server) end() {
	s.CloseClientConnections()
	s.Close()
}

// Requests returns the requests so far, in the order in which they came.
// Their bodies are not there any more.
func (s *Server) Requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.requests...)
}

// Hits tells how often a path with its query was asked for.
func (s *Server) Hits(requestURI string) int {
	n := 0
	for _, r := range s.Requests() {
		if r.RequestURI == requestURI {
			n++
		}
	}
	return n
}

// NewSilentServer accepts connections and never writes to them, until the
// test ends. It returns its address.
func NewSilentServer(t testing.TB) (hostport string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns = append(conns, c)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
		for _, c := range conns {
			c.Close()
		}
	})
	return l.Addr().String()
}

// ClosedAddress returns an address on loopback where nothing listens.
func ClosedAddress(t testing.TB) (hostport string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
