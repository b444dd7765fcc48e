package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/crawltest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestFaults meets one misbehaving server after the other. After each fault
// the same worker has to get a page from a good one.
func TestFaults(t *testing.T) {
	tests := []struct {
		name      string
		fault     http.Handler
		reason    Reason
		temporary bool
	}{
		{"accepts and is silent", crawltest.Silence(), ReasonTimeout, true},
		{"closes without an answer", crawltest.Hangup(), ReasonReset, true},
		{"sends its header slowly", crawltest.SlowHeader(20 * time.Millisecond), ReasonTimeout, true},
		{"sends its body slowly", crawltest.Drip(20 * time.Millisecond), ReasonSlow, true},
		{"resets the connection within the body", crawltest.ResetMidBody(), ReasonReset, true},
		{"ends the body too early", crawltest.LongContentLength(), ReasonReset, true},
		{"aborts", crawltest.Abort(), ReasonReset, true},
		{"breaks its chunks", crawltest.BrokenChunks(), ReasonProtocol, true},
		{"leaves out the last chunk", crawltest.MissingLastChunk(), ReasonReset, true},
		{"does not speak HTTP", crawltest.NotHTTP(), ReasonProtocol, true},
		{"switches to another protocol", crawltest.SwitchingProtocols(), ReasonProtocol, false},
		{"floods with header fields", crawltest.HeaderFlood(), ReasonHeaderSize, false},
		{"stacks three content-codings", crawltest.Coded("gzip, br, gzip", nil), ReasonCoding, false},
		{"claims brotli for noise", crawltest.Coded("br", bytes.Repeat([]byte{0xff, 0x77}, 500)), ReasonCoding, true},
		{"sends a gzip header and no more", crawltest.Coded("gzip", crawltest.Encode(strings.NewReader(page), "gzip")[:10]), ReasonCoding, true},
	}
	good := crawltest.NewServer(t, crawltest.HTML(page))
	// Only what has to be given up in time is given little of it.
	workers := map[Reason]*Worker{
		"":            NewWorker(NewTransport(TransportOptions{AllowPrivate: true}), Options{Timeout: 5 * time.Minute, RateWindow: 5 * time.Minute}),
		ReasonTimeout: NewWorker(NewTransport(TransportOptions{AllowPrivate: true, HeaderTimeout: 300 * time.Millisecond}), Options{Timeout: 5 * time.Minute, RateWindow: 5 * time.Minute}),
		ReasonSlow:    NewWorker(NewTransport(TransportOptions{AllowPrivate: true}), Options{Timeout: 5 * time.Minute, RateWindow: 200 * time.Millisecond, MinRate: 1000}),
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := workers[tt.reason]
			if w == nil {
				w = workers[""]
			}
			s := crawltest.NewServer(t, tt.fault)
			e := wantError(t, w, s.URL+"/", tt.reason, tt.temporary)
			t.Log(e)
			r, err := w.Get(t.Context(), good.URL+"/", nil)
			for late := time.Now().Add(steadytest.Patience); err != nil && time.Now().Before(late); { // held up for longer than it is given
				if e, ok := errors.AsType[*Error](err); !ok || e.Reason != tt.reason || w == workers[""] {
					break
				}
				r, err = w.Get(t.Context(), good.URL+"/", nil)
			}
			if err != nil || string(r.Body) != page {
				t.Errorf("then got of a good page: %v", err)
			}
		})
	}
}

func TestTotalTimeout(t *testing.T) {
	s := crawltest.NewServer(t, crawltest.Drip(5*time.Millisecond))
	wantError(t, newWorker(t, Options{Timeout: 200 * time.Millisecond}), s.URL+"/", ReasonTimeout, true)
}

func TestSlowBodyThatIsFastEnough(t *testing.T) {
	s := crawltest.NewServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 8 {
			fmt.Fprint(w, strings.Repeat("x", 100))
			http.NewResponseController(w).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	}))
	w := newWorker(t, Options{MinRate: 100, RateWindow: 400 * time.Millisecond})
	for try := 1; ; try++ {
		r, err := w.Get(t.Context(), s.URL+"/", nil)
		if err == nil && len(r.Body) == 800 {
			return
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Reason != ReasonSlow || try == 10 { // the server may be held up
			t.Fatalf("try %d: %v", try, err)
		}
	}
}

