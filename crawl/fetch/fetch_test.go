package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl/crawltest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

var page = strings.Repeat("<p>The quick brown fox jumps over the lazy dog.</p>\n", 400)

// newWorker returns a Worker that may connect to loopback.
func newWorker(t testing.TB, opts Options) *Worker {
	tr := NewTransport(TransportOptions{AllowPrivate: true})
	t.Cleanup(tr.CloseIdleConnections)
	return NewWorker(tr, opts)
}

// get asks for a URL and fails the test if there is no response.
func get(t testing.TB, w *Worker, url string) *Response {
	t.Helper()
	r, err := w.Get(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantError asks for a URL that has to fail for a reason.
func wantError(t testing.TB, w *Worker, url string, reason Reason, temporary bool) *Error {
	t.Helper()
	r, err := w.Get(t.Context(), url, nil)
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("got a response (%v), %v; want an error of the reason %q", r != nil, err, reason)
	}
	if r != nil || e.Reason != reason || e.Temporary != temporary {
		t.Errorf("got a response (%v), temporary %v: %v; want %q, %v", r != nil, e.Temporary, err, reason, temporary)
	}
	return e
}

func TestResponse(t *testing.T) {
	s := crawltest.NewServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{"text/html; charset=ISO-8859-1"}
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		w.WriteHeader(http.StatusTeapot)
		w.Write([]byte("<meta charset=utf-8>caf\xc3\xa9 caf\xe9"))
	}))
	before := time.Now()
	r := get(t, newWorker(t, Options{}), s.URL+"/")
	if got := string(r.Body); got != "<meta charset=utf-8>caf\xc3\xa9 caf\xe9" {
		t.Errorf("body %q is not as sent", got)
	}
	if r.Status != http.StatusTeapot || r.Proto != "HTTP/1.1" || r.ContentType != "text/html; charset=ISO-8859-1" {
		t.Errorf("%d %s %q", r.Status, r.Proto, r.ContentType)
	}
	if diff := cmp.Diff([]string{"a=1", "b=2"}, r.Header["Set-Cookie"]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if r.WireBytes != int64(len(r.Body)) || r.Truncated || r.Warnings != nil || r.Location != "" {
		t.Errorf("%+v", r)
	}
	if r.FetchedAt.Before(before) || r.Duration <= 0 || r.FetchedAt.Add(r.Duration).After(time.Now()) {
		t.Errorf("at %v for %v", r.FetchedAt, r.Duration)
	}
}

