package fetch

import (
	"crypto/sha1"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rawWorker returns a worker that keeps exchanges as they are on the wire.
func rawWorker(t *testing.T, options TransportOptions, bodyLimit int64) *Worker {
	t.Helper()
	options.AllowPrivate, options.InsecureTLS, options.Record = true, true, true
	tr := NewTransport(options)
	t.Cleanup(tr.CloseIdleConnections)
	return NewWorker(tr, Options{KeepRaw: true, BodyLimit: bodyLimit})
}

// wireServer is a server that writes answers to the letter, each on what it was
// asked, and closes the connection behind the last one.
func wireServer(t *testing.T, secure bool, answers ...string) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url = "http://" + listener.Addr().String()
	if secure {
		certificate := httptest.NewUnstartedServer(nil)
		certificate.StartTLS()
		t.Cleanup(certificate.Close)
		listener = tls.NewListener(listener, &tls.Config{Certificates: certificate.TLS.Certificates})
		url = "https" + strings.TrimPrefix(url, "http")
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for _, answer := range answers {
					if !readHead(conn) {
						return
					}
					io.WriteString(conn, answer)
				}
			}()
		}
	}()
	return url
}

// readHead reads a request that has no body.
func readHead(conn net.Conn) bool {
	var head []byte
	for b := make([]byte, 1); !strings.HasSuffix(string(head), "\r\n\r\n"); head = append(head, b...) {
		if _, err := conn.Read(b); err != nil {
			return false
		}
	}
	return true
}

func TestRawAsOnTheWire(t *testing.T) {
	const body = "<p>here"
	cases := []struct {
		name, answer   string
		response, body string
	}{
		{"order, case and doubled fields", "HTTP/1.1 200 Fine, thanks\r\nx-b: 1\r\nCONTENT-LENGTH:7\r\nX-a:  2\r\nx-b: 3 \r\n\r\n" + body,
			"HTTP/1.1 200 Fine, thanks\r\nx-b: 1\r\nCONTENT-LENGTH:7\r\nX-a:  2\r\nx-b: 3 \r\n\r\n", body},
		{"a folded field", "HTTP/1.1 200 OK\r\nX-A: 1\r\n  2\r\nContent-Length: 7\r\n\r\n" + body, "HTTP/1.1 200 OK\r\nX-A: 1\r\n  2\r\nContent-Length: 7\r\n\r\n", body},
		{"bare newlines", "HTTP/1.1 200 OK\nContent-Length: 7\n\n" + body, "HTTP/1.1 200 OK\nContent-Length: 7\n\n", body},
		{"no reason", "HTTP/1.1 200\r\nContent-Length: 7\r\n\r\n" + body, "HTTP/1.1 200\r\nContent-Length: 7\r\n\r\n", body},
		{"HTTP/1.0, to the end of the connection", "HTTP/1.0 200 OK\r\n\r\n" + body, "HTTP/1.0 200 OK\r\n\r\n", body},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n003;a=b\r\n<p>\r\n4\r\nhere\r\n0\r\nX-Trailer: 1\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "003;a=b\r\n<p>\r\n4\r\nhere\r\n0\r\nX-Trailer: 1\r\n\r\n"},
		{"interim responses before it", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n" + body,
			"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", body},
		{"more than it said", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n" + body + "and more", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", body},
	}
	for _, secure := range []bool{false, true} {
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s, TLS %v", c.name, secure), func(t *testing.T) {
				r, err := rawWorker(t, TransportOptions{}, 0).Get(t.Context(), wireServer(t, secure, c.answer)+"/", nil)
				if err != nil {
					t.Fatal(err)
				}
				if string(r.Body) != body || r.Raw.Truncated || r.Raw.IP != "127.0.0.1" {
					t.Errorf("body %q, truncated %v, of %q", r.Body, r.Raw.Truncated, r.Raw.IP)
				}
				if diff := cmp.Diff([]string{c.response, c.body}, []string{string(r.Raw.Response), string(r.Raw.Body)}); diff != "" {
					t.Errorf("head and body (-want +got):\n%s", diff)
				}
				if sum := sha1.Sum([]byte(body)); string(r.Raw.PayloadSHA1) != string(sum[:]) || r.Raw.PayloadSize != int64(len(body)) {
					t.Errorf("payload of %d bytes, digest %x", r.Raw.PayloadSize, r.Raw.PayloadSHA1)
				}
			})
		}
	}
}

