package structured

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestCorpus reads real pages.
func TestCorpus(t *testing.T) {
	pages := corpus(t)
	var items, nodes, problems int
	for i, name := range pages {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			data := Read(parse(t, string(src)), testBase)
			items += len(data.Microdata) + len(data.RDFa) + len(data.Microformats)
			nodes += len(data.JSONLD)
			problems += len(data.Problems)
			if _, err := json.Marshal(data); err != nil {
				t.Error(err)
			}
			for _, p := range data.Problems {
				t.Log(p)
			}
		})
	}
	t.Logf("%d pages: %d items, %d objects of JSON-LD, %d problems", len(pages), items, nodes, problems)
}

func corpus(t testing.TB) []string {
	pages, err := filepath.Glob("../../../shared/corpus/pages/*/source.html")
	if err != nil || len(pages) == 0 {
		t.Skip("the corpus of pages is not here")
	}
	return pages
}

// BenchmarkRead reads all pages of the corpus.
func BenchmarkRead(b *testing.B) {
	var pages []*page
	size := int64(0)
	for _, name := range corpus(b) {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		size += int64(len(src))
		pages = append(pages, &page{root: parse(b, string(src))})
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			Read(p.root, testBase)
		}
	}
}
