package markdown

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"
)

// BenchmarkRender renders all real pages whole.
func BenchmarkRender(b *testing.B) {
	paths, _ := filepath.Glob(corpus + "/*/source.html")
	if len(paths) == 0 {
		b.Skip("no corpus of real pages at " + corpus)
	}
	var bodies []*html.Node
	size := int64(0)
	for _, path := range paths {
		page, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		bodies = append(bodies, parse(b, page))
		size += int64(len(page))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range bodies {
			Render(body, &Options{Base: "https://a.example/b/"})
		}
	}
}
