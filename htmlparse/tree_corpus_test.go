package htmlparse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse/internal/encoding"
)

// netDifference is a way in which golang.org/x/net/html departs from the standard. apply does the same to a tree of ours.
type netDifference struct {
	reason string
	apply  func(root *html.Node)
}

var referencesInComments = netDifference{
	"it decodes character references in comments, where the standard knows none",
	func(root *html.Node) {
		for n := range root.Descendants() {
			if n.Type == html.CommentNode {
				n.Data = html.UnescapeString(n.Data)
			}
		}
	},
}

// corpusDifferences are the pages of which golang.org/x/net/html builds another tree.
var corpusDifferences = map[string]netDifference{
	"cnn":                    referencesInComments,
	"daringfireball-1":       referencesInComments,
	"table-style-attributes": referencesInComments,
	"webmd-1":                referencesInComments,
	"webmd-2":                referencesInComments,
}

// TestCorpus parses real pages and compares the trees with those of golang.org/x/net/html.
func TestCorpus(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(sharedDir, "corpus", "pages", "*", "source.html"))
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) == 0 {
		t.Skipf("no pages in %s", filepath.Join(sharedDir, "corpus", "pages"))
	}
	for i, path := range pages {
		if testing.Short() && i%4 != 0 {
			continue
		}
		name := filepath.Base(filepath.Dir(path))
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text := encoding.ValidUTF8(string(src))
			for _, scripting := range []bool{false, true} {
				compareWithNet(t, name, text, scripting)
			}
		})
	}
}

func compareWithNet(t *testing.T, name, text string, scripting bool) {
	t.Helper()
	doc, err := ParseString(text, &Options{Scripting: scripting})
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, doc.Root)
	theirs, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(scripting))
	if err != nil {
		t.Fatal(err)
	}
	want := dumpString(theirs)
	difference := firstDifference(dumpString(doc.Root), want)
	if known, listed := corpusDifferences[name]; listed {
		if difference == "" {
			t.Errorf("the page is listed as different (%s), but is the same", known.reason)
		}
		known.apply(doc.Root)
		difference = firstDifference(dumpString(doc.Root), want)
	}
	if difference != "" {
		t.Errorf("scripting=%v: %s", scripting, difference)
	}
}

// firstDifference shows the first line in which two texts differ, "" if they are the same.
func firstDifference(ours, theirs string) string {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n  ours %.200q\ntheirs %.200q\nbefore %.200q", i+1, a[i], b[i], a[max(0, i-1)])
		}
	}
	if len(a) != len(b) {
		return fmt.Sprintf("%d lines, theirs %d", len(a), len(b))
	}
	return ""
}
