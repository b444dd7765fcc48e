package markdown

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// parse returns the body of a page.
func parse(t testing.TB, page []byte) *html.Node {
	t.Helper()
	doc, err := htmlparse.ParseBytes(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := doc.Root.FirstChild; n != nil; n = n.NextSibling {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Data == "body" || c.Data == "frameset" {
				return c
			}
		}
	}
	t.Fatal("no body")
	return nil
}

var renderer = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))

// shown returns what a renderer makes of Markdown.
func shown(t testing.TB, md string) *html.Node {
	t.Helper()
	var b bytes.Buffer
	if err := renderer.Convert([]byte(md), &b); err != nil {
		t.Fatal(err)
	}
	return parse(t, b.Bytes())
}

// TestCases renders the pieces of HTML in testdata/cases.txt.
func TestCases(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for c := range strings.SplitSeq(strings.TrimPrefix(string(data), "=== "), "\n=== ") {
		name, rest, _ := strings.Cut(c, "\n")
		input, want, ok := strings.Cut(rest, "\n---\n")
		t.Run(name, func(t *testing.T) {
			if !ok {
				t.Fatal("no line --- between input and output")
			}
			options, page := caseOptions(input)
			if got := Render(parse(t, []byte(page)), options); got != strings.TrimSuffix(want, "\n")+"\n" && got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// caseOptions reads a first line "base: URL".
func caseOptions(input string) (*Options, string) {
	if rest, ok := strings.CutPrefix(input, "base: "); ok {
		base, page, _ := strings.Cut(rest, "\n")
		return &Options{Base: base}, page
	}
	return nil, input
}

// TestMaxBytes cuts pages between blocks.
func TestMaxBytes(t *testing.T) {
	cases := []struct{ name, page, want string }{
		{"paragraphs", strings.Repeat("<p>abcd</p>", 9), "abcd\n\nabcd\n\nabcd\n"},
		{"items", "<ul>" + strings.Repeat("<li>abcd", 9) + "</ul>", "- abcd\n- abcd\n"},
		{"quote", "<blockquote>" + strings.Repeat("<p>abcd", 9), "> abcd\n>\n> abcd\n"},
		{"long_paragraph", "<p>a</p><p>" + strings.Repeat("b", 20), "a\n"},
		{"table", "<p>a</p><table><tr><th>b<th>c<tr><td>d<td>e</table><p>f</p>", "a\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			const most = 18
			got := Render(parse(t, []byte(c.page)), &Options{MaxBytes: most})
			if got != c.want || len(got) > most {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
