package learn

import (
	"encoding/json"
	"os"
	"path/filepath"
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

func BenchmarkFields(b *testing.B) {
	page, title := corpusPage(b, filepath.Join(pagesDir, "yahoo-3"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fields([]Page{page}, []Example{{"title", title}}); err != nil {
			b.Fatal(err)
		}
	}
}
