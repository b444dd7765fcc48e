// Package demo is a small web shop to try a crawler on: sixty products in
// twelve languages, with the encodings, the markup and the faults of the real
// web. It knows what a crawl must bring back (Products) and what it must not
// ask for (Forbidden).
//
// What stands where: catalogue/ has the products, a file for each language,
// templates/ the pages, faults.go what fails, redirects.go what has moved,
// robots.go what robots.txt forbids, job.yaml the job that crawls it all.
package demo

import (
	"maps"
	"net/http"
	"sync"
)

// Site is the shop. It is an http.Handler, to be served at the root of a host,
// and safe for concurrent use. Its faults happen once for each Site.
type Site struct {
	categories []*category
	mux        *http.ServeMux

	mu       sync.Mutex
	requests map[string]int  // by request URI
	failed   map[string]bool // paths whose fault has happened, or is not to
}

// New returns a shop that nobody has visited.
func New() *Site {
	s := &Site{
		categories: loadCatalogue(),
		mux:        http.NewServeMux(),
		requests:   map[string]int{},
		failed:     map[string]bool{},
	}
	s.routes()
	return s
}

// Calm has no fault happen from now on, for a crawl that goes on with what
// another process began: its pages may have failed as often as is tried already.
func (s *Site) Calm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path := range faults {
		s.failed[path] = true
	}
}

// ServeHTTP answers GET and HEAD requests.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.count(r)
	if fault := s.fault(r); fault != nil {
		w = fault(w)
		if w == nil {
			return
		}
	}
	s.mux.ServeHTTP(w, r)
}

func (s *Site) count(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[r.URL.RequestURI()]++
}

// Requests returns how often each path was asked for. A path is as it came:
// escaped, and with its query.
func (s *Site) Requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.requests)
}
