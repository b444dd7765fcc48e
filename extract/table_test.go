package extract

import (
	"testing"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// TestTable runs the cases of testdata/table: what is in a table, and its
// rows as JSON.
func TestTable(t *testing.T) {
	for _, c := range textCases(t, "table") {
		t.Run(c.file+"/"+c.text, func(t *testing.T) {
			doc, err := htmlparse.ParseString("<!DOCTYPE html><table>"+c.text+"</table>", nil)
			if err != nil {
				t.Fatal(err)
			}
			w := newWork(&Page{Root: doc.Root})
			got := "problem"
			if rows, err := w.table(doc.Root); err == nil {
				got = describe(rows)
			}
			if got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}
