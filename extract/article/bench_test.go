package article_test

import (
	"testing"

	"github.com/magpie-crawl/magpie/extract/article"
)

// BenchmarkRead reads the articles of real pages that are parsed.
func BenchmarkRead(b *testing.B) {
	pages := readCorpus(b)
	for b.Loop() {
		for _, p := range pages {
			article.Read(p.root, address)
		}
	}
}
