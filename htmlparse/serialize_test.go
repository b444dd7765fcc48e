package htmlparse

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func element(name string, attr ...html.Attribute) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, Attr: attr}
}

// with appends children to n: nodes, or strings for text.
func with(n *html.Node, children ...any) *html.Node {
	for _, c := range children {
		switch c := c.(type) {
		case *html.Node:
			n.AppendChild(c)
		case string:
			n.AppendChild(&html.Node{Type: html.TextNode, Data: c})
		}
	}
	return n
}

func namespaced(ns string, n *html.Node) *html.Node {
	n.Namespace = ns
	return n
}

func TestRender(t *testing.T) {
	attr := func(ns, key, val string) html.Attribute { return html.Attribute{Namespace: ns, Key: key, Val: val} }
	tests := []struct {
		name string
		n    *html.Node
		opts *RenderOptions
		want string
	}{
		{"text", with(element("p"), "a < b & \"c\" > \u00A0'"), nil, `<p>a &lt; b &amp; "c" &gt; &nbsp;'</p>`},
		{"attribute", element("p", attr("", "title", "a < b & \"c\" > \u00A0'")), nil, `<p title="a &lt; b &amp; &quot;c&quot; &gt; &nbsp;'"></p>`},
		{"empty attribute", element("p", attr("", "hidden", "")), nil, `<p hidden=""></p>`},
		{"attribute namespaces", namespaced("svg", element("a", attr("xlink", "href", "#"), attr("xml", "lang", "en"),
			attr("xmlns", "xlink", "x"), attr("xmlns", "xmlns", "y"), attr("", "xmlns", "z"))), nil,
			`<a xlink:href="#" xml:lang="en" xmlns:xlink="x" xmlns="y" xmlns="z"></a>`},
		{"void", with(element("p"), element("br"), element("keygen"), with(element("img"), "lost")), nil, "<p><br><keygen><img></p>"},
		{"void names in SVG are not", namespaced("svg", element("link")), nil, "<link></link>"},
		{"script", with(element("script"), "a < b && c"), nil, "<script>a < b && c</script>"},
		{"script in SVG", with(namespaced("svg", element("script")), "a < b"), nil, "<script>a &lt; b</script>"},
		{"raw text", with(element("div"), with(element("style"), "<"), with(element("xmp"), "<"), with(element("iframe"), "<"),
			with(element("noembed"), "<"), with(element("noframes"), "<"), with(element("plaintext"), "<")), nil,
			"<div><style><</style><xmp><</xmp><iframe><</iframe><noembed><</noembed><noframes><</noframes><plaintext><</plaintext></div>"},
		{"escaped raw text", with(element("div"), with(element("title"), "<"), with(element("textarea"), "<")), nil,
			"<div><title>&lt;</title><textarea>&lt;</textarea></div>"},
		{"noscript", with(element("noscript"), "<"), nil, "<noscript>&lt;</noscript>"},
		{"noscript with scripting", with(element("noscript"), "<"), &RenderOptions{Scripting: true}, "<noscript><</noscript>"},
		{"template", with(element("template"), with(element("td"), "x")), nil, "<template><td>x</td></template>"},
		{"comment", &html.Node{Type: html.CommentNode, Data: " a-b < "}, nil, "<!-- a-b < -->"},
		{"processing instruction", &html.Node{Type: ProcessingInstructionNode, Data: "php", Attr: []html.Attribute{attr("", "data", "echo 1")}}, nil, "<?php echo 1>"},
		{"raw node", &html.Node{Type: html.RawNode, Data: "<b>"}, nil, "<b>"},
		{"doctype", &html.Node{Type: html.DoctypeNode, Data: "html", Attr: []html.Attribute{attr("", "public", "p"), attr("", "system", "s")}}, nil, "<!DOCTYPE html>"},
		{"doctype, round trip", &html.Node{Type: html.DoctypeNode, Data: "html", Attr: []html.Attribute{attr("", "public", "p"), attr("", "system", `s"`)}},
			&RenderOptions{RoundTrip: true}, `<!DOCTYPE html PUBLIC "p" 's"'>`},
		{"doctype, system alone", &html.Node{Type: html.DoctypeNode, Data: "html", Attr: []html.Attribute{attr("", "system", "")}},
			&RenderOptions{RoundTrip: true}, `<!DOCTYPE html SYSTEM "">`},
		{"newline in pre", with(element("pre"), "\nx"), nil, "<pre>\nx</pre>"},
		{"newline in pre, round trip", with(element("pre"), "\nx"), &RenderOptions{RoundTrip: true}, "<pre>\n\nx</pre>"},
		{"document", with(&html.Node{Type: html.DocumentNode}, element("html")), nil, "<html></html>"},
		{"children", with(element("p"), "a", with(element("b"), "c")), &RenderOptions{Children: true}, "a<b>c</b>"},
		{"children of a script", with(element("script"), "<"), &RenderOptions{Children: true}, "<"},
		{"long text", with(element("p"), strings.Repeat("é<", 5000)), nil, "<p>" + strings.Repeat("é&lt;", 5000) + "</p>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			if err := RenderWith(&b, tt.n, tt.opts); err != nil {
				t.Fatal(err)
			}
			if b.String() != tt.want {
				t.Errorf("got  %q\nwant %q", b.String(), tt.want)
			}
		})
	}
}

