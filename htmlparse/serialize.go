package htmlparse

import (
	"io"

	"golang.org/x/net/html"
)

// Render writes n and what it contains as HTML.
func Render(w io.Writer, n *html.Node) error {
	return html.Render(w, n)
}
