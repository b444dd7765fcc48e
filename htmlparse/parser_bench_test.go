package htmlparse

import (
	"runtime"
	"testing"
)

// BenchmarkParser parses the pages of the corpus in memory that is used again.
func BenchmarkParser(b *testing.B) {
	var pages [][]byte
	for _, page := range corpusPages(b) {
		pages = append(pages, []byte(page))
	}
	b.SetBytes(totalSize(pages))
	b.ReportAllocs()
	var p Parser
	for b.Loop() {
		for _, page := range pages {
			if _, err := p.ParseBytes(page, nil); err != nil {
				b.Error(err)
			}
			runtime.Gosched()
		}
	}
}
