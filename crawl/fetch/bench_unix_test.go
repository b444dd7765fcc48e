//go:build unix

package fetch

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/crawltest"
)

// BenchmarkGet compares a Worker with net/http alone on the same transport.
// The server runs in the same process: its share is in both figures.
func BenchmarkGet(b *testing.B) {
	body := []byte(strings.Repeat("<p>The quick brown fox jumps over the lazy dog.</p>\n", 250))
	for _, size := range []int{0, len(body)} {
		for _, coding := range []string{"identity", "gzip"} {
			sent := body[:size]
			if coding == "gzip" {
				sent = crawltest.Encode(bytes.NewReader(sent), coding)
			}
			s := httptest.NewServer(crawltest.Coded(coding, sent)) // it keeps nothing of the requests
			b.Cleanup(s.Close)
			tr := NewTransport(TransportOptions{AllowPrivate: true})
			b.Run(fmt.Sprintf("%d bytes %s/net/http", size, coding), func(b *testing.B) {
				client := http.Client{Transport: tr}
				measureCPU(b, func() error {
					resp, err := client.Get(s.URL + "/")
					if err != nil {
						return err
					}
					defer resp.Body.Close()
					_, err = io.ReadAll(resp.Body)
					return err
				})
			})
			b.Run(fmt.Sprintf("%d bytes %s/Worker", size, coding), func(b *testing.B) {
				w := NewWorker(tr, Options{})
				measureCPU(b, func() error {
					_, err := w.Get(b.Context(), s.URL+"/", nil)
					return err
				})
			})
		}
	}
}

// measureCPU reports the processor time of one call, of all threads.
func measureCPU(b *testing.B, f func() error) {
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	b.ReportAllocs()
	before := cpu()
	n := 0
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(cpu()-before)/float64(n)/1e3, "cpu-µs/op")
}
