package crawl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl/simhash"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/weburl"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct{ name, url, want string }{
		{"the root", "https://h.test/", "https://h.test/"},
		{"one segment", "https://h.test/about", "https://h.test/*"},
		{"a folder", "https://h.test/shop/", "https://h.test/shop/"},
		{"pages of a folder", "https://h.test/shop/a-lamp?ref=1", "https://h.test/shop/*"},
		{"deeper", "https://h.test:81/shop/a-lamp_10/index.html", "https://h.test:81/shop/*/*"},
		{"by year", "https://h.test/2024/05/title", "https://h.test/#/*/*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := weburl.Parse(c.url)
			if err != nil {
				t.Fatal(err)
			}
			if got := pattern(u); got != c.want {
				t.Errorf("pattern = %q, want %q", got, c.want)
			}
		})
	}
}

// shopPage is a page of a template with n products.
func shopPage(n int, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><title>%s</title><header class=top><nav class=menu><ul><li><a class=home>Home</a></ul></nav></header>
		<main class=page><h1 class=title>%[1]s</h1><div class=grid>`, title)
	for i := range n {
		fmt.Fprintf(&b, `<article class="card card-%d"><h2 class=name><a>%d</a></h2><p class=price>£%d</p><img class=photo><p class=text>%[1]d</p></article>`, i, i, i)
	}
	b.WriteString(`</div><aside class=filters><form><label class=check><input class=box></label><button class=send></button></form></aside>
		</main><footer class=bottom><p class=legal>x</p><ul class=social><li class=icon><a></a></ul></footer>`)
	return b.String()
}

func TestOutline(t *testing.T) {
	sum := func(src string) uint64 {
		doc, err := htmlparse.ParseString(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		return outlineSum(doc.Root)
	}
	base := sum(shopPage(10, "Lamps"))
	for _, c := range []struct {
		name, src string
		min, max  int
	}{
		{"other text and more products", shopPage(50, "Chairs and tables"), 0, 0},
		{"one element more", strings.Replace(shopPage(10, "Lamps"), "<aside", "<p class=banner>Sale</p><aside", 1), 0, 8},
		{"other classes", strings.ReplaceAll(shopPage(10, "Lamps"), "class=", "class=new-"), 12, 64},
		{"a login page", `<!DOCTYPE html><title>Log in</title><body class=login><form class=login><input><button>Go</button></form>`, 12, 64},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := simhash.Distance(base, sum(c.src)); d < c.min || d > c.max {
				t.Errorf("distance %d, want %d to %d", d, c.min, c.max)
			}
		})
	}
}

func BenchmarkOutline(b *testing.B) {
	doc, err := htmlparse.ParseString(shopPage(100, "Lamps"), nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		outlineSum(doc.Root)
	}
}
