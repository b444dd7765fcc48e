package htmlparse

import (
	"strings"
	"testing"
)

// What a page looks like without its optional tags. The html5lib suite has
// the rules one by one; here they meet, and the cases in which a tag stays
// although the standard's words would let it go.
func TestOmitTags(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"all of a document", "<html><head><title>t</title></head><body><p>x</p></body></html>", "<title>t</title><p>x"},
		{"an empty document", "", ""},
		{"attributes stay", "<html lang=en><head id=h></head><body class=b>x", `<html lang="en"><head id="h"><body class="b">x`},
		{"comment first in html", "<html><!--c--><head></head>x", "<html><!--c-->x"},
		{"comment before html", "<!--c--><html>x", "<!--c-->x"},
		{"comment behind html", "x</html><!--c-->", "x</html><!--c-->"},
		{"comment behind body", "x</body><!--c-->", "x</body><!--c-->"},
		{"space behind head", "<head></head> <body>x", "</head> x"},
		{"space first in body", "<body> x", "<body> x"},
		{"script first in body", "<body><script></script>", "<body><script></script>"},
		{"title first in body", "<body><title></title>", "<body><title></title>"},
		{"list", "<ul><li>1<ul><li>2</ul><li>3</ul>", "<ul><li>1<ul><li>2</ul><li>3</ul>"},
		{"space between items", "<ul><li>1</li> <li>2</li></ul>", "<ul><li>1</li> <li>2</ul>"},
		{"definitions", "<dl><dt>a<dt>b<dd>c<dd>d</dl>", "<dl><dt>a<dt>b<dd>c<dd>d</dl>"},
		{"p before text", "<p>a</p>b", "<p>a</p>b"},
		{"p before a block", "<p>a</p><div></div>", "<p>a<div></div>"},
		{"p before a table", "<p>a</p><table></table>", "<p>a<table></table>"},
		{"p last in a link", "<a><p>a</p></a>", "<a><p>a</p></a>"},
		{"p last in a custom element", "<x-y><p>a</p></x-y>", "<x-y><p>a</p></x-y>"},
		{"p last in a span that text follows", "<span><p>a</p></span>b", "<span><p>a</p></span>b"},
		{"p last in a canvas that text follows", "<canvas><p>a</p></canvas>b", "<canvas><p>a</p></canvas>b"},
		{"p last in SVG", "<svg><desc><p>a</p></desc></svg>", "<svg><desc><p>a</p></desc></svg>"},
		{"table", "<table><caption>c</caption><colgroup><col></colgroup><thead><tr><th>h</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
			"<table><caption>c<col><thead><tr><th>h<tbody><tr><td>1<td>2</table>"},
		{"two bodies", "<table><tbody><tr></tr></tbody><tbody><tr></tr></tbody></table>", "<table><tr><tbody><tr></table>"},
		{"two column groups", "<table><colgroup><col></colgroup><colgroup><col></colgroup></table>", "<table><col><colgroup><col></table>"},
		{"an empty body", "<table><tbody></tbody></table>", "<table><tbody></table>"},
		{"a template behind columns", "<table><colgroup><col></colgroup><template></template></table>", "<table><col></colgroup><template></template></table>"},
		{"a script behind a caption", "<table><caption>c</caption><script></script></table>", "<table><caption>c</caption><script></script></table>"},
		{"a body in a template", "<template><tbody><tr></tr></tbody></template>", "<template><tbody><tr></template>"},
		{"options", "<select><optgroup><option>1</option></optgroup><option>2</option></select>", "<select><optgroup><option>1</optgroup><option>2</select>"},
		{"ruby", "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>", "<ruby>a<rp>(<rt>b<rp>)</ruby>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const doctype = "<!DOCTYPE html>"
			doc, err := ParseString(doctype+tt.src, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := RenderWith(&b, doc.Root, &RenderOptions{OmitTags: true}); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimPrefix(b.String(), doctype); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			omitsFaithfully(t, doctype+tt.src)
		})
	}
	t.Run("in quirks mode a table stands in p", func(t *testing.T) {
		doc, err := ParseString("<p>a</p><table></table>", nil)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := RenderWith(&b, doc.Root, &RenderOptions{OmitTags: true}); err != nil {
			t.Fatal(err)
		}
		if want := "<p>a</p><table></table>"; b.String() != want {
			t.Errorf("got %s, want %s", b.String(), want)
		}
	})
	t.Run("the node itself keeps its tags", func(t *testing.T) {
		var b strings.Builder
		if err := RenderWith(&b, with(element("li"), "x"), &RenderOptions{OmitTags: true}); err != nil || b.String() != "<li>x</li>" {
			t.Errorf("got %s, %v", b.String(), err)
		}
	})
}
