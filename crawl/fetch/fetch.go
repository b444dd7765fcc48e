// Package fetch makes one HTTP exchange at a time and brings back the body as
// the server sent it, whatever the server does.
//
// A request takes this way:
//
//	Worker.Get (worker.go)      deadline, result
//	  colly.Collector           the request as github.com/gocolly/colly makes it
//	    wire.RoundTrip (wire.go)  the URL and the header to the letter
//	      http.Transport (transport.go), which dials through the guard (guard.go)
//	    body.go, coding.go      content-codings undone, everything counted and capped
//	    raw.go, record.go       the exchange kept as it was on the wire, for archives
//	  errors.go                 what went wrong, in one word
//
// Colly's own treatment of responses is kept away: it transcodes bodies by the
// header's charset alone, follows redirects unseen, has one limit for bodies
// that does not hold after decompression, and reads settings from the
// environment.
package fetch

import (
	"net/http"
	"time"
)

// Response is an HTTP response with its whole body.
type Response struct {
	Status      int
	Proto       string      // "HTTP/1.1", "HTTP/2.0"
	Header      http.Header // as sent, Content-Encoding included
	ContentType string      // the Content-Type field as sent
	Body        []byte      // after content-codings; not decoded to Unicode
	Truncated   bool        // Body is cut at Options.BodyLimit
	Warnings    []string    // faults that did not cost the response
	FetchedAt   time.Time   // when the request began
	Duration    time.Duration
	WireBytes   int64  // of the body, before content-codings were undone
	Location    string // where a redirect points, canonical and absolute; "" if this is none

	Raw *Raw // the exchange for an archive; nil without Options.KeepRaw

	release func() // nil: no place among Options.LargeBodies was taken
}

// Release says that Body is not used any more. It may be called more than once.
func (r *Response) Release() {
	if r.release != nil {
		r.release()
		r.release = nil
	}
}

// Options are what each request of a Worker is bound to.
type Options struct {
	UserAgent string        // default: DefaultUserAgent
	BodyLimit int64         // bytes of a body, after content-codings; default DefaultBodyLimit
	Timeout   time.Duration // from the request to the end of the body; default DefaultTimeout

	// A body has to bring at least MinRate bytes a second, averaged over each
	// RateWindow. Defaults DefaultMinRate, DefaultRateWindow; a negative
	// MinRate: no such rule.
	MinRate    int
	RateWindow time.Duration

	KeepRaw bool // fill in Response.Raw, as it was on the wire with TransportOptions.Record

	// LargeBodies bounds the memory of all workers that share it: one place in
	// it is taken for each body of more than LargeBody bytes, from before it
	// is read whole until Response.Release. A Worker waits for a place while
	// there is none; to a server that looks like a slow reader. nil: no bound.
	LargeBodies chan struct{}
}

// LargeBody is the size in bytes from which on a body counts as large.
const LargeBody = 1 << 20

// Defaults of Options.
const (
	DefaultUserAgent  = "magpie"
	DefaultBodyLimit  = 32 << 20
	DefaultTimeout    = 3 * time.Minute
	DefaultMinRate    = 100
	DefaultRateWindow = 30 * time.Second
)

// rawLimit is how much of a response is kept in Response.Raw: what a body under
// BodyLimit may take with its content-codings, the head, and something for what
// frames chunks.
func (o Options) rawLimit() int {
	return int(o.BodyLimit + codedRoom(o.BodyLimit) + 2*MaxHeaderBytes)
}

func (o Options) withDefaults() Options {
	if o.UserAgent == "" {
		o.UserAgent = DefaultUserAgent
	}
	if o.BodyLimit <= 0 {
		o.BodyLimit = DefaultBodyLimit
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MinRate == 0 {
		o.MinRate = DefaultMinRate
	}
	if o.RateWindow <= 0 {
		o.RateWindow = DefaultRateWindow
	}
	return o
}
