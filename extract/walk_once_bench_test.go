package extract

import (
	"fmt"
	"testing"
)

// BenchmarkTwentyFields takes twenty fields from real pages, whose trees are
// there: in one walk, and with a walk for each.
func BenchmarkTwentyFields(b *testing.B) {
	pages := parsedCorpus(b)
	var fields []Field
	for i, f := range []Field{
		{CSS: "title"}, {CSS: "h1"}, {CSS: `meta[name="description"]`, Attr: "content"}, {CSS: `meta[property="og:title"]`, Attr: "content"},
		{CSS: `meta[property="og:image"]`, Attr: "content"}, {CSS: `link[rel="canonical"]`, Attr: "href"},
		{CSS: "time[datetime]", Attr: "datetime"}, {CSS: ".author"}, {CSS: ".byline a", Attr: "href"}, {CSS: `a[rel="author"]`},
		{CSS: "#content p"}, {CSS: "article header h1, .entry-title, .post-title"}, {CSS: "article > p:first-of-type"},
		{CSS: "article p:nth-child(2)"}, {CSS: "figure > img[src]", Attr: "src"}, {CSS: "figure figcaption"},
		{CSS: "nav ul > li:nth-child(2) > a", Attr: "href"}, {CSS: ".comments .comment .comment-author"},
		{CSS: "table tr:nth-child(2) td"}, {CSS: "#footer a, footer a", Attr: "href"},
	} {
		f.Name = fmt.Sprint("f", i)
		fields = append(fields, f)
	}
	together, alone := bothWays(b, Spec{Items: []Item{{Name: "page", Fields: fields}}})
	for _, way := range []struct {
		name string
		x    *Extractor
	}{{"together", together}, {"alone", alone}} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				way.x.Extract(Page{Root: pages[i%len(pages)]})
			}
		})
	}
}
