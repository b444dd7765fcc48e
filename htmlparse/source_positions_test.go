package htmlparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// TestTreePositions checks that the positions of all nodes of the suite's trees point at source text that says what they are.
func TestTreePositions(t *testing.T) {
	eachTreeCase(t, func(t *testing.T, c *treeCase, scripting bool) {
		if c.context != "" {
			return // fragments have no document to ask
		}
		doc, err := ParseString(c.data, &Options{Scripting: scripting, Positions: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := dumpString(doc.Root); got != c.want {
			t.Errorf("with positions, input %q\n got:\n%s\nwant:\n%s", c.data, got, c.want)
		}
		for n := range doc.Root.Descendants() {
			checkPosition(t, doc, n, c.data)
		}
	})
}

func checkPosition(t *testing.T, doc *Document, n *html.Node, src string) {
	t.Helper()
	p, ok := doc.Position(n)
	if !ok {
		if !inSelectedcontent(n) {
			t.Errorf("%q: no position of %q", src, n.Data)
		}
		return
	}
	if p.Node.Start < 0 || p.Node.Start > p.Node.End || p.Node.End > len(src) {
		t.Fatalf("%q: position of %q: %+v", src, n.Data, p)
	}
	text := func(s Span) string { return src[s.Start:s.End] }
	switch n.Type {
	case html.ElementNode:
		checkElementPosition(t, n, p, text)
	case html.CommentNode:
		if s := text(p.Node); s[0] != '<' || !strings.Contains(s, strings.ReplaceAll(n.Data, "\uFFFD", "\x00")) {
			t.Errorf("%q: comment %q stands at %q", src, n.Data, s)
		}
	case html.DoctypeNode:
		if s := text(p.Node); !hasPrefixFoldASCII(s, "<!doctype") {
			t.Errorf("%q: doctype stands at %q", src, s)
		}
	case html.TextNode:
		if s := text(p.Node); s == "" || strings.Contains(s, n.Data) {
			return
		} else if first := html.UnescapeString(s); n.Data[0] != first[0] && !strings.ContainsAny(s, "\r\n\x00&") {
			t.Errorf("%q: text %q stands at %q", src, n.Data, s)
		}
	}
}

func checkElementPosition(t *testing.T, n *html.Node, p Position, text func(Span) string) {
	t.Helper()
	name := asciiLower(n.Data)
	if name == "img" && hasPrefixFoldASCII(text(p.StartTag), "<image") {
		name = "image"
	}
	name = strings.ReplaceAll(name, "\uFFFD", "\x00")
	if s := text(p.StartTag); s != "" && !hasPrefixFoldASCII(s, "<"+name) {
		t.Errorf("the start tag of %q stands at %q", n.Data, s)
	}
	if s := text(p.EndTag); s != "" && !hasPrefixFoldASCII(s, "</"+name) {
		t.Errorf("the end tag of %q stands at %q", n.Data, s)
	}
	if len(p.Attr) != len(n.Attr) {
		t.Errorf("%q has %d attributes and positions of %d", n.Data, len(n.Attr), len(p.Attr))
		return
	}
	for i, a := range n.Attr {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + name
		}
		if s := strings.ReplaceAll(text(p.Attr[i].Name), "\x00", "\uFFFD"); !strings.EqualFold(s, name) {
			t.Errorf("the attribute %q of %q stands at %q", name, n.Data, s)
		}
		if s := text(p.Attr[i].Value); s != a.Val && !strings.ContainsAny(s, "&\r\x00") {
			t.Errorf("the value %q of %q stands at %q", a.Val, n.Data, s)
		}
	}
}

func inSelectedcontent(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Data == "selectedcontent" {
			return true
		}
	}
	return false
}

