package xpath

import (
	"slices"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// TestPages compares what expressions and selectors that mean the same find
// in real pages.
func TestPages(t *testing.T) {
	roots, _ := readPages(t, 60)
	for _, c := range []struct{ xpath, css string }{
		{"//a", "a"}, {"//div/p", "div > p"}, {"//div//p", "div p"}, {"//div/div/a", "div > div > a"}, {"//div//div//a", "div div a"},
		{"//li[1]", "li:first-of-type"}, {"//p[last()]", "p:last-of-type"}, {"//td[2]", "td:nth-of-type(2)"}, {"//p[position() mod 3 = 1]", "p:nth-of-type(3n+1)"},
		{"//p[last() - 1]", "p:nth-last-of-type(2)"}, {"//*[1][self::a]", "a:first-child"},
		{"//a[@href]", "a[href]"}, {"//a[not(@href)]", "a:not([href])"}, {"//a[starts-with(@href, 'http')]", "a[href^='http']"}, {"//a[contains(@href, 'www')]", "a[href*='www']"},
		{"//*[@id]", "[id]"}, {"//*[has-class('article')]", ".article"}, {"//div[.//img]", "div:has(img)"}, {"//div[img]", "div:haschild(img)"}, {"//p[a or b]", "p:haschild(a, b)"},
		{"//h2/following-sibling::p", "h2 ~ p"}, {"//h2/following-sibling::*[1][self::p]", "h2 + p"}, {"//p[preceding-sibling::h2]", "h2 ~ p"}, {"//p[ancestor::div[@id]]", "div[id] p"},
		{"//p[parent::div[@class]]", "div[class] > p"}, {"//a/ancestor::div", "div:has(a)"}, {"//h1 | //h2 | //h3", "h1, h2, h3"},
		{"//div/p[1]/a", "div > p:first-of-type > a"}, {"//img/..", ":haschild(img)"},
	} {
		t.Run(c.xpath, func(t *testing.T) {
			sel, err := cascadia.Compile(c.css)
			if err != nil {
				t.Fatal(err)
			}
			for i, root := range roots {
				var got []*html.Node
				for _, n := range evaluate(t, c.xpath, root).Nodes() {
					got = append(got, n.Node)
				}
				want := slices.DeleteFunc(cascadia.QueryAll(root, sel), inTemplate)
				if !slices.Equal(got, want) {
					t.Errorf("page %d: %d nodes, %s finds %d", i, len(got), c.css, len(want))
				}
			}
		})
	}
}

func inTemplate(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if isTemplate(p) {
			return true
		}
	}
	return false
}
