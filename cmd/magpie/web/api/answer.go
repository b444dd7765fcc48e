package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

// List is a part of a list.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitempty"` // the cursor of the next part; left out: this is the last
}

// whole is a list that is short by nature.
func whole[T any](items []T) List[T] {
	if items == nil {
		items = []T{}
	}
	return List[T]{Items: items}
}

// writeJSON answers with JSON. Text of pages stays harmless on the terminals
// that it may be shown on.
func writeJSON(w http.ResponseWriter, r *http.Request, status int, v any) {
	text, err := machine.Line(v)
	if err != nil {
		panic(err) // stored values are JSON, and the rest are texts and numbers
	}
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	if next, ok := v.(interface{ next() string }); ok && next.next() != "" {
		query := r.URL.Query()
		query.Del("page") // it stands in place of a cursor, as before does
		query.Del("before")
		query.Set("cursor", next.next())
		w.Header().Set("Link", "<"+(&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: query.Encode()}).String()+`>; rel="next"`)
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(text)
	}
}

func (l List[T]) next() string { return l.Next }

// readJSON reads the body of a request. An empty body is the zero value.
func (c *call) readJSON(into any) error {
	dec := json.NewDecoder(c.r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil && err != io.EOF {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return err
		}
		return refuse("see "+Base+"/openapi.json for what it may hold", "the body is not the JSON that this takes: %s", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return refuse("send one value", "the body has more than one value")
	}
	return nil
}

// precondition is a refusal to write over what may not be what it is thought
// to be.
func precondition(detail, advice string, status int) error {
	return problem.New(status, advice, "%s", detail)
}
