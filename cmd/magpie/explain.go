package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// explained is the explanation of a record's value, as --json writes it.
type explained struct {
	Item     string   `json:"item"`
	Position int      `json:"position"`
	Field    string   `json:"field"`
	Value    any      `json:"value"`
	Tried    []looked `json:"tried"`
	Page     string   `json:"page,omitempty"` // its address

	FetchedAt time.Time `json:"fetched_at"`
}

// looked is one thing that was tried for a value.
type looked struct {
	Source string `json:"source"`
	Query  string `json:"query,omitempty"`
	Path   string `json:"path,omitempty"`  // XPath of the node
	Place  string `json:"place,omitempty"` // line:column-line:column in the source
	Piece  string `json:"piece,omitempty"` // of the source
	Text   string `json:"text,omitempty"`  // what was read there
	Value  any    `json:"value,omitempty"`
	Failed string `json:"failed,omitempty"`
}

// explainValues makes explanations ready for being told: nodes become places.
func explainValues(doc *htmlparse.Document, page extract.Page, list []extract.Explanation) []explained {
	out := make([]explained, len(list))
	for i, x := range list {
		out[i] = explained{x.Item, x.Position, x.Field, x.Value, make([]looked, len(x.Tried)), address(page.URL), page.FetchedAt}
		for j, a := range x.Tried {
			l := looked{Source: a.Source, Query: a.Query, Text: shorten(a.Text), Value: a.Value, Failed: a.Failed}
			if l.Source == "" {
				l.Source = "item"
			}
			if a.Node != nil {
				l.Path, l.Place, l.Piece = extract.NodePath(a.Node), place(doc, a.Node), piece(a.Node)
			}
			out[i].Tried[j] = l
		}
	}
	return out
}

// place is where a node stands in the source: "12:9-12:40".
func place(doc *htmlparse.Document, n *html.Node) string {
	p, ok := doc.Position(n)
	if !ok {
		return ""
	}
	line, column := doc.LineColumn(p.Node.Start)
	endLine, endColumn := doc.LineColumn(p.Node.End)
	return fmt.Sprintf("%d:%d-%d:%d", line, column, endLine, endColumn)
}

const maxPiece = 120 // code points

// piece is the beginning of a node's markup, on one line.
func piece(n *html.Node) string {
	if n.Type == html.DocumentNode {
		return ""
	}
	var b strings.Builder
	// The error is that of the limit, or of a tree that no parser made.
	_ = htmlparse.RenderWith(&b, n, &htmlparse.RenderOptions{MaxBytes: 8 * maxPiece})
	return shorten(b.String())
}

// shorten puts text on one line and cuts it.
func shorten(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if utf8.RuneCountInString(s) > maxPiece {
		s = string([]rune(s)[:maxPiece]) + "…"
	}
	return s
}

// writeExplained tells how values came about, record by record.
func writeExplained(w io.Writer, list []explained) error {
	t := terminalOf(w)
	var b strings.Builder
	line := func(indent int, s string) { b.WriteString(strings.Repeat(" ", indent) + s + "\n") }
	record := ""
	for _, x := range list {
		if name := fmt.Sprintf("%s[%d]", x.Item, x.Position); name != record {
			record = name
			line(0, t.style(bold, harmless.Text(name)))
		}
		value := "absent"
		if x.Value != nil {
			value = shorten(display(x.Value))
		}
		line(2, t.style(bold, harmless.Text(x.Field))+" = "+harmless.Text(value))
		for _, l := range x.Tried {
			line(4, t.style(dim, harmless.Text(strings.TrimSpace(l.Source+" "+l.Query)))+harmless.Text(l.outcome()))
			if l.Path != "" {
				line(6, t.style(dim, harmless.Text(strings.TrimSpace(l.Place+" "+l.Path))))
			}
			if l.Piece != "" {
				line(6, harmless.Text(l.Piece))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// outcome is what came of something that was tried.
func (l looked) outcome() string {
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
	return text + " → " + shorten(display(l.Value))
}
