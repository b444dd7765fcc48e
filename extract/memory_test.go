package extract_test

import (
	"runtime"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// TestRecordsLetPagesGo keeps records while their page is collected.
func TestRecordsLetPagesGo(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "item", Fields: []extract.Field{
		{Name: "word", CSS: "h1"}, {Name: "attr", CSS: "a", Attr: "title"}, {Name: "part", CSS: "h1", Regex: "o(.)e"}, {Name: "text", CSS: "p"},
		{Name: "link", CSS: "a", Attr: "href", As: extract.URL}, {Name: "table", CSS: "table", As: extract.Table},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	freed := make(chan struct{})
	records := func() []extract.Record {
		page := append([]byte("<h1>Love</h1><p>some text<a title=t href=http://a.test/>x</a><table><tr><th>a<th>b<tr><td>c<td>d</table>"), make([]byte, 1<<20)...)
		runtime.AddCleanup(&page[0], func(done chan struct{}) { close(done) }, freed)
		doc, err := htmlparse.ParseBytes(page, &htmlparse.Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		return x.Extract(extract.Page{Root: doc.Root}).Records
	}()
	if len(records) != 1 || len(records[0].Fields) != 6 {
		t.Fatalf("%+v", records)
	}
	for range 100 {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(records)
			return
		default:
		}
	}
	t.Errorf("the page is still in memory for the sake of %+v", records)
}
