package htmlparse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// lateCharset is a page that is parsed twice: a meta element behind the part that is sniffed declares its encoding.
var lateCharset = "<!DOCTYPE html><!--" + strings.Repeat("x", 2000) + "--><p class=a>\xe9<meta charset=koi8-r><p class=b>\xe9"

// hugePage has more nodes and attributes than a Parser keeps memory for.
var hugePage = strings.Repeat("<b a=1 b=2 c=3></b>", (keptSlabs+9)*slabLength)

// TestParser parses with one Parser what ParseBytes parses, one page after the other, and expects the same.
func TestParser(t *testing.T) {
	var p Parser
	compare := func(t *testing.T, src string, opts *Options) {
		t.Helper()
		checkParser(t, &p, src, opts)
	}
	t.Run("conformance", func(t *testing.T) {
		eachTreeCase(t, func(t *testing.T, c *treeCase, scripting bool) {
			compare(t, c.data, &Options{Scripting: scripting, Charset: "utf-8"})
		})
	})
	for _, test := range []struct {
		name string
		src  string
		opts *Options
	}{
		{"nothing", "", nil},
		{"read in two encodings", lateCharset, nil},
		{"more than is kept", hugePage, nil},
		{"a few nodes after many", "<p a=b>c", nil},
		{"more attributes than a slab", "<p" + numbered(3*slabLength, " a%d=1") + "><p a=b>", nil},
		{"attributes of body merged", "<body a=1><body b=2><body" + numbered(40, " c%d=1") + ">", nil},
		{"positions", "<p a=b>c<table>d<b>e", &Options{Positions: true}},
		{"cut for its depth", strings.Repeat("<div>", 2000), nil},
		{"cut for its nodes", strings.Repeat("<p>a", 2000), &Options{MaxNodes: 100}},
	} {
		t.Run(test.name, func(t *testing.T) { compare(t, test.src, test.opts) })
	}
	t.Run("corpus", func(t *testing.T) {
		for i, page := range corpusPages(t) {
			compare(t, page, nil)
			compare(t, page[:len(page)/(i%7+2)], nil)
		}
	})
	t.Run("a mistake in the options", func(t *testing.T) {
		if doc, err := p.ParseBytes([]byte("<p>"), &Options{Charset: "no such charset"}); err == nil || doc != nil {
			t.Errorf("document %v, error %v", doc, err)
		}
		compare(t, "<p>", nil)
	})
}

// checkParser compares what a Parser makes of a page with what ParseBytes does.
func checkParser(t testing.TB, p *Parser, src string, opts *Options) {
	t.Helper()
	want, err := ParseBytes([]byte(src), opts)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.ParseBytes([]byte(src), opts)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode != want.Mode || got.Encoding != want.Encoding {
		t.Errorf("mode %v, encoding %v; ParseBytes: %v, %v", got.Mode, got.Encoding, want.Mode, want.Encoding)
	}
	if difference := unlike(got, want); difference != "" {
		t.Errorf("input %.300q: %s", src, difference)
	}
}

// unlike says where two documents first differ in anything; "" if they do not.
func unlike(got, want *Document) string {
	a, b := got.Root, want.Root
	for ; a != nil && b != nil; a, b = nextWithin(a, got.Root), nextWithin(b, want.Root) {
		same := a.Type == b.Type && a.DataAtom == b.DataAtom && a.Data == b.Data && a.Namespace == b.Namespace &&
			slices.Equal(a.Attr, b.Attr) && (a.Attr == nil) == (b.Attr == nil) && cap(a.Attr) == cap(b.Attr)
		if same && want.positions != nil {
			at, ok := got.Position(a)
			wantAt, wantOK := want.Position(b)
			same = ok == wantOK && fmt.Sprint(at) == fmt.Sprint(wantAt)
		}
		if !same {
			return fmt.Sprintf("node %+v, ParseBytes: %+v", *a, *b)
		}
	}
	if a != nil || b != nil {
		return fmt.Sprintf("one tree goes on with %+v, ParseBytes with %+v", a, b)
	}
	return ""
}

// TestParserStrings keeps the strings of a tree while their Parser parses others.
func TestParserStrings(t *testing.T) {
	var p Parser
	for _, src := range []string{
		`<!DOCTYPE html><title>A title</title><p Class="One &amp; two" id=x>Text &lt; text<!--a note--><svg viewbox="0 0 1 1">`,
		lateCharset,
	} {
		doc, err := p.ParseBytes([]byte(src), nil)
		if err != nil {
			t.Fatal(err)
		}
		var kept, copied []string
		keep := func(s string) { kept, copied = append(kept, s), append(copied, strings.Clone(s)) }
		for n := doc.Root; n != nil; n = nextWithin(n, doc.Root) {
			keep(n.Data)
			for _, a := range n.Attr {
				keep(a.Key)
				keep(a.Val)
			}
		}
		for range 3 {
			checkParser(t, &p, "<p other=attributes>other text &amp; <B Class='&gt;'>more</b>", nil)
		}
		if !slices.Equal(kept, copied) {
			t.Errorf("strings of %.60q were %q and are %q", src, copied, kept)
		}
	}
}

// TestParserMemory looks at what a Parser holds of a page two pages later.
func TestParserMemory(t *testing.T) {
	var p Parser
	if _, err := p.ParseBytes([]byte(hugePage), nil); err != nil {
		t.Fatal(err)
	}
	nodes, attributes := &p.memory.nodes, &p.memory.attributes
	if nodes.used <= keptSlabs || attributes.used <= keptSlabs {
		t.Fatalf("the page has no more than %d slabs of nodes, %d of attributes", nodes.used, attributes.used)
	}
	first := func() *html.Node {
		doc, err := p.ParseBytes([]byte("<p>"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return doc.Root
	}
	first()
	if len(nodes.all) != keptSlabs || cap(nodes.all) > 2*keptSlabs || len(attributes.all) != keptSlabs || cap(attributes.all) > 2*keptSlabs {
		t.Errorf("after a huge page it holds %d (%d) slabs of nodes, %d (%d) of attributes", len(nodes.all), cap(nodes.all), len(attributes.all), cap(attributes.all))
	}
	one, two := first(), first()
	if one != two {
		t.Error("memory is not used again")
	}
	for _, n := range slices.Concat(nodes.all[nodes.used:]...) {
		if n.Parent != nil || n.FirstChild != nil || n.NextSibling != nil || n.Data != "" || n.Attr != nil {
			t.Fatalf("a free node is %+v", n)
		}
	}
	for _, a := range slices.Concat(attributes.all[attributes.used:]...) {
		if a != (html.Attribute{}) {
			t.Fatalf("a free attribute is %+v", a)
		}
	}
}

// FuzzParser parses pages in turns with one Parser.
func FuzzParser(f *testing.F) {
	f.Add("<p a=b>c", "<table><b>d</table>e", false)
	f.Add(lateCharset, "<svg><p a>", true)
	f.Add("<body a><body b>", strings.Repeat("<a b=1><div>", 100), false)
	f.Fuzz(func(t *testing.T, one, two string, scripting bool) {
		var p Parser
		opts := &Options{Scripting: scripting}
		for _, src := range []string{one, two, one, one + two, two} {
			checkParser(t, &p, src, opts)
		}
	})
}
