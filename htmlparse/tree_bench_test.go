package htmlparse

import (
	"runtime"
	"testing"
)

// BenchmarkParseBytes parses the pages of the corpus, sniffing and decoding included: one after the other, on all
// cores, and the beginning of each alone.
func BenchmarkParseBytes(b *testing.B) {
	var pages, small [][]byte
	for _, page := range corpusPages(b) {
		pages = append(pages, []byte(page))
		small = append(small, []byte(page[:min(len(page), 3<<10)]))
	}
	b.Run("pages", func(b *testing.B) { benchmarkPages(b, pages) })
	b.Run("3-KB-pages", func(b *testing.B) { benchmarkPages(b, small) })
	b.Run("parallel", func(b *testing.B) {
		b.SetBytes(totalSize(pages) / int64(len(pages))) // an operation is a page here
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				parseForBenchmark(b, pages[i%len(pages)])
			}
		})
	})
}

func benchmarkPages(b *testing.B, pages [][]byte) {
	b.SetBytes(totalSize(pages))
	b.ReportAllocs()
	for b.Loop() {
		for _, page := range pages {
			parseForBenchmark(b, page)
			runtime.Gosched() // as in a program that waits for its pages: the collector gets its turn
		}
	}
}

func parseForBenchmark(b *testing.B, page []byte) {
	if _, err := ParseBytes(page, nil); err != nil {
		b.Error(err)
	}
}

func totalSize(pages [][]byte) (total int64) {
	for _, page := range pages {
		total += int64(len(page))
	}
	return total
}
