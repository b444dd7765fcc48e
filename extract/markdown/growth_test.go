package markdown

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// hostile makes pages that would take too much of a careless renderer.
var hostile = map[string]func(n int) string{
	"divs_deep":    func(n int) string { return strings.Repeat("<div>", n) + "a" },
	"quotes_deep":  func(n int) string { return strings.Repeat("<blockquote>a", n) },
	"lists_deep":   func(n int) string { return strings.Repeat("<ul><li>a", n) },
	"tables_named": func(n int) string { return strings.Repeat("<table><caption>a</caption><td>a", n) },
	"tables_deep":  func(n int) string { return strings.Repeat("<table><th><td>a<td>", n) },
	"pres_deep":    func(n int) string { return strings.Repeat("<pre>a", n) + "<img src=i>" },
	"marks_deep":   func(n int) string { return strings.Repeat("<b><i>a", n) },
	"siblings":     func(n int) string { return strings.Repeat("<p>a", n) },
	"items":        func(n int) string { return "<ol>" + strings.Repeat("<li>a", n) },
	"items_stray":  func(n int) string { return strings.Repeat("<li>a", n) },
	"descriptions": func(n int) string { return "<dl><dt>a" + strings.Repeat("<dd>b", n) },
	"marks":        func(n int) string { return strings.Repeat("<b>a</b><i>b</i> ", n) },
	"links":        func(n int) string { return strings.Repeat("<a href=x>a</a>", n) },
	"breaks":       func(n int) string { return strings.Repeat("a<br>", n) },
	"underscores":  func(n int) string { return strings.Repeat("_", 8*n) + "&amp;" + strings.Repeat("a", 8*n) },
	"references":   func(n int) string { return strings.Repeat("&amp;", n) },
	"backticks":    func(n int) string { return "<code>" + strings.Repeat("` ``", n) },
	"no_break":     func(n int) string { return strings.Repeat("<b>&nbsp;</b>", n) },
	"rows":         func(n int) string { return "<table>" + strings.Repeat("<tr><td>a<td>b", n) },
	"columns":      func(n int) string { return "<table><tr>" + strings.Repeat("<td>a", n) + strings.Repeat("<tr><td>a", n) },
	"colspans":     func(n int) string { return "<table>" + strings.Repeat("<tr><td colspan=1000>a<td>b", n) },
	"rowspans": func(n int) string {
		return "<table><tr>" + strings.Repeat("<td rowspan=0>a", n) + strings.Repeat("<tr>", n)
	},
	"long_attribute": func(n int) string {
		return "<a href='" + strings.Repeat("@", n) + "' title='" + strings.Repeat("&quot;", n) + "'>a"
	},
	"link_to_blocks": func(n int) string {
		return "<a href='" + strings.Repeat("x", min(n, 8000)) + "'>" + strings.Repeat("<p>a", n)
	},
}

// TestGrowth checks that a page of four times the size takes no more than that,
// with room for the machine,
// and that the result stays within its bound.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time: left out with -short")
	}
	for name, page := range hostile {
		t.Run(name, func(t *testing.T) {
			const n = 4000
			small, large := parse(t, []byte(page(n))), parse(t, []byte(page(4*n)))
			once, more := time.Hour, time.Hour
			for range 20 {
				once, more = min(once, took(t, small)), min(more, took(t, large))
				if more < 10*max(once, 200*time.Microsecond) {
					return
				}
			}
			t.Errorf("four times the page takes %v instead of %v", more, once)
		})
	}
}

// took returns how long a render takes.
func took(t *testing.T, n *html.Node) time.Duration {
	const most = 1 << 20
	start := steadytest.WorkTime()
	md := Render(n, &Options{Base: "https://a.example/" + strings.Repeat("b", 4000) + "/", MaxBytes: most})
	if len(md) > most {
		t.Fatalf("%d bytes of at most %d", len(md), most)
	}
	return steadytest.WorkTime() - start
}

// TestDeepTree renders a tree that no parser has bounded.
func TestDeepTree(t *testing.T) {
	for _, name := range []string{"div", "ul", "li", "blockquote", "table", "td", "dl", "pre", "b", "a", "h1", "svg"} {
		t.Run(name, func(t *testing.T) {
			top := &html.Node{Type: html.ElementNode, Data: name}
			n := top
			for range 100_000 {
				c := &html.Node{Type: html.ElementNode, Data: name}
				n.AppendChild(c)
				n = c
			}
			n.AppendChild(&html.Node{Type: html.TextNode, Data: "found"})
			if md := Render(top, nil); name != "table" && !strings.Contains(md, "found") {
				t.Errorf("the text is lost: %q", md)
			}
		})
	}
}