func TestUnavailableOnce(t *testing.T) {
	s := crawltest.NewServer(t, crawltest.First(1, crawltest.Unavailable("7"), crawltest.HTML(page)))
	w := newWorker(t, Options{})
	r := get(t, w, s.URL+"/")
	if wait, ok := RetryAfter(r.Header, time.Now()); r.Status != http.StatusServiceUnavailable || wait != 7*time.Second || !ok {
		t.Errorf("%d, %v, %v", r.Status, wait, ok)
	}
	if r := get(t, w, s.URL+"/"); r.Status != http.StatusOK || string(r.Body) != page {
		t.Errorf("then %d", r.Status)
	}
}

func TestFaultsOverHTTP2(t *testing.T) {
	t.Run("aborts", func(t *testing.T) {
		s := crawltest.NewTLSServer(t, crawltest.Abort())
		t.Log(wantError(t, newTLSWorker(t, s), s.URL+"/", ReasonReset, true))
	})
	header := func(fields int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for i := range fields {
				w.Header().Add("Set-Cookie", fmt.Sprintf("c%d=%s", i, strings.Repeat("x", 1000)))
			}
		})
	}
	t.Run("sends a header just above the limit", func(t *testing.T) {
		s := crawltest.NewTLSServer(t, header(252))
		t.Log(wantError(t, newTLSWorker(t, s), s.URL+"/", ReasonHeaderSize, false))
	})
	t.Run("floods with header fields", func(t *testing.T) {
		// net/http ends the connection and does not say why.
		s := crawltest.NewTLSServer(t, header(1000))
		t.Log(wantError(t, newTLSWorker(t, s), s.URL+"/", ReasonProtocol, true))
	})
	t.Run("refuses the path", func(t *testing.T) {
		// net/http's server resets the stream; its client alone would try
		// again until the deadline.
		s := crawltest.NewTLSServer(t, crawltest.HTML(page))
		w := newTLSWorker(t, s)
		tr := w.wire.transport.(*http.Transport)
		connections, dial := 0, tr.DialContext
		tr.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			connections++ // one after the other
			return dial(ctx, network, address)
		}
		t.Log(wantError(t, w, s.URL+"/100%", ReasonProtocol, true))
		if connections > maxAttempts+1 {
			t.Errorf("%d connections", connections)
		}
	})
	t.Run("sends without end", func(t *testing.T) {
		s := crawltest.NewTLSServer(t, crawltest.Endless())
		w := newTLSWorker(t, s)
		w.wire.opts.BodyLimit = 1 << 20
		if r := get(t, w, s.URL+"/"); !r.Truncated || len(r.Body) != 1<<20 || r.Proto != "HTTP/2.0" {
			t.Errorf("%v, %d bytes, %s", r.Truncated, len(r.Body), r.Proto)
		}
	})
}

func TestConnect(t *testing.T) {
	w := newWorker(t, Options{})
	t.Run("refused", func(t *testing.T) {
		t.Log(wantError(t, w, "http://"+crawltest.ClosedAddress(t)+"/", ReasonRefused, true))
	})
	t.Run("no such host", func(t *testing.T) {
		// A reserved name (RFC 6761). Without a network the resolver has
		// another complaint, of the same reason.
		_, err := w.Get(t.Context(), "http://nobody.invalid/", nil)
		if e, ok := errors.AsType[*Error](err); !ok || e.Reason != ReasonDNS {
			t.Errorf("got %v", err)
		}
	})
	t.Run("silence before TLS", func(t *testing.T) {
		tr := NewTransport(TransportOptions{AllowPrivate: true, TLSTimeout: 100 * time.Millisecond})
		t.Log(wantError(t, NewWorker(tr, Options{}), "https://"+crawltest.NewSilentServer(t)+"/", ReasonTimeout, true))
	})
	t.Run("HTTP where TLS is spoken", func(t *testing.T) {
		s := crawltest.NewServer(t, crawltest.HTML(page))
		t.Log(wantError(t, w, "https"+strings.TrimPrefix(s.URL, "http")+"/", ReasonTLS, false))
	})
	tls := crawltest.NewTLSServer(t, crawltest.HTML(page))
	t.Run("certificate that nobody trusts", func(t *testing.T) {
		t.Log(wantError(t, w, tls.URL+"/", ReasonTLS, false))
	})
	t.Run("certificate of another host", func(t *testing.T) {
		t.Log(wantError(t, newTLSWorker(t, tls), strings.Replace(tls.URL, "127.0.0.1", "localhost", 1)+"/", ReasonTLS, false))
	})
	t.Run("any certificate", func(t *testing.T) {
		tr := NewTransport(TransportOptions{AllowPrivate: true, InsecureTLS: true})
		t.Cleanup(tr.CloseIdleConnections)
		if r := get(t, NewWorker(tr, Options{}), tls.URL+"/"); r.Proto != "HTTP/2.0" || string(r.Body) != page {
			t.Errorf("%s, %d bytes", r.Proto, len(r.Body))
		}
	})
}

