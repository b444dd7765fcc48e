package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/web"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/exposition"
)

// stalledAfter is how long the store may take nothing before a crawl counts as
// unhealthy. It takes something every ten seconds, if only that the crawl is
// alive; a single write may wait for another process's.
const stalledAfter = time.Minute

// serveMetrics serves /metrics and /healthz at an address until closed.
func serveMetrics(address string, crawler *crawl.Crawler, version string) (url string, closeServer func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("serve metrics: %w", err)
	}
	server := &http.Server{Handler: metricsHandler(crawler, version), ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute}
	go server.Serve(listener)
	return "http://" + listener.Addr().String() + "/metrics", func() { server.Close() }, nil
}

func metricsHandler(crawler *crawl.Crawler, version string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		var b bytes.Buffer
		if err := errors.Join(web.WriteProcessMetrics(&b, version), crawler.WriteMetrics(&b)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", exposition.ContentType)
		w.Write(b.Bytes())
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		text, code := health(crawler.Progress(), time.Now())
		w.WriteHeader(code)
		fmt.Fprintln(w, text)
	})
	return mux
}

// health says in a word and a status whether a crawl is at work.
func health(p crawl.Progress, now time.Time) (text string, code int) {
	if idle := now.Sub(p.Stored).Round(time.Second); !p.Stored.IsZero() && idle > stalledAfter {
		return fmt.Sprintf("the database has taken nothing for %s", idle), http.StatusServiceUnavailable
	}
	return "ok", http.StatusOK
}
