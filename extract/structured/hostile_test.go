package structured

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// hostile are pages that ask for far more than their size; n is about how
// many times they repeat what does harm.
var hostile = []struct {
	name string
	page func(n int) string
}{
	{"properties of one item", func(n int) string {
		return "<div itemscope>" + strings.Repeat("<i itemprop=a>x</i>", n)
	}},
	{"itemref by all to all", func(n int) string {
		var ids, b strings.Builder
		for i := range n / 10 {
			fmt.Fprintf(&ids, "i%d ", i)
		}
		for i := range n / 10 {
			fmt.Fprintf(&b, "<p id=i%d itemprop=x itemscope itemref='%.400s'></p>", i, ids.String())
		}
		return "<div itemscope itemref='" + ids.String() + "'></div>" + b.String()
	}},
	{"itemref that doubles", func(n int) string {
		var b strings.Builder
		b.WriteString("<div itemscope itemref='a0 b0'></div>")
		for i := range n / 20 {
			fmt.Fprintf(&b, "<p id=a%d itemprop=x itemscope itemref='a%d b%[2]d'></p><p id=b%[1]d itemprop=y itemscope itemref='a%[2]d b%[2]d'></p>", i, i+1)
		}
		return b.String()
	}},
	{"many items that refer to one part", func(n int) string {
		return "<div id=x>" + strings.Repeat("<i itemprop=a>x</i>", n) + "</div>" + strings.Repeat("<p itemscope itemref=x></p>", n)
	}},
	{"properties in properties", func(n int) string {
		return "<div itemscope vocab=http://v/ typeof=T class=h-x>" + strings.Repeat("<div itemprop=a property=a class='p-a e-b'>", 500) + strings.Repeat("text ", n)
	}},
	{"many names for nested items", func(n int) string {
		var names strings.Builder
		for i := range 300 {
			fmt.Fprintf(&names, "n%c%c ", 'a'+i/26, 'a'+i%26)
		}
		classes := strings.ReplaceAll(" "+names.String(), " n", " p-n")
		return "<div itemscope vocab=http://v/ typeof=T class=h-x>" +
			strings.Repeat(fmt.Sprintf("<div itemscope itemprop='%s' property='%[1]s' typeof=T class='h-x %s'>", names.String(), classes), 40) + strings.Repeat("x", n)
	}},
	{"a huge class", func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(" p-")
			for ; i > 0; i /= 26 {
				b.WriteByte(byte('a' + i%26))
			}
		}
		return "<div class=h-x><p class='" + b.String() + "'>" + strings.Repeat("text ", n) + "</div>"
	}},
	{"a huge name of a meta element", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "og:%d ", i)
		}
		return "<meta property='" + b.String() + "' content='" + strings.Repeat("x", n) + "'>"
	}},
	{"a huge vocabulary", func(n int) string {
		return "<div vocab='http://a.test/" + strings.Repeat("x", n) + "' typeof=T>" + strings.Repeat("<i property=a>x</i>", n)
	}},
	{"a huge prefix", func(n int) string {
		return "<div prefix='x: http://a.test/" + strings.Repeat("x", n) + "' typeof=x:T>" + strings.Repeat("<i property=x:a>x</i>", n)
	}},
	{"one thing of many types", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<p resource='#a' typeof=schema:T%d property=schema:p%[1]d></p>", i)
		}
		return b.String()
	}},
	{"links in items of RDFa", func(n int) string {
		return "<div typeof=schema:T>" + strings.Repeat("<a href=x><b property=schema:x>y</b></a>", n)
	}},
	{"value classes", func(n int) string {
		return "<div class=h-x>" + strings.Repeat("<p class='p-a dt-b'>", 400) + strings.Repeat("<i class=value>2020-01-01</i>", n)
	}},
	{"JSON that is deep", func(n int) string {
		return `<script type="application/ld+json">` + strings.Repeat(`{"a":[`, n) + "</script>"
	}},
	{"JSON that is broken all over", func(n int) string {
		return `<script type="application/ld+json">` + strings.Repeat(`{a:'b' "c":,,},;//x`+"\n", n) + "</script>"
	}},
	{"scripts", func(n int) string {
		return strings.Repeat(`<script type="application/ld+json">&quot;{</script>`, n)
	}},
	{"a huge link", func(n int) string {
		return "<a class=h-card rel=next itemscope itemid='" + strings.Repeat("/..", n) + "' href='" + strings.Repeat("/x", n) + "'>x</a>"
	}},
	{"links of many types", func(n int) string {
		return strings.Repeat("<link rel='icon next prev canonical alternate mask-icon' hreflang=de href=x>", n)
	}},
	{"items side by side", func(n int) string {
		return strings.Repeat("<p itemscope class=h-x typeof=schema:T></p>", n)
	}},
}

// TestHostilePages reads them, and writes what was read, which may not be far
// larger than the page.
func TestHostilePages(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			n := 20_000
			if testing.Short() {
				n = 10_000
			}
			page := h.page(n)
			data := Read(parse(t, page), testBase)
			size := written(t, data)
			if most := 2*budgetFloor + 60*len(page); size > most {
				t.Errorf("a page of %d bytes makes %d of JSON, more than %d; %v", len(page), size, most, data.Problems)
			}
		})
	}
}

