package htmlparse

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkParseBytes parses the pages of the corpus, sniffing and decoding included.
func BenchmarkParseBytes(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(sharedDir, "corpus", "pages", "*", "source.html"))
	if err != nil {
		b.Fatal(err)
	}
	if len(paths) == 0 {
		b.Skipf("no pages in %s", filepath.Join(sharedDir, "corpus", "pages"))
	}
	var pages [][]byte
	size := 0
	for _, path := range paths {
		page, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, page)
		size += len(page)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, page := range pages {
			if _, err := ParseBytes(page, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}
