package learn

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// hostile are pages that ask for as much work as they can; size is about how
// many elements they have.
var hostile = []struct {
	name string
	page func(size int) string
}{
	{"matches", func(size int) string { return strings.Repeat("<p class=x>£5</p>", size) }},
	{"classes", func(size int) string {
		var b strings.Builder
		for i := range size {
			fmt.Fprintf(&b, "<p class='name%c%c a b%d c'>£5</p>", 'a'+i%26, 'a'+i/26%26, i)
		}
		return b.String()
	}},
	{"prices", func(size int) string { return strings.Repeat("<p>only £5.00 today", size) }},
	{"nested", func(size int) string {
		return strings.Repeat(strings.Repeat("<div class=x>", 400)+"£5"+strings.Repeat("</div>", 400), size/400)
	}},
	{"nested_numbers", func(size int) string {
		return strings.Repeat(strings.Repeat("<div class=x>£", 400)+"5"+strings.Repeat("</div>", 400), size/400)
	}},
	{"list", func(size int) string {
		return "<ul>" + strings.Repeat("<li class=item><b class=name>x</b><i>£6</i></li>", size) + "<li class=item><b class=name>x</b><i>£5</i></li></ul>"
	}},
	{"attributes", func(size int) string { return strings.Repeat("<a href=/5 title='£5' data-x='£5' data-y=5>", size) }},
	{"huge_attribute", func(size int) string {
		return "<p class='" + strings.Repeat("a ", 10*size) + "' title='" + strings.Repeat("£5 ", 10*size) + "'>£5"
	}},
	{"labels", func(size int) string { return "<dl>" + strings.Repeat("<dt>Price</dt><dd>£5</dd>", size) }},
}

func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time: left out with -short")
	}
	const size, times, allowed = 8000, 2, 4
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			small, large := parsePage(t, h.page(size)), parsePage(t, h.page(times*size))
			once, more := learnTime(small), learnTime(large)
			for tries := 0; more > allowed*once; tries++ {
				if tries == 20 {
					t.Fatalf("%d times the page takes %v instead of %v", times, more, once)
				}
				once, more = min(once, learnTime(small)), min(more, learnTime(large))
			}
		})
	}
}

func learnTime(p Page) time.Duration {
	examples := []Example{{"price", "£5"}, {"title", "not there 5"}, {"link", "https://shop.example/5"}, {"count", "5"}}
	start := steadytest.WorkTime()
	Fields([]Page{p, p}, examples)
	List(p, examples[:1])
	return steadytest.WorkTime() - start
}

// TestDeep learns from a tree that no parser makes.
func TestDeep(t *testing.T) {
	doc := &html.Node{Type: html.DocumentNode}
	n := doc
	for range 100_000 {
		c := &html.Node{Type: html.ElementNode, Data: "div"}
		n.AppendChild(c)
		n = c
	}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: "Lamp"})
	page := Page{Root: doc}
	if _, err := Fields([]Page{page, page}, []Example{{"name", "Lamp"}, {"price", "£5"}}); err == nil {
		t.Error("£5 was found")
	}
	List(page, []Example{{"name", "Lamp"}})
}

func TestInput(t *testing.T) {
	page := parsePage(t, "<p>x")
	for _, c := range []struct {
		name     string
		pages    []Page
		examples []Example
	}{
		{"no page", nil, []Example{{"a", "x"}}},
		{"no root", []Page{{}}, []Example{{"a", "x"}}},
		{"no example", []Page{page}, nil},
		{"too many examples", []Page{page}, make([]Example, 1000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Fields(c.pages, c.examples); err == nil {
				t.Error("no error")
			}
		})
	}
}

func FuzzFields(f *testing.F) {
	f.Add("<h1 class=a>Lamp</h1><p id=b>£5</p>", "Lamp", "£5")
	f.Add("<ul><li><b>a</b><i>1</i><li><b>b</b><i>2</i><li><b>c</b><i>3</i></ul>", "b", "2")
	f.Add("<table><tr><th>Day<td>2 January 2026</table>", "2026-01-02", "/x")
	f.Add("<a href=x title='a&quot;b'>\u00e9</a><template><p>x</template>", "a\"b", "x")
	f.Fuzz(func(t *testing.T, src, one, two string) {
		doc, err := htmlparse.ParseString(src, nil)
		if err != nil {
			t.Fatal(err) // bad HTML is no error
		}
		page := Page{Root: doc.Root, URL: caseURL}
		examples := []Example{{"one", one}, {"two", two}}
		fields, _ := Fields([]Page{page, page}, examples)
		for _, l := range fields {
			w := newWanted(newIndex(page), Example{l.Field, map[string]string{"one": one, "two": two}[l.Field]})
			if got := taken(t, page, l); oneLine(got) == "" || l.As == 0 && oneLine(got) != w.line {
				t.Errorf("%s takes %q for %q", describe(l), got, w.line)
			}
			if l.Score <= 0 || l.Score > 1 || l.Matches < 1 {
				t.Errorf("%+v", l)
			}
		}
		List(page, examples)
	})
}