func written(t *testing.T, data *Data) int {
	t.Helper()
	var n countWriter
	if err := json.NewEncoder(&n).Encode(data); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

type countWriter int

func (n *countWriter) Write(p []byte) (int, error) {
	*n += countWriter(len(p))
	return len(p), nil
}

// TestGrowth reads pages of twice the length.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large pages")
	}
	pages := append(hostile[:len(hostile):len(hostile)], struct {
		name string
		page func(int) string
	}{"an honest page", func(n int) string {
		return strings.Repeat(`<div itemscope itemtype=https://schema.org/P class=h-x vocab=https://schema.org/ typeof=P><b itemprop=n property=n class=p-n>x y</b><a class=u-url href=/x>z</a></div>`, n/10)
	}})
	for _, h := range pages {
		t.Run(h.name, func(t *testing.T) {
			once, twice := math.Inf(1), math.Inf(1)
			for range 20 {
				if once, twice = min(once, fastest(t, h.page(8_000))), min(twice, fastest(t, h.page(16_000))); twice < 3.2*once {
					return
				}
			}
			t.Errorf("twice the page takes %.1f times as long", twice/once)
		})
	}
}

// fastest returns the time of the fastest of three readings.
func fastest(t *testing.T, page string) float64 {
	root := parse(t, page)
	least := time.Hour
	for range 3 {
		start := steadytest.WorkTime()
		Read(root, testBase)
		least = min(least, steadytest.WorkTime()-start)
	}
	return float64(least + 2*time.Millisecond)
}

// TestDeepTree reads a tree that is deeper than the parser makes them.
func TestDeepTree(t *testing.T) {
	depth := 100_000
	if testing.Short() {
		depth = 20_000
	}
	attrs := func(s ...string) (list []html.Attribute) {
		for i := 0; i < len(s); i += 2 {
			list = append(list, html.Attribute{Key: s[i], Val: s[i+1]})
		}
		return list
	}
	for _, c := range []struct {
		name string
		attr []html.Attribute
	}{
		{"plain", nil},
		{"items of microdata", attrs("itemscope", "", "itemprop", "a")},
		{"properties of microdata", attrs("itemprop", "a")},
		{"items of RDFa", attrs("vocab", "http://v.test/", "typeof", "T", "property", "a")},
		{"prefixes", attrs("prefix", "a: http://a.test/", "property", "a:b", "typeof", "a:C")},
		{"items of microformats", attrs("class", "h-card p-author e-x")},
		{"properties of microformats", attrs("class", "p-author e-x dt-y")},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := &html.Node{Type: html.DocumentNode}
			top := &html.Node{Type: html.ElementNode, Data: "div", Attr: attrs("itemscope", "", "typeof", "schema:T", "class", "h-x")}
			root.AppendChild(top)
			for n, i := top, 0; i < depth; i++ {
				child := &html.Node{Type: html.ElementNode, Data: "div", Attr: c.attr}
				n.AppendChild(child)
				n = child
			}
			written(t, Read(root, testBase))
		})
	}
}

// TestLimitsAreTold looks for the problem that says that values are missing.
func TestLimitsAreTold(t *testing.T) {
	for name, page := range map[string]string{
		"microdata":    strings.Repeat("<div itemscope itemprop=a>", maxNesting+10),
		"rdfa":         strings.Repeat("<div typeof=schema:A property=schema:a>", maxNesting+10),
		"microformats": strings.Repeat("<div class=h-x>", maxNesting+10),
	} {
		t.Run(name, func(t *testing.T) {
			data := Read(parse(t, "<div itemscope typeof=schema:T>"+page), testBase)
			if len(data.Problems) != 1 || data.Problems[0].Syntax != name {
				t.Errorf("problems: %v", data.Problems)
			}
		})
	}
}

// TestResultsLetPagesGo keeps what was read while the page is collected.
func TestResultsLetPagesGo(t *testing.T) {
	var src strings.Builder
	for file := range readers {
		for _, c := range cases(t, file) {
			src.WriteString(c.page)
		}
	}
	freed := make(chan struct{})
	data := func() *Data {
		page := append([]byte(src.String()), make([]byte, 64<<10)...)
		runtime.AddCleanup(&page[0], func(done chan struct{}) { close(done) }, freed)
		doc, err := htmlparse.ParseBytes(page, &htmlparse.Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		return Read(doc.Root, testBase)
	}()
	for late := time.Now().Add(time.Minute); time.Now().Before(late); {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(data)
			return
		case <-time.After(time.Millisecond): // whoever is told needs a turn
		}
	}
	t.Error("the page is still in memory")
}

// TestMillionProperties reads more properties than anyone has.
func TestMillionProperties(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large page")
	}
	const n = 1_000_000
	page := "<div itemscope vocab=http://v.test/ typeof=T class=h-x>" + strings.Repeat("<b itemprop=a property=a class=p-a>x</b>", n)
	data := Read(parse(t, page), testBase)
	if len(data.Problems) > 0 {
		t.Errorf("problems: %v", data.Problems)
	}
	for name, got := range map[string]int{
		"microdata":    len(data.Microdata[0].Properties["a"]),
		"rdfa":         len(data.RDFa[0].Properties["a"]),
		"microformats": len(data.Microformats[0].Properties["a"]),
	} {
		if got != n {
			t.Errorf("%s: %d values", name, got)
		}
	}
}

// TestNil reads what is no tree.
func TestNil(t *testing.T) {
	if n := written(t, Read(nil, "")); n != len("{}\n") {
		t.Errorf("%d bytes", n)
	}
}