func TestLimit(t *testing.T) {
	const limit = 1 << 20
	for _, tt := range []struct {
		name string
		size int
		want int
		cut  bool
	}{
		{"below", limit - 1, limit - 1, false},
		{"exactly", limit, limit, false},
		{"above", limit + 1, limit, true},
		{"far above", 3 * limit, limit, true},
		{"empty", 0, 0, false},
		{"one buffer", minBuffer, minBuffer, false},
		{"one buffer and a byte", minBuffer + 1, minBuffer + 1, false},
	} {
		body := bytes.Repeat([]byte("0123456789abcdef"), tt.size/16+1)[:tt.size]
		for _, coding := range []string{"identity", "gzip"} {
			t.Run(tt.name+" "+coding, func(t *testing.T) {
				sent := body
				if coding == "gzip" {
					sent = crawltest.Encode(bytes.NewReader(body), coding)
				}
				s := crawltest.NewServer(t, crawltest.Coded(coding, sent))
				r := get(t, newWorker(t, Options{BodyLimit: limit}), s.URL+"/")
				if len(r.Body) != tt.want || r.Truncated != tt.cut || !bytes.Equal(r.Body, body[:tt.want]) || len(r.Warnings) > 0 {
					t.Errorf("%d bytes, truncated %v, %q", len(r.Body), r.Truncated, r.Warnings)
				}
				if r.WireBytes > int64(len(sent)) || !tt.cut && r.WireBytes != int64(len(sent)) {
					t.Errorf("%d of %d bytes off the wire", r.WireBytes, len(sent))
				}
			})
		}
	}
	t.Run("endless", func(t *testing.T) {
		s := crawltest.NewServer(t, crawltest.Endless())
		if r := get(t, newWorker(t, Options{BodyLimit: limit}), s.URL+"/"); len(r.Body) != limit || !r.Truncated {
			t.Errorf("%d bytes, truncated %v", len(r.Body), r.Truncated)
		}
	})
	t.Run("smaller than a buffer", func(t *testing.T) {
		s := crawltest.NewServer(t, crawltest.Endless())
		if r := get(t, newWorker(t, Options{BodyLimit: 10}), s.URL+"/"); string(r.Body) != "<p>and on " || !r.Truncated {
			t.Errorf("%q, truncated %v", r.Body, r.Truncated)
		}
	})
}

// TestBombs lets decompression bombs of three times the limit go off: the heap
// may grow by less than 64 MiB with the default limit.
func TestBombs(t *testing.T) {
	limit := int64(DefaultBodyLimit)
	if raceEnabled {
		limit = 1 << 20
	}
	for _, codings := range [][]string{{"gzip"}, {"deflate"}, {"br"}, {"zstd"}, {"gzip", "gzip"}, {"br", "zstd"}, nil} {
		t.Run(strings.Join(codings, ","), func(t *testing.T) {
			h := crawltest.Endless()
			if codings != nil {
				h = crawltest.Bomb(3*limit, codings...)
			}
			s := crawltest.NewServer(t, h)
			w := newWorker(t, Options{BodyLimit: limit})
			peak := int64(1 << 62)
			for try := 0; try < 5 && peak > 64<<20; try++ { // the collector may be held up
				peak = min(peak, peakHeap(func() {
					if r := get(t, w, s.URL+"/"); !r.Truncated || int64(len(r.Body)) != limit {
						t.Errorf("%d bytes, truncated %v", len(r.Body), r.Truncated)
					}
				}))
			}
			if peak > 64<<20 {
				t.Errorf("the heap grew by %d MiB", peak>>20)
			}
		})
	}
	t.Run("nothing but wrapping", func(t *testing.T) {
		// Gzip members without content: nothing comes out, for ever.
		empty := crawltest.Encode(strings.NewReader(""), "gzip")
		s := crawltest.NewServer(t, crawltest.Coded("gzip", bytes.Repeat(empty, 1<<20/len(empty))))
		r := get(t, newWorker(t, Options{BodyLimit: 100 << 10}), s.URL+"/")
		if !r.Truncated || r.WireBytes > 300<<10 {
			t.Errorf("truncated %v, %d bytes off the wire", r.Truncated, r.WireBytes)
		}
	})
}

// peakHeap tells by how much the heap was larger while f ran than before.
func peakHeap(f func()) int64 {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	runtime.GC()
	before := heap()
	var peak atomic.Int64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				peak.Store(max(peak.Load(), heap()-before))
			}
		}
	}()
	f()
	close(stop)
	<-done
	return max(peak.Load(), heap()-before)
}
