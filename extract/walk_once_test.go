package extract

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// bothWays compiles a spec twice: with one walk for its selectors, and with
// each looked up alone.
func bothWays(t testing.TB, spec Spec) (together, alone *Extractor) {
	t.Helper()
	together, err := Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	if alone, err = Compile(spec); err != nil {
		t.Fatal(err)
	}
	for i := range alone.items {
		dropSets(&alone.items[i].fieldList)
	}
	return together, alone
}

func dropSets(l *fieldList) {
	l.sets = nil
	for i := range l.fields {
		dropSets(&l.fields[i].fieldList)
		for j := range l.fields[i].any {
			dropSets(&l.fields[i].any[j].fieldList)
		}
	}
}

// sameBothWays takes records from a page in both ways, explanations too.
func sameBothWays(t *testing.T, spec Spec, root *html.Node) Result {
	t.Helper()
	together, alone := bothWays(t, spec)
	page := Page{Root: root}
	got, gotWhy := together.Explain(page)
	want, wantWhy := alone.Explain(page)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("one walk (+) differs from one for each selector (-):\n%s", diff)
	}
	same := func(a, b *html.Node) bool { return a == b }
	if diff := cmp.Diff(wantWhy, gotWhy, cmp.Comparer(same)); diff != "" {
		t.Errorf("explanations of one walk (+) differ from those of one for each selector (-):\n%s", diff)
	}
	return got
}

// fieldKinds are the ways in which a field can ask for matches.
var fieldKinds = []Field{
	{}, {All: true}, {Nth: 3}, {Nth: -1}, {One: true}, {Attr: "class"}, {All: true, Attr: "href"}, {Split: ","}, {From: FromDocument},
}

// fieldsFor makes a field of each selector, all kinds in turn, and one with
// them as alternatives.
func fieldsFor(selectors []string) []Field {
	var fields, alternatives []Field
	for i, css := range selectors {
		f := fieldKinds[i%len(fieldKinds)]
		f.CSS = css
		alternatives = append(alternatives, f)
		f.Name = fmt.Sprint("f", i)
		fields = append(fields, f)
	}
	return append(fields, Field{Name: "any", Any: alternatives})
}

var realSelectors = []string{
	"title", "h1", `meta[name="description"]`, "a", `link[rel="canonical"]`, "time[datetime]", ".author, .byline", "img[src]", "p",
	"#content p", "h1, h2, h3", "article > p:first-of-type", "li:last-child", "figure > img", "[class]", "nav ul > li:nth-child(2) > a",
	".comments .comment", "div:has(> p)", "h2 + p", "h2 ~ p", "p:not([class])", ":is(h1, h2) a", "> body", "+ p", ":root > body p",
	"p:contains('the')", "div div div a[href]", "ul li ~ li a", "table tr:nth-child(2n+1) td", "*", "div.x.y", "p a:nth-of-type(2)",
}

// parsedCorpus gives the trees of real pages.
func parsedCorpus(t testing.TB) []*html.Node {
	files, err := filepath.Glob("../../shared/corpus/pages/*/source.html")
	if err != nil || len(files) == 0 {
		t.Skip("no real pages beside the repository")
	}
	var pages []*html.Node
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := htmlparse.ParseBytes(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, doc.Root)
	}
	return pages
}

func TestOneWalkOnRealPages(t *testing.T) {
	spec := Spec{Items: []Item{
		{Name: "page", Fields: fieldsFor(realSelectors)},
		{Name: "division", Each: "div > p:first-child", Fields: fieldsFor(realSelectors[:12])},
		{Name: "section", Each: "h2", Siblings: true, Fields: []Field{
			{Name: "head"}, {Name: "p", CSS: "p", All: true}, {Name: "b", CSS: "> b"}, {Name: "next", CSS: "+ p"}, {Name: "link", CSS: "p a", Attr: "href"},
			{Name: "inner", CSS: "ul", Fields: []Field{{Name: "li", CSS: "> li"}, {Name: "last", CSS: "li:last-child", One: true}}},
			{Name: "list", Each: "li", Fields: []Field{{Name: "a", CSS: "a"}, {Name: "above", CSS: "ul a"}}},
		}},
	}}
	for i, root := range parsedCorpus(t) {
		if i%7 != 0 && testing.Short() {
			continue
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { sameBothWays(t, spec, root) })
	}
}

