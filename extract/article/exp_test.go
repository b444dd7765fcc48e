package article

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"bytes"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/article/internal/score"
	"github.com/magpie-crawl/magpie/htmlparse"
)

var inl = map[string]bool{"a": true, "b": true, "i": true, "em": true, "strong": true, "span": true, "font": true, "u": true, "s": true, "code": true, "sub": true, "sup": true, "small": true, "mark": true, "abbr": true, "cite": true, "q": true, "kbd": true, "var": true, "samp": true, "del": true, "ins": true, "time": true, "bdi": true, "bdo": true, "wbr": true, "hi":true}

func xtext(n *html.Node) string {
	var b strings.Builder
	var f func(*html.Node)
	f = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "template"||n.Data=="noscript") {
			return
		}
		sep := n.Type == html.ElementNode && !inl[n.Data]
		if sep {
			b.WriteByte('\n')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			f(c)
		}
		if sep {
			b.WriteByte('\n')
		}
	}
	if n != nil {
		f(n)
	}
	return b.String()
}

func TestExp(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/corpus/pages/*/source.html")
	systems := []string{"read", "readx", "traf", "traf-nodate","trafx", "traffb-given","precision","recall"}
	dur := map[string]time.Duration{}
	scores := map[string][]score.Score{}
	u, _ := url.Parse("http://fakehost/test/page.html")
	for _, f := range files {
		src, _ := os.ReadFile(f)
		exp, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "expected.html"))
		d, _ := htmlparse.ParseBytes(src, nil)
		e, _ := htmlparse.ParseBytes(exp, nil)
		truth := xtext(e.Root)
		line := fmt.Sprintf("%-40s %6d", filepath.Base(filepath.Dir(f)), len(truth))
		var rnode *html.Node
		for _, s := range systems {
			root := htmlparse.Clone(d.Root)
			if strings.HasSuffix(s, "x") {
				root, _ = html.Parse(bytes.NewReader(src))
			}
			st := time.Now()
			var n *html.Node
			opts := trafilatura.Options{OriginalURL: u}
			switch s {
			case "read", "readx":
				p := readability.NewParser()
				a, _ := p.ParseAndMutate(root, u)
				n = a.Node
				if s=="read" {rnode=a.Node}
			default:
				switch s {
				case "traf-nodate":
					opts.HtmlDateMode = trafilatura.Disabled
				case "precision":
					opts.HtmlDateMode = trafilatura.Disabled
					opts.Focus = trafilatura.FavorPrecision
				case "recall":
					opts.HtmlDateMode = trafilatura.Disabled
					opts.Focus = trafilatura.FavorRecall
				case "traffb-given":
					opts.HtmlDateMode = trafilatura.Disabled
					opts.EnableFallback = true
					opts.FallbackCandidates = &trafilatura.FallbackCandidates{}
					if rnode!=nil{ opts.FallbackCandidates.Readability= rnode}
				}
				a, err := trafilatura.ExtractDocument(root, opts)
				if err == nil {
					n = a.ContentNode
				}
			}
			dur[s] += time.Since(st)
			sc := score.Texts(xtext(n), truth)
			scores[s] = append(scores[s], sc)
			line += fmt.Sprintf("  %.2f/%.2f/%.2f", sc.Precision, sc.Recall, sc.F1)
		}
		fmt.Println(line)
	}
	for _, s := range systems {
		fmt.Println(s, score.Mean(scores[s]), dur[s])
	}
}
