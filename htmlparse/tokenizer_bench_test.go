package htmlparse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// corpusPages are the real pages of the shared folder.
func corpusPages(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(sharedDir, "corpus", "pages", "*", "source.html"))
	if err != nil || len(files) == 0 {
		t.Skipf("no pages in %s (%v)", filepath.Join(sharedDir, "corpus"), err)
	}
	pages := make([]string, len(files))
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[i] = string(data)
	}
	return pages
}

// contentState is the state that tree construction switches to after a start tag in HTML content.
func contentState(tok *Token) (State, bool) {
	switch tok.atom {
	case atom.Title, atom.Textarea:
		return RCDATAState, true
	case atom.Style, atom.Xmp, atom.Iframe, atom.Noembed, atom.Noframes:
		return RawtextState, true
	case atom.Script:
		return ScriptDataState, true
	case atom.Plaintext:
		return PlaintextState, true
	}
	return DataState, false
}

// tokenizeAll reads src to its end as tree construction does, keeping the attributes of start tags.
func tokenizeAll(src string) (tokens int) {
	z := NewTokenizer(src, nil)
	var tok Token
	for z.next(&tok) {
		tokens++
		if tok.Type == StartTagToken {
			if state, ok := contentState(&tok); ok {
				z.switchTo(state)
			}
			z.takeAttributes()
		}
	}
	return tokens
}

func BenchmarkTokenize(b *testing.B) {
	pages := corpusPages(b)
	size := 0
	for _, p := range pages {
		size += len(p)
	}
	b.Run("magpie", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range pages {
				tokenizeAll(p)
			}
		}
	})
	b.Run("x-net-html", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range pages {
				z := html.NewTokenizer(strings.NewReader(p))
				for z.Next() != html.ErrorToken {
					z.Token()
				}
			}
		}
	})
	b.Run("x-net-raw", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range pages {
				z := html.NewTokenizer(strings.NewReader(p))
				for t := z.Next(); t != html.ErrorToken; t = z.Next() {
					switch t {
					case html.TextToken, html.CommentToken:
						z.Text()
					case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
						_, more := z.TagName()
						for more {
							_, _, more = z.TagAttr()
						}
					}
				}
			}
		}
	})
}
