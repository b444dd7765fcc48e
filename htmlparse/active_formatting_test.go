package htmlparse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLostMarkers parses pages with markers of closed cells in the list of active formatting elements: what follows them
// is the same whether there are a few or so many that the list has to be tidied.
func TestLostMarkers(t *testing.T) {
	const lost = "<table><td><object></td></table>"
	for _, test := range []struct{ name, before, behind string }{
		{"open b listed before", "<b id=1>", "<p><b id=2></p></b>x</b>y"},
		{"closed b listed before", "<p><b id=1></p>", "x<b id=2>y</b>z</b>w"},
		{"b listed behind", "", "<p><b id=1></p>x<table><td>y</table>z</b>w"},
		{"in an open cell", "<table><td><p><b id=1></p>", "x<p><i id=2></p>y</td>z</table>w"},
		{"in an open object", "<object><p><b id=1></p>", "x<p><i id=2></p>y</object>z<b>w"},
		{"in an open template", "<p><u id=0></p><template><p><b id=1></p>", "x<p><i id=2></p>y</template>z<a>w<p></a>v"},
	} {
		t.Run(test.name, func(t *testing.T) {
			few := treeWithoutTables(t, test.before+strings.Repeat(lost, 3)+test.behind)
			many := treeWithoutTables(t, test.before+strings.Repeat(lost, 3*leastTidied)+test.behind)
			if diff := cmp.Diff(few, many); diff != "" {
				t.Errorf("(-few +many):\n%s", diff)
			}
		})
	}
}

// TestReachableFormatting opens so many templates, with closed elements in each, that the list of active formatting elements
// is tidied: when the templates end, the elements are opened again.
func TestReachableFormatting(t *testing.T) {
	const templates, listed = 300, 4
	if templates*listed < leastTidied {
		t.Fatal("the list is not tidied")
	}
	var page strings.Builder
	for range templates {
		page.WriteString("<template><p><b><i><s><u>a</p>")
	}
	page.WriteString(strings.Repeat("x</template>", templates))
	shape, _ := parseWithCodes(t, page.String(), Options{})
	for _, name := range []string{"b", "i", "s", "u"} {
		if got := shape.byName[name]; got != 2*templates {
			t.Errorf("%d elements %s in %d templates, want two in each", got, name, templates)
		}
	}
}

// treeWithoutTables is the dump of a page's tree but for each run of equal tables that follow each other, of which one stays.
func treeWithoutTables(t *testing.T, page string) string {
	t.Helper()
	doc, err := ParseString(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := doc.Root; n != nil; n = nextWithin(n, doc.Root) {
		for n.NextSibling != nil && n.Data == "table" && dumpString(n) == dumpString(n.NextSibling) {
			n.Parent.RemoveChild(n.NextSibling)
		}
	}
	return dumpString(doc.Root)
}
