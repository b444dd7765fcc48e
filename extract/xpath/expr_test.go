package xpath

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// TestLongExpressions compiles what is long or nests, or says why not.
func TestLongExpressions(t *testing.T) {
	for _, c := range []struct{ name, src, says string }{
		{"99 brackets", strings.Repeat("(", 99) + "1" + strings.Repeat(")", 99), ""},
		{"many brackets", strings.Repeat("(", 30000), "brackets nest deeper"},
		{"many predicates in each other", strings.Repeat("a[", 20000), "brackets nest deeper"},
		{"many calls in each other", strings.Repeat("not(", 10000), "brackets nest deeper"},
		{"many predicates", "a" + strings.Repeat("[1]", 20000), ""},
		{"many signs", strings.Repeat("-", 60000) + "1", ""},
		{"many operators", "1" + strings.Repeat("+1", 30000), ""},
		{"many comparisons", "1" + strings.Repeat("=1", 30000), ""},
		{"many or", "0" + strings.Repeat(" or 0", 12000), ""},
		{"many unions", "a" + strings.Repeat("|a", 30000), ""},
		{"many steps", "a" + strings.Repeat("/a", 30000), ""},
		{"many //", "a" + strings.Repeat("//a", 20000), ""},
		{"many //.", strings.Repeat(".//", 20000) + "a", ""},
		{"many arguments", "concat('a'" + strings.Repeat(",'a'", 16000) + ")", ""},
		{"much white space", "1" + strings.Repeat(" ", 60000) + "+ 1", ""},
		{"too long", strings.Repeat(" ", maxSource) + "1", "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := Compile(c.src)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("error %v, want one that says %q", err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Evaluate(parseHTML(t, "<a><a></a></a>", nil), nil); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEvaluateWithoutNode(t *testing.T) {
	if _, err := mustCompile(t, "1").Evaluate(nil, nil); err == nil {
		t.Error("no error")
	}
}

func TestPatternsOfThePage(t *testing.T) {
	for _, c := range []struct{ name, page, says string }{
		{"bad", "<p title='('>", "missing closing"},
		{"long", "<p title='" + strings.Repeat("a", 2001) + "'>", "longer than"},
		{"many", numberedParagraphs(200), "more than 100 patterns"},
		{"good", numberedParagraphs(50), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := mustCompile(t, "//p[re:test(@title, @title)]").Evaluate(parseHTML(t, c.page, nil), nil)
			if c.says == "" {
				if err != nil || len(v.Nodes()) != 50 {
					t.Errorf("%d nodes, error %v", len(v.Nodes()), err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

func numberedParagraphs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<p title='" + strings.Repeat("a", i+1) + "'>")
	}
	return b.String()
}

// TestDetached evaluates from nodes without a document.
func TestDetached(t *testing.T) {
	div := &html.Node{Type: html.ElementNode, Data: "div"}
	p := &html.Node{Type: html.ElementNode, Data: "p"}
	div.AppendChild(p)
	doctype := &html.Node{Type: html.DoctypeNode, Data: "html"}
	for _, c := range []struct {
		src  string
		from *html.Node
		want int
	}{
		{"/", p, 1}, {"/p", p, 1}, {"//p | /p | ..", p, 2}, {"..", div, 0}, {".", doctype, 0}, {"//p", div, 1}, {"following::node()", p, 0}, {"preceding::node()", p, 0}, {"self::node()", doctype, 0},
	} {
		t.Run(c.src+" from "+c.from.Data, func(t *testing.T) {
			if got := len(evaluate(t, c.src, c.from).Nodes()); got != c.want {
				t.Errorf("%d nodes, want %d", got, c.want)
			}
		})
	}
}

// TestInTemplate evaluates from nodes in a template, which are a tree of
// their own.
func TestInTemplate(t *testing.T) {
	root := parseHTML(t, "<p>out</p><template><p>a</p><p>b<i>c</i></p><p>d</p></template><p>out</p>", nil)
	template := evaluate(t, "//template", root).Nodes()[0]
	second := template.FirstChild.NextSibling
	for src, want := range map[string][]any{
		".":                                     {"bc"},
		"i":                                     {"c"},
		"..":                                    {},
		"ancestor::node()":                      {},
		"following-sibling::p":                  {"d"},
		"preceding::p":                          {"a"},
		"following::p":                          {"d"},
		"following::p | preceding::p | i | .":   {"a", "bc", "c", "d"},
		"(following::p | preceding::p)/self::p": {"a", "d"},
	} {
		t.Run(src, func(t *testing.T) {
			if got := plain(evaluate(t, src, second)).([]any); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestConcurrent uses one expression in many goroutines.
func TestConcurrent(t *testing.T) {
	root := parseHTML(t, strings.Repeat("<div><p title=a>1</p><p>2</p></div>", 50), nil)
	e := mustCompile(t, "//p[@title = //p/@title][re:test(., '1')]/../p[last()] | id('x')")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if v, err := e.Evaluate(root, nil); err != nil || len(v.Nodes()) != 50 {
				t.Errorf("%d nodes, error %v", len(v.Nodes()), err)
			}
		})
	}
	wg.Wait()
}

// TestStringsLetPagesGo keeps strings while their page is collected.
func TestStringsLetPagesGo(t *testing.T) {
	freed := make(chan struct{})
	kept := func() []string {
		page := append([]byte("<h1 title=word>Love</h1>"), make([]byte, 64<<10)...)
		runtime.AddCleanup(&page[0], func(done chan struct{}) { close(done) }, freed)
		doc, err := htmlparse.ParseBytes(page, &htmlparse.Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		kept := []string{evaluate(t, "//h1", doc.Root).String(), evaluate(t, "//@title", doc.Root).Nodes()[0].StringValue()}
		return append(kept, evaluate(t, "string(//h1)", doc.Root).String(), evaluate(t, "substring-after(//h1, 'L')", doc.Root).String())
	}()
	if strings.Join(kept, " ") != "Love word Love ove" {
		t.Fatal(kept)
	}
	for late := time.Now().Add(time.Minute); time.Now().Before(late); {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(kept)
			return
		case <-time.After(time.Millisecond): // whoever is told needs a turn
		}
	}
	t.Errorf("the page is still in memory for the sake of %q", kept)
}