// choices makes decisions from bytes, so that a fuzzer can vary them.
type choices []byte

func (c *choices) below(n int) int {
	if len(*c) == 0 {
		return 0
	}
	b := (*c)[0]
	*c = (*c)[1:]
	return int(b) % n
}

func (c *choices) of(list ...string) string { return list[c.below(len(list))] }

// tree builds a document of few names, so that much matches.
func (c *choices) tree() *html.Node {
	doc, top := &html.Node{Type: html.DocumentNode}, &html.Node{Type: html.ElementNode, Data: "div"}
	doc.AppendChild(top)
	n := top
	for i := 0; len(*c) > 0 && i < 200; i++ {
		switch c.below(8) {
		case 0:
			n.AppendChild(&html.Node{Type: html.TextNode, Data: c.of("one", "two", " ")})
		case 1, 2:
			if n != top {
				n = n.Parent
			}
		default:
			m := &html.Node{Type: html.ElementNode, Data: c.of("a", "b", "p", "div", "li", "template")}
			for range c.below(3) {
				key := c.of("class", "id", "x")
				m.Attr = append(m.Attr, html.Attribute{Key: key, Val: c.of("a", "b", "a b", " b  a\n", "", "c")})
			}
			if n.AppendChild(m); c.below(3) > 0 {
				n = m
			}
		}
	}
	return doc
}

// selector writes a selector list.
func (c *choices) selector() string {
	var b strings.Builder
	b.WriteString(c.of("", "", "", "", "> ", "+ ", "~ ", ":scope ", ":root "))
	for range c.below(3) {
		b.WriteString(c.compound() + c.of(" ", " > ", " + ", " ~ "))
	}
	b.WriteString(c.compound())
	if c.below(4) == 0 && !strings.HasPrefix(b.String(), ":root") {
		b.WriteString(", " + c.compound())
	}
	return b.String()
}

func (c *choices) compound() string {
	s := c.of("", "a", "b", "P", "div", "li", "*")
	for range c.below(5) - 2 {
		s += c.of(".a", ".b", "#a", "#b", "[x]", "[X=a]", "[x!=b]", "[class~='b']", ":first-child", ":nth-child(2n)", ":nth-last-child(1)",
			":not(.a)", ":is(a, .b)", ":has(> a)", ":empty", `.\61`, ":contains('one')", ":not(a b)", ":only-of-type", ":scope")
	}
	if s == "" {
		return "*"
	}
	return s
}

func FuzzOneWalk(f *testing.F) {
	f.Add([]byte(""))
	for i := range 200 {
		seed := make([]byte, 0, 900)
		for x := uint32(i)*2654435761 + 1; len(seed) < 900; x = x*1664525 + 1013904223 {
			seed = append(seed, byte(x>>24))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := choices(data)
		var selectors []string
		for range 1 + c.below(20) {
			selectors = append(selectors, c.selector())
		}
		each := c.compound()
		fields := fieldsFor(selectors)
		nested := Field{Name: "nested", CSS: c.selector(), Fields: fields}
		item := Item{Name: "x", Fields: append(fields, nested)}
		if c.below(2) == 1 {
			item.Each, item.Siblings = each, c.below(2) == 1
		}
		spec := Spec{Items: []Item{item}}
		if _, err := Compile(spec); err != nil {
			return // such as :scope and a combinator in :not
		}
		if sameBothWays(t, spec, c.tree()); t.Failed() {
			t.Logf("each %q, selectors %q", item.Each, selectors)
		}
	})
}

// TestManySelectors needs several sets, and one selector that fits in none
// beside others.
func TestManySelectors(t *testing.T) {
	selectors := []string{strings.Repeat("div ", maxParts-1) + "p", strings.Repeat("div ", maxParts-2) + "p"}
	for range 50 {
		selectors = append(selectors, "div p", "p, div div b, a")
	}
	page := strings.Repeat("<div>", maxParts) + "<p>a<b>b</b></p><a>c</a>"
	r := sameBothWays(t, Spec{Items: []Item{{Name: "x", Fields: fieldsFor(selectors)}}}, parsed(t, page))
	if len(r.Records) != 1 || len(r.Records[0].Fields) < 70 {
		t.Errorf("%+v", r)
	}
}

