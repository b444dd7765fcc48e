package crawltest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"testing"
)

func TestServer(t *testing.T) {
	for name, start := range map[string]func(testing.TB, http.Handler) *Server{"HTTP/1.1": NewServer, "HTTP/2.0": NewTLSServer} {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.Handle("/", First(1, Unavailable("1"), HTML("<p>hello")))
			mux.Handle("/gone", Status(http.StatusGone))
			s := start(t, mux)
			for path, want := range map[string][]int{"/gone": {410}, "/a?b": {503, 200}} {
				for _, status := range want {
					resp, err := s.Client().Get(s.URL + path)
					if err != nil {
						t.Fatal(err)
					}
					resp.Body.Close()
					if resp.StatusCode != status || resp.Proto != name {
						t.Errorf("%s: %s by %s, want %d", path, resp.Status, resp.Proto, status)
					}
				}
				if n := s.Hits(path); n != len(want) {
					t.Errorf("%d hits on %s", n, path)
				}
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	if c, err := net.Dial("tcp", ClosedAddress(t)); err == nil {
		c.Close()
		t.Error("somebody listens at the closed address")
	}
	c, err := net.Dial("tcp", NewSilentServer(t))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestEncode(t *testing.T) {
	r, err := gzip.NewReader(bytes.NewReader(Encode(io.LimitReader(zeros{}, 1000), "gzip")))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); err != nil || !bytes.Equal(b, make([]byte, 1000)) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}