func TestRenderLeavesSiblingsOut(t *testing.T) {
	p := element("p")
	with(element("div"), "before", p, "after")
	var b strings.Builder
	if err := Render(&b, p); err != nil || b.String() != "<p></p>" {
		t.Errorf("got %q, %v", b.String(), err)
	}
}

func TestRenderDeepTree(t *testing.T) {
	depth := 1_000_000
	if testing.Short() {
		depth = 200_000
	}
	root := element("i")
	for n, i := root, 1; i < depth; i++ {
		child := element("i")
		n.AppendChild(child)
		n = child
	}
	var b strings.Builder
	for _, opts := range []*RenderOptions{nil, {OmitTags: true, RoundTrip: true}} {
		b.Reset()
		if err := RenderWith(&b, root, opts); err != nil {
			t.Fatal(err)
		}
		if want := depth * len("<i></i>"); b.Len() != want {
			t.Errorf("%+v: %d bytes, want %d", opts, b.Len(), want)
		}
	}
	if err := RenderXML(io.Discard, CoerceInfoset(root), nil); err != nil {
		t.Error(err)
	}
}

func TestRenderMaxBytes(t *testing.T) {
	n := with(element("p"), strings.Repeat("x", 10_000), element("br"))
	const whole = 10_000 + len("<p><br></p>")
	var all strings.Builder
	if err := RenderWith(&all, n, &RenderOptions{MaxBytes: int64(whole)}); err != nil || all.Len() != whole {
		t.Errorf("limit at the size: %d bytes, %v", all.Len(), err)
	}
	for limit := int64(1); limit < int64(whole); limit = limit*2 + 1 {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			var b strings.Builder
			err := RenderWith(&b, n, &RenderOptions{MaxBytes: limit})
			if !errors.Is(err, ErrMaxBytes) {
				t.Errorf("error %v, want %v", err, ErrMaxBytes)
			}
			if int64(b.Len()) > limit || !strings.HasPrefix(all.String(), b.String()) {
				t.Errorf("%d bytes, or not the beginning", b.Len())
			}
		})
	}
	t.Run("one byte short", func(t *testing.T) {
		if err := RenderWith(io.Discard, n, &RenderOptions{MaxBytes: int64(whole) - 1}); !errors.Is(err, ErrMaxBytes) {
			t.Errorf("error %v, want %v", err, ErrMaxBytes)
		}
	})
}

func TestRenderErrors(t *testing.T) {
	t.Run("writer", func(t *testing.T) {
		r, w := io.Pipe()
		r.CloseWithError(io.ErrClosedPipe)
		if err := Render(w, with(element("p"), strings.Repeat("x", 100_000))); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("error %v", err)
		}
		if err := Render(w, element("p")); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("at the end: error %v", err)
		}
	})
	t.Run("node", func(t *testing.T) {
		if err := Render(io.Discard, with(element("p"), &html.Node{Type: html.ErrorNode})); err == nil {
			t.Error("no error")
		}
	})
}