// TestMoreMatchesThanNoted has a field that must be looked up alone after all.
func TestMoreMatchesThanNoted(t *testing.T) {
	root := parsed(t, "<h1>a</h1>"+strings.Repeat("<p>b", maxHits+10)+"<h2>c</h2>")
	together, alone := bothWays(t, Spec{Items: []Item{{Name: "x", Fields: []Field{
		{Name: "h", CSS: "h1"}, {Name: "p", CSS: "p", All: true}, {Name: "b", CSS: "h2"}, {Name: "q", CSS: "body > p", All: true},
	}}}})
	got, want := together.Extract(Page{Root: root}), alone.Extract(Page{Root: root})
	if p, _ := got.Records[0].Fields.Get("p"); len(p.([]any)) != maxHits+10 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d paragraphs", len(p.([]any)))
	}
}

func TestAbsentFieldsCostNoAllocation(t *testing.T) {
	root := parsed(t, "<h1>a</h1><ul><li>"+strings.Repeat("<div><p class=x>b <a href=/>c</a></p><ul><li>d</ul></div>", 20))
	allocations := func(absent ...string) float64 {
		fields := []Field{{Name: "h", CSS: "h1"}}
		for i, css := range absent {
			fields = append(fields, Field{Name: fmt.Sprint("f", i), CSS: css, All: i%3 == 0})
		}
		x, err := Compile(Spec{Items: []Item{{Name: "x", Fields: fields}}})
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(100, func() { x.Extract(Page{Root: root}) })
	}
	absent := []string{"h2", "h3 a", "#a", ".b", "p.y", "div > b", "a[title]", "[title]", "li:nth-child(3)", "li:nth-last-of-type(5)",
		"p + p", "p ~ a", "ul ul ul", "p > .x", "a:not([href])", "b, i", ".x .x", "section p", "time[datetime]", "table td"}
	few, many := math.Inf(1), math.Inf(1)
	for range 5 { // what else the process does may allocate, too
		few, many = min(few, allocations(absent[:1]...)), min(many, allocations(absent...))
	}
	if many > few {
		t.Errorf("%.0f allocations with one absent field, %.0f with twenty", few, many)
	}
}

// TestTwentyFieldsSpendTheStepsOfOne counts the work of absent fields.
func TestTwentyFieldsSpendTheStepsOfOne(t *testing.T) {
	page := Page{Root: parsed(t, strings.Repeat("<div><p class='x y'>b <a href=/>c</a></p></div>", 1000))}
	spent := func(n int) int {
		var fields []Field
		for i := range n {
			fields = append(fields, Field{Name: fmt.Sprint("f", i), CSS: fmt.Sprintf("div .z%d > a", i), All: i%2 == 0})
		}
		x, err := Compile(Spec{Items: []Item{{Name: "x", Fields: fields}}})
		if err != nil {
			t.Fatal(err)
		}
		e := extraction{work: newWork(&page)}
		e.item(&x.items[0])
		return maxSteps - e.steps
	}
	if one, twenty := spent(1), spent(20); twenty != one {
		t.Errorf("one field spends %d steps, twenty spend %d", one, twenty)
	}
}

// TestOneWalkAtOnce uses an Extractor from several goroutines, for the race
// detector.
func TestOneWalkAtOnce(t *testing.T) {
	x, alone := bothWays(t, Spec{Items: []Item{{Name: "x", Each: "div", Fields: fieldsFor(realSelectors[:20])}}})
	page := Page{Root: parsed(t, strings.Repeat("<div><h1>a</h1><p><a href=b class=c>d</a></div>", 30))}
	want := alone.Extract(page)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			if got := x.Extract(page); !cmp.Equal(want, got) {
				t.Error(cmp.Diff(want, got))
			}
		})
	}
	workers.Wait()
}

func parsed(t testing.TB, page string) *html.Node {
	t.Helper()
	doc, err := htmlparse.ParseString(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}