// TestRawRequest holds that a request is kept as it was sent, but for what
// tells who asks.
func TestRawRequest(t *testing.T) {
	for name, path := range map[string]string{"a path": "/a?b", "a path that is called like a secret": "/cookies/token?q=1"} {
		t.Run(name, func(t *testing.T) {
			url := wireServer(t, false, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			header := http.Header{"Cookie": {"secret"}, "Authorization": {"secret"}, "Proxy-Authorization": {"secret"}, "X-Api-Key": {"secret"}, "X-Access-Token": {"secret"}, "Zz": {"1"}, "If-None-Match": {`"x"`}}
			r, err := rawWorker(t, TransportOptions{}, 0).Get(t.Context(), url+path, header)
			if err != nil {
				t.Fatal(err)
			}
			want := "GET " + path + " HTTP/1.1\r\nHost: " + strings.TrimPrefix(url, "http://") + "\r\nUser-Agent: magpie\r\n" +
				"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, br, zstd, deflate\r\nIf-None-Match: \"x\"\r\nZz: 1\r\n\r\n"
			if diff := cmp.Diff(want, string(r.Raw.Request)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRawOfKeptConnections holds that exchanges which share a connection are
// kept apart, and that one that is sent again is kept as it was answered.
func TestRawOfKeptConnections(t *testing.T) {
	answer := func(s string) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(s), s)
	}
	w, url := rawWorker(t, TransportOptions{}, 0), wireServer(t, false, answer("first"), answer("second"))
	for i, want := range []string{"first", "second", "first", "second"} { // by two connections
		r, err := w.Get(t.Context(), fmt.Sprintf("%s/%d", url, i), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.Raw.Response) + string(r.Raw.Body); got != answer(want) || !strings.HasPrefix(string(r.Raw.Request), fmt.Sprintf("GET /%d ", i)) {
			t.Errorf("exchange %d: %q, %q", i, r.Raw.Request, got)
		}
	}
}

func TestRawTruncated(t *testing.T) {
	chunks := strings.Repeat("1;0123456789\r\nx\r\n", 100_000)
	cases := []struct {
		name, answer string
		limit        int64
		cut          bool // the response, and not only the record of it
		digest       bool
		most         int
	}{
		{"a body", "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 10_000), 1000, true, true, 1001},
		{"a body of chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n", 1000, true, false, 64 << 10},
		{"chunks that are mostly frame", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n", 100_000, false, false, 1 << 20},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := rawWorker(t, TransportOptions{}, c.limit).Get(t.Context(), wireServer(t, false, c.answer)+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Truncated != c.cut || !r.Raw.Truncated || (r.Raw.PayloadSHA1 != nil) != c.digest {
				t.Errorf("truncated: response %v, record %v; digest %x", r.Truncated, r.Raw.Truncated, r.Raw.PayloadSHA1)
			}
			if n := len(r.Raw.Body); n < 1000 || n > c.most || !strings.HasPrefix(c.answer, string(r.Raw.Response)+string(r.Raw.Body)) {
				t.Errorf("%d bytes of body are kept", n)
			}
			if sum := sha1.Sum(r.Raw.Body); c.digest && string(sum[:]) != string(r.Raw.PayloadSHA1) {
				t.Errorf("the digest is not that of the %d bytes kept", len(r.Raw.Body))
			}
		})
	}
}

// TestRawWritten is about exchanges that are not HTTP/1.1 on a connection of
// ours: their heads are written.
func TestRawWritten(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header()["Date"] = nil
		io.WriteString(w, "<p>here")
	})
	plain, second := httptest.NewServer(answer), httptest.NewUnstartedServer(answer)
	second.EnableHTTP2 = true
	second.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(second.Close)
	byTLS := httptest.NewTLSServer(answer)
	t.Cleanup(byTLS.Close)
	proxy := func(s *httptest.Server) Proxies {
		u, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		return Proxies{URLs: []*url.URL{u}}
	}
	for _, c := range []struct {
		name, url, ip, proto string
		proxies              Proxies
	}{
		{"HTTP/2", second.URL + "/a?b", "127.0.0.1", "HTTP/2.0", Proxies{}},
		{"by a proxy", "http://a.example/a?b", "", "HTTP/1.1", proxy(plain)},
		{"by a proxy that is asked by TLS", "http://a.example/a?b", "", "HTTP/1.1", proxy(byTLS)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := rawWorker(t, TransportOptions{Proxies: c.proxies}, 0).Get(t.Context(), c.url, http.Header{"Cookie": {"secret"}, "Authorization": {"secret"}, "X-Api-Key": {"secret"}})
			if err != nil {
				t.Fatal(err)
			}
			raw := r.Raw
			if raw.URL != c.url || raw.IP != c.ip || r.Proto != c.proto || string(raw.Body) != "<p>here" {
				t.Errorf("%s from %q by %s: %q", raw.URL, raw.IP, r.Proto, raw.Body)
			}
			if head := string(raw.Request); !strings.HasPrefix(head, "GET /a?b HTTP/1.1\r\nHost: ") || strings.Contains(head, "secret") {
				t.Errorf("request: %s", head)
			}
			if want := "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Type: text/html\r\n\r\n"; string(raw.Response) != want {
				t.Errorf("response: %q, want %q", raw.Response, want)
			}
		})
	}
}