func TestRequest(t *testing.T) {
	s := crawltest.NewServer(t, crawltest.HTML(page))
	w := newWorker(t, Options{UserAgent: "foobot/1.0"})
	for _, tt := range []struct {
		name   string
		header http.Header
		want   http.Header
	}{
		{"default", nil, http.Header{
			"User-Agent":      {"foobot/1.0"},
			"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
			"Accept-Encoding": {"gzip, br, zstd, deflate"},
		}},
		{"with more", http.Header{"if-none-match": {`"x"`}, "Accept": {"text/plain"}}, http.Header{
			"User-Agent":      {"foobot/1.0"},
			"Accept":          {"text/plain"},
			"Accept-Encoding": {"gzip, br, zstd, deflate"},
			"If-None-Match":   {`"x"`},
		}},
		{"none stay behind", nil, http.Header{
			"User-Agent":      {"foobot/1.0"},
			"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
			"Accept-Encoding": {"gzip, br, zstd, deflate"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := w.Get(t.Context(), s.URL+"/", tt.header); err != nil {
				t.Fatal(err)
			}
			all := s.Requests()
			if diff := cmp.Diff(tt.want, all[len(all)-1].Header); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// targets are paths and queries that are canonical to browsers.
var targets = []string{
	"/", "/?", "/a/b.html?c=d&e", "/a|b[c]", "/%7Ea%2Fb/%41", "//a//b", "//a|b", "/a//", "/a:b@c;d,e=f+g",
	"/?a=|{}^`\\", "/feed.xml.gz", "/%E2%82%AC?%E2%82%AC", "/a?b?c/d", "/*", "/!$&'()*", "/?%27", "/.a/..b/...", "/?100%&%zz",
}

// badTargets are those of them that net/http's server refuses.
var badTargets = []string{"/100%", "/%zz?%zz%", "/a%", "//a%"}

// TestTarget looks at what goes over the wire: the URL to the letter.
func TestTarget(t *testing.T) {
	t.Run("HTTP/1.1", func(t *testing.T) {
		addr, lines := newLineServer(t)
		w := newWorker(t, Options{})
		for _, target := range append(targets, badTargets...) {
			t.Run(target, func(t *testing.T) {
				get(t, w, "http://"+addr+target)
				want := "GET " + target + " HTTP/1.1"
				if target == "//a|b" || target == "//a%" {
					want = "GET http://" + addr + target + " HTTP/1.1"
				}
				if got := <-lines; got != want {
					t.Errorf("sent %q, want %q", got, want)
				}
			})
		}
	})
	t.Run("HTTP/2.0", func(t *testing.T) {
		s := crawltest.NewTLSServer(t, crawltest.HTML(""))
		w := newTLSWorker(t, s)
		for _, target := range targets {
			t.Run(target, func(t *testing.T) {
				r := get(t, w, s.URL+target)
				all := s.Requests()
				if last := all[len(all)-1]; last.RequestURI != target || last.Host != strings.TrimPrefix(s.URL, "https://") || r.Proto != "HTTP/2.0" {
					t.Errorf("sent %q to %q by %s", last.RequestURI, last.Host, r.Proto)
				}
			})
		}
	})
	for _, url := range []string{"", "/a", "ftp://a.example/", "http://A.example/", "http://a.example", "http://a.example/#b", "http://a.example/ü", "http://u@a.example/"} {
		t.Run("not canonical "+url, func(t *testing.T) {
			wantError(t, newWorker(t, Options{}), url, ReasonURL, false)
		})
	}
}

// newLineServer answers every request with 204 and sends its first line to
// lines.
func newLineServer(t *testing.T) (addr string, lines <-chan string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	out := make(chan string, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			scanner := bufio.NewScanner(c)
			scanner.Scan()
			out <- scanner.Text()
			for scanner.Scan() && scanner.Text() != "" {
			}
			io.WriteString(c, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
			c.Close()
		}
	}()
	return l.Addr().String(), out
}

// newTLSWorker returns a Worker that trusts the server.
func newTLSWorker(t testing.TB, s *crawltest.Server) *Worker {
	opts := TransportOptions{AllowPrivate: true}
	if s.TLS != nil {
		opts.RootCAs = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	}
	tr := NewTransport(opts)
	t.Cleanup(tr.CloseIdleConnections)
	return NewWorker(tr, Options{})
}

// TestEnvironment sets what Colly reads from the environment.
func TestEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"ALLOWED_DOMAINS": "other.example", "DISALLOWED_DOMAINS": "127.0.0.1", "CACHE_DIR": t.TempDir(), "DETECT_CHARSET": "yes", "FOLLOW_REDIRECTS": "yes",
		"IGNORE_ROBOTSTXT": "no", "MAX_BODY_SIZE": "3", "MAX_DEPTH": "-1", "MAX_REQUESTS": "1", "PARSE_HTTP_ERROR_RESPONSE": "no", "TRACE_HTTP": "yes", "USER_AGENT": "x",
	} {
		t.Setenv("COLLY_"+name, value)
	}
	mux := http.NewServeMux()
	mux.Handle("/", crawltest.HTML("caf\xe9"))
	mux.Handle("/robots.txt", crawltest.HTML("User-agent: *\nDisallow: /\n"))
	mux.Handle("/away", crawltest.Redirect("/there"))
	s := crawltest.NewServer(t, mux)
	w := newWorker(t, Options{})
	for range 3 {
		if r := get(t, w, s.URL+"/"); string(r.Body) != "caf\xe9" {
			t.Errorf("body %q", r.Body)
		}
	}
	if r := get(t, w, s.URL+"/away"); r.Location != s.URL+"/there" {
		t.Errorf("%+v", r)
	}
	if n := len(s.Requests()); n != 4 || s.Hits("/robots.txt") != 0 || s.Requests()[0].UserAgent() != DefaultUserAgent {
		t.Errorf("%d requests as %s", n, s.Requests()[0].UserAgent())
	}
	if files, err := os.ReadDir(os.Getenv("COLLY_CACHE_DIR")); err != nil || len(files) > 0 {
		t.Errorf("cached: %v, %v", files, err)
	}
}

func TestStatus(t *testing.T) {
	for _, code := range []int{200, 201, 203, 204, 206, 300, 304, 400, 403, 404, 410, 418, 429, 500, 503, 599, 999} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			s := crawltest.NewServer(t, crawltest.Status(code))
			if r := get(t, newWorker(t, Options{}), s.URL+"/"); r.Status != code || (len(r.Body) > 0) == (code == 204 || code == 304) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestRedirect(t *testing.T) {
	tests := []struct {
		name, location, want string // "" where the redirect must not be followed
	}{
		{"relative", "b?c#d", "/a/b?c"},
		{"absolute path", "/b", "/b"},
		{"other host", "https://OTHER.example:443/b", "https://other.example/b"},
		{"other scheme's host", "//other.example/b", "http://other.example/b"},
		{"query", "?q", "/a/x?q"},
		{"empty", "", "/a/x"},
		{"UTF-8", "/caf\xc3\xa9", "/caf%C3%A9"},
		{"Latin-1", "/caf\xe9", "/caf%E9"},
		{"not ASCII in a host", "http://b\xc3\xbccher.example/", "http://xn--bcher-kva.example/"},
		{"spaces", " /b c ", "/b%20c"},
		{"lone percent sign", "/100%", "/100%"},
		{"file", "file:///etc/passwd", ""},
		{"data", "data:text/html,x", ""},
		{"javascript", "javascript:alert(1)", ""},
		{"ftp", "ftp://other.example/", ""},
		{"no URL", "http://[bad/", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := crawltest.NewServer(t, crawltest.Redirect(tt.location))
			w := newWorker(t, Options{})
			if tt.want == "" {
				wantError(t, w, s.URL+"/a/x", ReasonRedirect, false)
			} else {
				if strings.HasPrefix(tt.want, "/") {
					tt.want = s.URL + tt.want
				}
				if r := get(t, w, s.URL+"/a/x"); r.Location != tt.want || r.Status != http.StatusFound {
					t.Errorf("location %q, want %q", r.Location, tt.want)
				}
			}
			if n := len(s.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
	t.Run("loop", func(t *testing.T) {
		s := crawltest.NewServer(t, crawltest.RedirectLoop())
		w := newWorker(t, Options{})
		if r := get(t, w, s.URL+"/"); r.Location != s.URL+"/?hop=1" || len(s.Requests()) != 1 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("no Location", func(t *testing.T) {
		s := crawltest.NewServer(t, crawltest.Status(http.StatusMovedPermanently))
		if r := get(t, newWorker(t, Options{}), s.URL+"/"); r.Location != "" || !bytes.Contains(r.Body, []byte("301")) {
			t.Errorf("%+v", r)
		}
	})
	t.Run("Location of what is no redirect", func(t *testing.T) {
		s := crawltest.NewServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "javascript:alert(1)")
			w.WriteHeader(http.StatusCreated)
		}))
		if r := get(t, newWorker(t, Options{}), s.URL+"/"); r.Location != "" {
			t.Errorf("%+v", r)
		}
	})
}

func TestCancel(t *testing.T) {
	s := crawltest.NewServer(t, crawltest.Silence())
	w := newWorker(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
	_, err := w.Get(ctx, s.URL+"/", nil)
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Reason != ReasonCanceled || !e.Temporary || !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

// TestReuse makes thousands of requests with one worker: connections are used
// again, and neither goroutines nor memory grow.
func TestReuse(t *testing.T) {
	var mu sync.Mutex
	connections := map[string]bool{}
	codings := []string{"", "gzip", "br", "zstd", "deflate"}
	coded := map[string]http.Handler{}
	for _, c := range codings[1:] {
		coded[c] = crawltest.Coded(c, crawltest.Encode(strings.NewReader(page), c))
	}
	s := crawltest.NewServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		connections[r.RemoteAddr] = true
		mu.Unlock()
		if h := coded[r.URL.RawQuery]; h != nil {
			h.ServeHTTP(w, r)
		} else {
			crawltest.HTML(page).ServeHTTP(w, r)
		}
	}))
	w := newWorker(t, Options{})
	run := func(n int) (goroutines int, heap uint64) {
		for i := range n {
			if r := get(t, w, s.URL+"/?"+codings[i%len(codings)]); string(r.Body) != page || len(r.Warnings) > 0 {
				t.Fatalf("%d bytes, %q", len(r.Body), r.Warnings)
			}
		}
		runtime.GC()
		runtime.GC() // empties the pools
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc
	}
	goroutines, heap := run(200)
	goroutinesLater, heapLater := run(2000)
	if len(connections) > 5 { // one, but where a goroutine was held up after its answer was there
		t.Errorf("%d connections", len(connections))
	}
	for late := time.Now().Add(steadytest.Patience); goroutinesLater > goroutines+2 && time.Now().Before(late); time.Sleep(time.Millisecond) {
		goroutinesLater = runtime.NumGoroutine() // those of a connection that was given up end
	}
	if goroutinesLater > goroutines+2 {
		t.Errorf("%d goroutines after 200 requests, %d after 2,200", goroutines, goroutinesLater)
	}
	if got := int64(heapLater) - int64(heap); got > 3<<20 { // the server remembers 1 KB a request
		t.Errorf("the heap grew by %d KiB", got>>10)
	}
}

// TestLargeBodies lets a worker wait for a place that another one holds.
func TestLargeBodies(t *testing.T) {
	s := crawltest.NewServer(t, crawltest.HTML(strings.Repeat("x", 2*LargeBody)))
	places := make(chan struct{}, 1)
	first := get(t, newWorker(t, Options{LargeBodies: places}), s.URL+"/")
	second := newWorker(t, Options{LargeBodies: places, Timeout: 100 * time.Millisecond})
	wantError(t, second, s.URL+"/", ReasonTimeout, true)
	first.Release()
	first.Release()
	again := get(t, newWorker(t, Options{LargeBodies: places}), s.URL+"/")
	if len(again.Body) != 2*LargeBody || len(places) != 1 {
		t.Errorf("%d bytes, %d places taken", len(again.Body), len(places))
	}
	again.Release()
	if len(places) != 0 {
		t.Errorf("%d places taken at the end", len(places))
	}
}

// TestLargeBodyThatWaitsIsNotSlow keeps a body from its place for many windows: that it does not come in is not the
// server's fault.
func TestLargeBodyThatWaitsIsNotSlow(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	m := &meter{}
	d := m.watch(cancel, 1, time.Hour) // the test checks by itself
	defer d.stop()
	resume := d.pause()
	for range 10 {
		d.check()
	}
	if err := context.Cause(ctx); err != nil {
		t.Fatalf("while it waits: %v", err)
	}
	resume()
	m.n.Add(3600)
	d.check()
	if err := context.Cause(ctx); err != nil {
		t.Fatalf("after a window with enough bytes: %v", err)
	}
	d.check()
	if e, ok := errors.AsType[*Error](context.Cause(ctx)); !ok || e.Reason != ReasonSlow {
		t.Errorf("after one without any: %v", context.Cause(ctx))
	}
}
