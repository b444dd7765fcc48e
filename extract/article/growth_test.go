package article_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/extract/article"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestGrowth doubles hostile pages: what takes four times as long is quadratic.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rep := strings.Repeat
	for name, page := range map[string]func(n int) string{
		"paragraphs":  func(n int) string { return rep("<p>"+sentence, n) },
		"line breaks": func(n int) string { return "<div>" + rep("a<br><br>", n) },
		"links":       func(n int) string { return rep("<a href=x>"+sentence+"</a>", n) },
		"cells":       func(n int) string { return "<table>" + rep("<tr><td>"+sentence, n) },
		"list":        func(n int) string { return "<ul>" + rep("<li><a href=x>"+sentence+"</a>", n) },
		"images": func(n int) string {
			return rep("<img data-src='a.jpg 1x'><noscript><img src=b></noscript>", n) + sentence
		},
		"times":       func(n int) string { return rep("<time datetime=2020-01-01>x</time>", n) + sentence },
		"classes":     func(n int) string { return rep("<div class=related>"+sentence+"</div>", n) },
		"linked data": func(n int) string { return rep("<script type=application/ld+json>[{}]</script>", n) + sentence },
		"headings":    func(n int) string { return rep("<h2>"+sentence+"</h2>", n) },
		"one text":    func(n int) string { return "<p>" + rep(sentence, n) },
		"spans":       func(n int) string { return "<p>" + rep("<span>"+sentence+"</span>", n) },
		"long titles": func(n int) string {
			return "<title>" + rep("a - ", n) + "</title><h1>" + rep("a ", n) + "</h1><p>" + sentence
		},
		"nested boxes": func(n int) string { return rep(rep("<div>", 20)+sentence+rep("</div>", 20), n/20) },
	} {
		t.Run(name, func(t *testing.T) {
			const n, tries = 3000, 20
			once, twice := time.Hour, time.Hour
			for range tries {
				once, twice = min(once, timeOf(t, page(n))), min(twice, timeOf(t, page(2*n)))
				if twice < 3*once {
					return
				}
			}
			t.Errorf("twice the page takes %v instead of %v", twice, once)
		})
	}
}

func timeOf(t *testing.T, src string) time.Duration {
	root := parse(t, src, nil)
	runtime.GC()
	start := steadytest.WorkTime()
	article.Read(root, "http://a.test/")
	return steadytest.WorkTime() - start
}
