package htmlparse

import (
	"io"
	"testing"

	"golang.org/x/net/html"
)

// BenchmarkRender writes the trees of the corpus.
func BenchmarkRender(b *testing.B) {
	var trees []*html.Node
	size := 0
	for _, page := range corpusPages(b) {
		doc, err := ParseString(page, nil)
		if err != nil {
			b.Fatal(err)
		}
		trees = append(trees, doc.Root)
		size += len(page)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, root := range trees {
			if err := Render(io.Discard, root); err != nil {
				b.Fatal(err)
			}
		}
	}
}
