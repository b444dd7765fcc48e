package learn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

const pagesDir = "../../../shared/corpus/pages"

// corpusPage reads a real page and its title.
func corpusPage(t testing.TB, dir string) (Page, string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, "source.html"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := htmlparse.ParseBytes(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	var meta struct{ Title string }
	data, err := os.ReadFile(filepath.Join(dir, "expected-metadata.json"))
	if err == nil {
		err = json.Unmarshal(data, &meta)
	}
	if err != nil {
		t.Fatal(err)
	}
	return Page{Root: doc.Root, URL: "https://site.example/page"}, meta.Title
}

func corpusDirs(t testing.TB) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(pagesDir, "*"))
	if err != nil || len(dirs) == 0 {
		t.Skipf("no pages in %s", pagesDir)
	}
	return dirs
}

// hasText reports whether the text of some element is the title.
func hasText(ix *index, title string) bool {
	want := digestOf(title)
	for i := range ix.elements {
		if e := &ix.elements[i]; e.text.equal(want) && oneLine(extract.TextOf(e.node)) == oneLine(title) {
			return true
		}
	}
	return false
}

// TestCorpusTitles learns the titles of real pages, and takes them anew with
// what was learned.
func TestCorpusTitles(t *testing.T) {
	occurs, found := 0, 0
	for _, dir := range corpusDirs(t) {
		page, title := corpusPage(t, dir)
		if title == "" || !hasText(newIndex(page), title) {
			continue
		}
		occurs++
		learned, err := Fields([]Page{page}, []Example{{"title", title}})
		if err != nil {
			t.Logf("%s: %s", filepath.Base(dir), err)
			continue
		}
		found++
		l := learned[0]
		t.Logf("%s: %.2f %s", filepath.Base(dir), l.Score, describe(l))
		if got := taken(t, page, l); oneLine(got) != oneLine(title) {
			t.Errorf("%s: %s takes %q, want %q", filepath.Base(dir), describe(l), got, title)
		}
	}
	t.Logf("%d of %d titles learned", found, occurs)
	if found*100 < occurs*90 {
		t.Errorf("only %d of %d titles learned", found, occurs)
	}
}

// taken returns what package extract takes with what was learned.
func taken(t testing.TB, page Page, l Learned) string {
	t.Helper()
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "x", Fields: []extract.Field{
		{Name: "v", CSS: l.Selector, Attr: l.Attr},
	}}}})
	if err != nil {
		t.Fatalf("%s: %v", l.Selector, err)
	}
	v, _ := firstValue(x.Extract(extract.Page{Root: page.Root}), 0)
	s, _ := v.(string)
	return s
}

// BenchmarkFields learns one field from real pages and from a long list, the
// page being parsed already.
func BenchmarkFields(b *testing.B) {
	card := `<div class="card mt-4"><h3 class=name><a href=/item>Lamp number x</a></h3><p class=price>£6.00</p><p>Words about it.</p></div>`
	list := parsePage(b, strings.Repeat(card, 2<<20/len(card))+`<h1>Lamp</h1>`)
	b.Run("list of 2 MB", func(b *testing.B) { benchmarkFields(b, list, "Lamp") })
	for _, name := range []string{"yahoo-3", "wikipedia-2"} {
		if _, err := os.Stat(filepath.Join(pagesDir, name)); err != nil {
			continue
		}
		page, title := corpusPage(b, filepath.Join(pagesDir, name))
		b.Run(name, func(b *testing.B) { benchmarkFields(b, page, title) })
	}
}

func benchmarkFields(b *testing.B, page Page, title string) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fields([]Page{page}, []Example{{"title", title}}); err != nil {
			b.Fatal(err)
		}
	}
}
