package extract

import (
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/htmlparse"
)

var textTarget = mustCompileSelector("#t")

// TestText runs the cases of testdata/text: markup in a div, or with an
// element of its own with the id t, and its text.
func TestText(t *testing.T) {
	for _, c := range textCases(t, "text") {
		t.Run(c.file+"/"+c.text, func(t *testing.T) {
			page := c.text
			if !strings.Contains(page, "id=t") {
				page = "<div id=t>" + page + "</div>"
			}
			doc, err := htmlparse.ParseString("<!DOCTYPE html><body>"+page, nil)
			if err != nil {
				t.Fatal(err)
			}
			w := newWork(&Page{Root: doc.Root})
			n := w.first(textTarget, doc.Root)
			if n == nil {
				t.Fatal("the parser leaves the element out")
			}
			if got := w.text(n); got != c.want {
				t.Errorf("%s\n got %q\nwant %q", page, got, c.want)
			}
		})
	}
}
