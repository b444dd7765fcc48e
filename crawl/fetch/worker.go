package fetch

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/gocolly/colly/v2"
)

// Worker makes requests, one after the other. It is used by one goroutine at
// a time; workers share a transport.
type Worker struct {
	opts      Options
	collector *colly.Collector
	wire      *wire
	header    http.Header // of a request that states none of its own; never changed
}

// NewWorker returns a Worker that sends its requests through transport, most
// often one of NewTransport.
func NewWorker(transport http.RoundTripper, opts Options) *Worker {
	opts = opts.withDefaults()
	w := &Worker{
		opts: opts,
		wire: &wire{transport: transport, opts: opts},
		header: http.Header{
			"User-Agent":      {opts.UserAgent},
			"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
			"Accept-Encoding": {acceptEncoding},
		},
	}
	w.collector = newCollector(w.wire)
	return w
}

// newCollector returns a collector that does nothing but pass requests to
// the wire. The fields are set here and not by options, which the COLLY_*
// environment variables override.
func newCollector(transport http.RoundTripper) *colly.Collector {
	c := colly.NewCollector()
	c.Async = false
	c.AllowURLRevisit = true
	c.IgnoreRobotsTxt = true
	c.ParseHTTPErrorResponse = true
	c.DetectCharset = false
	c.CheckHead = false
	c.TraceHTTP = false
	c.MaxBodySize = 0
	c.MaxDepth = 0
	c.MaxRequests = 0
	c.CacheDir = ""
	c.AllowedDomains = nil
	c.DisallowedDomains = nil
	c.DisableCookies()
	c.SetRequestTimeout(0)
	c.WithTransport(transport)
	c.SetRedirectHandler(func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse })
	return c
}

// Get asks for a canonical URL, as package weburl writes it. header is sent
// in addition to, and in place of, the header fields of every request; it may
// be nil.
//
// Any answer is a Response, whatever its status; redirects are not followed.
// Every other outcome is an *Error.
func (w *Worker) Get(ctx context.Context, url string, header http.Header) (*Response, error) {
	return w.do(ctx, http.MethodGet, url, header, nil)
}

// Post is Get with a body, whose type header has to name.
func (w *Worker) Post(ctx context.Context, url string, header http.Header, body []byte) (*Response, error) {
	return w.do(ctx, http.MethodPost, url, header, body)
}

func (w *Worker) do(ctx context.Context, method, url string, header http.Header, body []byte) (*Response, error) {
	target, err := parseTarget(url)
	if err != nil {
		return nil, &Error{Reason: ReasonURL, Err: err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	deadline := time.AfterFunc(w.opts.Timeout, func() {
		cancel(&Error{Reason: ReasonTimeout, Temporary: true, Err: fmt.Errorf("not done within %v", w.opts.Timeout)})
	})
	defer deadline.Stop()

	x := &exchange{url: url, target: target, header: w.headerWith(header), body: body, cancel: cancel}
	w.wire.exchange = x
	w.collector.Context = ctx
	// Colly parses URLs by rules of its own; the origin is all that it needs.
	err = w.collector.Request(method, target.Scheme+"://"+target.Host+"/", nil, nil, w.header)
	w.wire.exchange, w.collector.Context = nil, context.Background()
	switch {
	case x.err != nil:
		return nil, x.err
	case err != nil:
		return nil, classify(ctx, err)
	}
	return x.response, nil
}

func (w *Worker) headerWith(more http.Header) http.Header {
	if len(more) == 0 {
		return w.header
	}
	header := maps.Clone(w.header)
	for name, values := range more {
		header[http.CanonicalHeaderKey(name)] = values
	}
	return header
}
