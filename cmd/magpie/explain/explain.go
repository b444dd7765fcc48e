// Package explain tells how the values of records came about: what was looked
// at, where in the source it stands, and what it became.
package explain

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// Value is the explanation of a record's value, as --json writes it.
type Value struct {
	Item     string   `json:"item"`
	Position int      `json:"position"`
	Field    string   `json:"field"`
	Value    any      `json:"value"`
	Tried    []Looked `json:"tried"`
	Page     string   `json:"page,omitempty"` // its address

	FetchedAt time.Time `json:"fetched_at"`
}

// Looked is one thing that was tried for a value.
type Looked struct {
	Source string `json:"source"`
	Query  string `json:"query,omitempty"`
	Path   string `json:"path,omitempty"`  // XPath of the node
	Place  string `json:"place,omitempty"` // line:column-line:column in the source
	Piece  string `json:"piece,omitempty"` // of the source
	Text   string `json:"text,omitempty"`  // what was read there
	Value  any    `json:"value,omitempty"`
	Failed string `json:"failed,omitempty"`

	Span htmlparse.Span `json:"-"` // of the node in the decoded source; zero without a Place
}

// Values makes explanations ready for being told: nodes become places. The
// document has to be parsed with positions.
func Values(doc *htmlparse.Document, page extract.Page, list []extract.Explanation) []Value {
	out := make([]Value, len(list))
	for i, x := range list {
		out[i] = Value{x.Item, x.Position, x.Field, x.Value, make([]Looked, len(x.Tried)), address(page.URL), page.FetchedAt}
		for j, a := range x.Tried {
			l := Looked{Source: a.Source, Query: a.Query, Text: values.Short(a.Text), Value: a.Value, Failed: a.Failed}
			if l.Source == "" {
				l.Source = "item"
			}
			if a.Node != nil {
				l.Path, l.Piece = extract.NodePath(a.Node), piece(a.Node)
				l.Place, l.Span = place(doc, a.Node)
			}
			out[i].Tried[j] = l
		}
	}
	return out
}

func address(u *url.URL) string {
	if u == nil {
		return ""
	}
	return u.String()
}

// place is where a node stands in the source: "12:9-12:40".
func place(doc *htmlparse.Document, n *html.Node) (string, htmlparse.Span) {
	p, ok := doc.Position(n)
	if !ok {
		return "", htmlparse.Span{}
	}
	line, column := doc.LineColumn(p.Node.Start)
	endLine, endColumn := doc.LineColumn(p.Node.End)
	return fmt.Sprintf("%d:%d-%d:%d", line, column, endLine, endColumn), p.Node
}

// piece is the beginning of a node's markup, on one line.
func piece(n *html.Node) string {
	if n.Type == html.DocumentNode {
		return ""
	}
	var b strings.Builder
	// The error is that of the limit, or of a tree that no parser made.
	_ = htmlparse.RenderWith(&b, n, &htmlparse.RenderOptions{MaxBytes: 1000})
	return values.Short(b.String())
}

// Outcome is what came of something that was tried.
func (l Looked) Outcome() string {
	text := ""
	if l.Text != "" {
		text = fmt.Sprintf(" read %q", l.Text)
	}
	if l.Failed != "" {
		return text + ": " + l.Failed
	}
	if s, ok := l.Value.(string); ok && s == l.Text {
		return text
	}
	return text + " → " + values.Short(values.Display(l.Value))
}