func TestPosition(t *testing.T) {
	const src = "<!doctype html>\r\n<title>a&amp;b</title>\n<P id='x' class=\"é&lt;\">one <b>two<p>th&#114;ee</b> four<table> x<tr><td>1</table>\n<!-- c -->"
	doc, err := ParseString(src, &Options{Positions: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range doc.Root.Descendants() {
		p, ok := doc.Position(n)
		line, column := doc.LineColumn(p.Node.Start)
		got = append(got, fmt.Sprintf("%s %v %d:%d %q %q %q", n.Data, ok, line, column,
			src[p.Node.Start:p.Node.End], src[p.StartTag.Start:p.StartTag.End], src[p.EndTag.Start:p.EndTag.End]))
		for i := range n.Attr {
			got = append(got, fmt.Sprintf("%s %q %q", n.Attr[i].Key, src[p.Attr[i].Name.Start:p.Attr[i].Name.End], src[p.Attr[i].Value.Start:p.Attr[i].Value.End]))
		}
	}
	want := []string{
		`html true 1:1 "<!doctype html>" "" ""`,
		`html true 2:1 "<title>a&amp;b</title>\n<P id='x' class=\"é&lt;\">one <b>two<p>th&#114;ee</b> four<table> x<tr><td>1</table>\n<!-- c -->" "" ""`,
		`head true 2:1 "<title>a&amp;b</title>\n" "" ""`,
		`title true 2:1 "<title>a&amp;b</title>" "<title>" "</title>"`,
		`a&b true 2:8 "a&amp;b" "" ""`,
		"\n true 2:23 \"\\n\" \"\" \"\"",
		`body true 3:1 "<P id='x' class=\"é&lt;\">one <b>two<p>th&#114;ee</b> four<table> x<tr><td>1</table>\n<!-- c -->" "" ""`,
		`p true 3:1 "<P id='x' class=\"é&lt;\">one <b>two" "<P id='x' class=\"é&lt;\">" ""`,
		`id "id" "x"`,
		`class "class" "é&lt;"`,
		`one  true 3:25 "one " "" ""`,
		`b true 3:29 "<b>two" "<b>" ""`,
		`two true 3:32 "two" "" ""`,
		`p true 3:35 "<p>th&#114;ee</b> four" "<p>" ""`,
		`b true 3:38 "th&#114;ee</b>" "<b>" "</b>"`,
		`three true 3:38 "th&#114;ee" "" ""`,
		` four true 3:52 " four" "" ""`,
		` x true 3:64 " x" "" ""`,
		`table true 3:57 "<table> x<tr><td>1</table>" "<table>" "</table>"`,
		`tbody true 3:66 "<tr><td>1" "" ""`,
		`tr true 3:66 "<tr><td>1" "<tr>" ""`,
		`td true 3:70 "<td>1" "<td>" ""`,
		`1 true 3:74 "1" "" ""`,
		"\n true 3:83 \"\\n\" \"\" \"\"",
		` c  true 4:1 "<!-- c -->" "" ""`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPositionOfTextBehindWhitespace looks for text that stands in one piece of source text with whitespace that is
// not part of it.
func TestPositionOfTextBehindWhitespace(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"space", " a", "a"},
		{"CR LF", "\r\n\r\na", "a"},
		{"character references", "&#32;&Tab;&#x20 a", "a"},
		{"character references without semicolons", "&#32a", "a"},
		{"hexadecimal ones", "&#x20&#xAxa", "xa"},
		{"an end tag without a name", "</> </> a</> ", "a</> "},
		{"end tags without names", "</></>\n</>a", "</>a"},
		{"a newline in pre", "<pre></>\na", "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := ParseString(test.src, &Options{Positions: true})
			if err != nil {
				t.Fatal(err)
			}
			n := doc.Root
			for n.FirstChild != nil {
				n = n.LastChild
			}
			p, _ := doc.Position(n)
			if got := test.src[p.Node.Start:p.Node.End]; got != test.want {
				t.Errorf("text %q of %q stands at %q, want %q", n.Data, test.src, got, test.want)
			}
		})
	}
}

// TestPositionsNest looks at pages in which nothing is moved: nodes begin in tree order, stand in their parents and beside
// their siblings.
func TestPositionsNest(t *testing.T) {
	for _, test := range []struct{ name, src string }{
		{"paragraphs", "<!DOCTYPE html><!--a--><html lang=en><head><title>b</title></head><body><p>c<p>d<b>e<i>f</i></b> g</body></html>"},
		{"left out tags", "<title>a</title><ul><li>b<li>c<ul><li>d</ul><dl><dt>e<dd>f</dl>g"},
		{"tables", "<table><caption>a</caption><colgroup><col><col><tr><td>b<td>c<tr><th>d<table><td>e</table></table>f"},
		{"foreign content", "<p>a<svg><g><title>b</title><path/></g></svg>c<math><mi>d</mi></math>e"},
		{"a break out of foreign content", "<svg><g>a<p>b</p>c"},
		{"forms", "<form><select><optgroup><option>a<option>b<hr><option>c</select><button>d</button><input><textarea>\ne</textarea></form>f"},
		{"end tags that are too early", "<div><section><span>a</div>b</span><ruby>c<rt>d<rp>e</ruby></section>f"},
		{"the end of the page in a tag", "<div>a<p>b<br"},
	} {
		t.Run(test.name, func(t *testing.T) { checkNesting(t, test.src) })
	}
}

func checkNesting(t *testing.T, src string) {
	t.Helper()
	doc, err := ParseString(src, &Options{Positions: true})
	if err != nil {
		t.Fatal(err)
	}
	span := func(n *html.Node) Span {
		p, ok := doc.Position(n)
		if !ok {
			t.Errorf("no position of %q", n.Data)
		}
		return p.Node
	}
	last := 0
	for n := range doc.Root.Descendants() {
		s := span(n)
		if s.Start < last {
			t.Errorf("%q stands at %v, what comes before it in the tree begins at %d", n.Data, s, last)
		}
		last = s.Start
		if n.Parent != doc.Root {
			if p := span(n.Parent); s.Start < p.Start || p.End < s.End {
				t.Errorf("%q stands at %v, its parent %q at %v", n.Data, s, n.Parent.Data, p)
			}
		}
		if n.PrevSibling != nil {
			if p := span(n.PrevSibling); s.Start < p.End {
				t.Errorf("%q stands at %v, %q before it at %v", n.Data, s, n.PrevSibling.Data, p)
			}
		}
	}
}
