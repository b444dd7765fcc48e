package article_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/article"
	"github.com/magpie-crawl/magpie/extract/article/internal/score"
	"github.com/magpie-crawl/magpie/htmlparse"
)

const (
	corpus  = "../../../shared/corpus/pages"
	address = "http://fakehost/test/page.html" // that the expectations of the corpus were made with
)

// page is a page of the corpus.
type page struct {
	name, truth string
	root        *html.Node
	metadata    map[string]any
}

func readCorpus(t testing.TB) []page {
	files, err := filepath.Glob(filepath.Join(corpus, "*", "source.html"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no corpus of real pages in " + corpus)
	}
	pages := make([]page, len(files))
	for i, f := range files {
		folder := filepath.Dir(f)
		p := page{name: filepath.Base(folder), root: parseFile(t, f), truth: article.TextOf(parseFile(t, filepath.Join(folder, "expected.html")))}
		b, err := os.ReadFile(filepath.Join(folder, "expected-metadata.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &p.metadata); err != nil {
			t.Fatal(err)
		}
		pages[i] = p
	}
	return pages
}

// parseFile parses a page, which the corpus has in UTF-8 whatever it says itself.
func parseFile(t testing.TB, file string) *html.Node {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := htmlparse.ParseBytes(b, &htmlparse.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

// readers by name; each gives the text of a page's article.
var readers = []struct {
	name string
	ours bool
	read func(root *html.Node) string
}{
	{"go-readability", false, func(root *html.Node) string {
		u, _ := url.Parse(address)
		p := readability.NewParser()
		a, err := p.ParseDocument(root, u)
		if err != nil || a.Node == nil {
			return ""
		}
		return article.TextOf(a.Node)
	}},
	{"article", true, textBy(article.Read)},
}

func textBy(read func(*html.Node, string) (*article.Article, bool)) func(*html.Node) string {
	return func(root *html.Node) string {
		if a, ok := read(root, address); ok {
			return a.Text
		}
		return ""
	}
}

// TestReadersOnCorpus scores readers on real pages. What is expected there was
// made by the program that go-readability is a port of: the scores tell more
// of others' likeness to it than of their worth.
func TestReadersOnCorpus(t *testing.T) {
	pages := readCorpus(t)
	best, worst := 0.0, 1.0
	for _, r := range readers {
		scores := make([]score.Score, len(pages))
		for i, p := range pages {
			scores[i] = score.Texts(r.read(p.root), p.truth)
		}
		m := score.Mean(scores)
		t.Logf("%-15s precision %.4f, recall %.4f, F1 %.4f", r.name, m.Precision, m.Recall, m.F1)
		if r.ours {
			worst = min(worst, m.F1)
		} else {
			best = max(best, m.F1)
		}
	}
	if worst < best {
		t.Errorf("F1 is %.4f, and %.4f by a library alone", worst, best)
	}
}

// TestMetadataOnCorpus counts the pages whose metadata is as expected. Where
// nothing is expected, we may know more.
func TestMetadataOnCorpus(t *testing.T) {
	agree, told, more := map[string]int{}, map[string]int{}, map[string]int{}
	least := map[string]float64{"title": 0.9, "byline": 0.9, "siteName": 1, "lang": 1, "publishedTime": 1, "excerpt": 0.95}
	for _, p := range readCorpus(t) {
		a, ok := article.Read(p.root, address)
		if !ok {
			t.Errorf("%s: no article", p.name)
			continue
		}
		for field, got := range map[string]string{
			"title": a.Title, "byline": a.Byline, "siteName": a.SiteName, "lang": a.Language, "publishedTime": a.Date, "excerpt": a.Excerpt,
		} {
			want, _ := p.metadata[field].(string)
			want = strings.Join(strings.Fields(want), " ")
			if field == "publishedTime" {
				want, got = want[:min(len(want), 10)], got[:min(len(got), 10)]
			}
			switch {
			case want == "" && got != "":
				more[field]++
			case want != "":
				told[field]++
				if got == want {
					agree[field]++
				} else {
					t.Logf("%s, %s: got %q, want %q", p.name, field, got, want)
				}
			}
		}
	}
	for field, share := range least {
		t.Logf("%s: %d of %d agree, %d more", field, agree[field], told[field], more[field])
		if float64(agree[field]) < share*float64(told[field]) {
			t.Errorf("%s: %d of %d agree", field, agree[field], told[field])
		}
	}
}

// TestReadLeavesTree compares trees of real pages before and after.
func TestReadLeavesTree(t *testing.T) {
	for _, p := range readCorpus(t) {
		t.Run(p.name, func(t *testing.T) {
			before := render(t, p.root)
			article.Read(p.root, address)
			if render(t, p.root) != before {
				t.Error("the tree is changed")
			}
		})
	}
}

func render(t *testing.T, n *html.Node) string {
	var b strings.Builder
	if err := htmlparse.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
