package xpath

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// corpus is where real pages are that others judged.
const corpus = "../../../shared/corpus/pages"

func readPages(t testing.TB, most int) (roots []*html.Node, size int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, "*", "source.html"))
	if err != nil || len(files) == 0 {
		t.Skip("no pages in " + corpus)
	}
	for _, name := range files[:min(most, len(files))] {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := htmlparse.ParseBytes(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		roots, size = append(roots, doc.Root), size+len(src)
	}
	return roots, size
}

// usual are expressions as people write them.
var usual = []string{
	"//a/@href", "//a", "//h1", "string(//title)", "//div/p", "//div//p", "//div/p[1]", "//li[1]", "//p[last()]", "(//p)[1]", "//div[@id='content']", "//div[contains(@class, 'post')]//a",
	"//*[has-class('article')]", "//a[starts-with(@href, 'http')]/text()", "//p[normalize-space()]", "//p[contains(., 'the')]", "//h2/following-sibling::p[1]", "//img/ancestor::div[1]",
	"//p/..", "//h1 | //h2 | //h3", "//a[not(@href)]", "count(//a)", "//div[.//img]", "//meta[@property='og:title']/@content", "//text()[normalize-space()]", "//td[2]",
}

func BenchmarkUsual(b *testing.B) {
	roots, _ := readPages(b, 130)
	nodes := 0
	for _, r := range roots {
		nodes += len(places(r))
	}
	for _, src := range usual {
		e := mustCompile(b, src)
		b.Run(src, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, r := range roots {
					if _, err := e.Evaluate(r, nil); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range usual {
			mustCompile(b, src)
		}
	}
}
