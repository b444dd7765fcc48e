package demo

import (
	"net/http"
	"strconv"
)

// fault spoils an answer. It returns what the answer is to be written to, or
// nil when it has given an answer of its own.
type fault func(http.ResponseWriter) http.ResponseWriter

// faults happen at the first GET of these paths; the next one is fine.
var faults = map[string]fault{
	"/pl/":                          busy,
	"/vi/product/vong-bac.html":     busy,
	"/ko/product/bronze-bowl.html":  cut,
	"/fr/product/face-a-main.html":  cut,
	"/el/product/briki.html":        cut,
	"/ru/product/podstakannik.html": silent,
}

// fault returns what is to go wrong with the request, nil: nothing.
func (s *Site) fault(r *http.Request) fault {
	f := faults[r.URL.Path]
	if f == nil || r.Method != http.MethodGet {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed[r.URL.Path] {
		return nil
	}
	s.failed[r.URL.Path] = true
	return f
}

// busy asks to come back in a second.
func busy(w http.ResponseWriter) http.ResponseWriter {
	w.Header().Set("Retry-After", "1")
	http.Error(w, "The magpie is out. Come back in a second.", http.StatusServiceUnavailable)
	return nil
}

// cut ends the connection in the middle of the body.
func cut(w http.ResponseWriter) http.ResponseWriter { return &cutter{w} }

// silent ends the connection without an answer.
func silent(http.ResponseWriter) http.ResponseWriter { panic(http.ErrAbortHandler) }

// cutter passes the half of a body that is written in one piece.
type cutter struct{ http.ResponseWriter }

func (c *cutter) Write(body []byte) (int, error) {
	c.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if _, err := c.ResponseWriter.Write(body[:len(body)/2]); err != nil {
		return 0, err
	}
	if err := http.NewResponseController(c.ResponseWriter).Flush(); err != nil {
		return 0, err
	}
	panic(http.ErrAbortHandler)
}
