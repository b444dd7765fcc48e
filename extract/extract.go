package extract

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Page is what records are taken from.
type Page struct {
	Root *html.Node // the document node
	URL  *url.URL   // the page's address; relative URLs start from it unless the document has a base
}

// Extractor is a compiled Spec, safe for concurrent use.
type Extractor struct {
	spec Spec
}

// Compile checks spec and prepares it. The error is a SpecErrors with every
// mistake found.
func Compile(spec Spec) (*Extractor, error) { return &Extractor{spec: spec}, nil }

// Spec returns what x was compiled from.
func (x *Extractor) Spec() Spec { return x.spec }

// Extract takes the records from a page. It fails no page: what is wrong is
// a Problem of the record or makes it a reject.
func (x *Extractor) Extract(p Page) Result { return Result{} }

// SpecError is one mistake in a Spec.
type SpecError struct {
	Path []any  // keys (string) and list positions (int) as in a job file below "items": "book", "fields", "price", "regex"
	Msg  string // what is wrong, and what to write instead
}

func (e *SpecError) Error() string { return e.Msg }

// SpecErrors are all mistakes of a Spec.
type SpecErrors []*SpecError

func (e SpecErrors) Error() string {
	msgs := make([]string, len(e))
	for i, m := range e {
		msgs[i] = m.Error()
	}
	return strings.Join(msgs, "\n")
}
