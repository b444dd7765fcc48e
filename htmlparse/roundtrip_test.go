package htmlparse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// dump writes a tree line by line, in a way that shows every difference.
func dump(root *html.Node) string {
	var b strings.Builder
	depth := 0
	_ = walk(root, func(n *html.Node) (bool, error) {
		b.WriteString(strings.Repeat(" ", depth))
		b.WriteString(strings.Join([]string{string('0' + rune(n.Type)), n.Namespace, n.Data}, "|"))
		for _, a := range n.Attr {
			b.WriteString("|" + a.Namespace + ":" + a.Key + "=" + a.Val)
		}
		b.WriteByte('\n')
		depth++
		return true, nil
	}, func(*html.Node) { depth-- }, func(*html.Node) bool { return true })
	return b.String()
}

func reparse(t *testing.T, n *html.Node, opts *RenderOptions) (written string, tree string) {
	t.Helper()
	var b strings.Builder
	if err := RenderWith(&b, n, opts); err != nil {
		t.Fatal(err)
	}
	doc, err := ParseString(b.String(), nil)
	if err != nil {
		t.Skip(err)
	}
	return b.String(), dump(doc.Root)
}

// omitsFaithfully checks that a tree that is read again as it was written, is
// so when it is written without its optional tags. Not every tree is:
// plaintext has no end, forms and links don't nest.
// https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments
func omitsFaithfully(t *testing.T, src string) {
	t.Helper()
	doc, err := ParseString(src, nil)
	if err != nil {
		t.Skip(err)
	}
	full, want := reparse(t, doc.Root, &RenderOptions{RoundTrip: true})
	if dump(doc.Root) != want {
		return
	}
	short, got := reparse(t, doc.Root, &RenderOptions{RoundTrip: true, OmitTags: true})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%.300q\nfull  %.300q\nshort %.300q\n(-full +short)\n%.2000s", src, full, short, diff)
	}
}

func TestOmitTagsOfTreeConstructionSuite(t *testing.T) {
	forTreeConstructionInputs(t, omitsFaithfully)
}

// forTreeConstructionInputs runs test on each input of the html5lib suite.
func forTreeConstructionInputs(t *testing.T, test func(t *testing.T, src string)) {
	files, err := filepath.Glob(filepath.Join(conformanceDir(t, "html5lib-tests/tree-construction"), "*.dat"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of the suite: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for block := range bytes.SplitSeq(append([]byte("\n"), src...), []byte("\n#data\n")) {
				if data, _, ok := bytes.Cut(block, []byte("\n#errors")); ok {
					t.Run("", func(t *testing.T) { test(t, string(data)) })
				}
			}
		})
	}
}

// Any tree that the parser builds can be written, with and without its
// optional tags.
func FuzzRenderReparse(f *testing.F) {
	for _, src := range []string{
		"<!DOCTYPE html><title>t</title><p>one<p>two<ul><li>a<li>b</ul>",
		"<table><caption>c<colgroup><col><tbody><tr><td>1<td>2<tfoot><tr><th>3</table>",
		"<table><colgroup><template></template><col></colgroup><template></template><script></script>",
		"<dl><dt>a<dd>b</dl><select><optgroup><option>1<hr><option>2</select><ruby>a<rp>(<rt>b<rp>)</ruby>",
		"<span><p>a</span>b<li>c</span>d<a><p>e</a><x-y><p>f</x-y>g<canvas><p>h</canvas>i",
		"<pre>\n\nx</pre><textarea>\n\ny</textarea><svg><desc><p>z</desc><title><p>q</title></svg>",
		"<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><p>a<table><p>b</table>",
		"<!--a--><html><!--b--><head><!--c--></head> <!--d--><body><!--e--></body> <!--f--></html> <!--g-->",
		"<body> <p></p> </body> </html> ", "<frameset><frame></frameset> <noframes>x</noframes>",
		"<template><tr><td>x<template><li>y</template></template><button><p>x</button><li><p>y</li>",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { omitsFaithfully(t, src) })
}
