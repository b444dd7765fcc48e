package api

import (
	"net/url"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
)

func testRecords(s *server, t *testing.T) {
	items := get[List[machine.Item]](s, t, "listItems", "", "demo").Items
	if len(items) == 0 || items[0].Item != "product" {
		t.Fatalf("%+v", items)
	}
	first := get[RecordList](s, t, "listRecords", "item=product&limit=10&sort=_key", "demo")
	if len(first.Items) != 10 || first.Total != items[0].Records || first.Next == "" {
		t.Fatalf("%d of %d records, next %q", len(first.Items), first.Total, first.Next)
	}
	second := get[RecordList](s, t, "listRecords", "item=product&limit=10&sort=_key&cursor="+first.Next, "demo")
	if second.Items[0].Key <= first.Items[9].Key {
		t.Errorf("%q follows %q", second.Items[0].Key, first.Items[9].Key)
	}
	back := get[RecordList](s, t, "listRecords", "item=product&limit=10&sort=_key&before="+second.Previous, "demo")
	if back.Items[0].Key != first.Items[0].Key {
		t.Errorf("back at %q", back.Items[0].Key)
	}
	for name, query := range map[string]string{"from a number": "page=1", "from before": "before=" + second.Previous} {
		t.Run("the link to what is next "+name, func(t *testing.T) {
			resp, _ := s.ask(t, "listRecords", "item=product&limit=10&sort=_key&"+query, "", nil, "demo")
			link, _, _ := strings.Cut(strings.TrimPrefix(resp.Header.Get("Link"), "<"), ">")
			_, next, _ := strings.Cut(link, "?")
			if got := get[RecordList](s, t, "listRecords", next, "demo"); len(got.Items) == 0 || got.Items[0].Key != second.Items[0].Key {
				t.Errorf("%s leads to %+v", link, got.Items)
			}
		})
	}
	cheap := get[RecordList](s, t, "listRecords", "item=product&limit=1000&filter="+url.QueryEscape("price:<:20"), "demo")
	if len(cheap.Items) == 0 || len(cheap.Items) >= int(first.Total) {
		t.Errorf("%d of %d records are cheap", len(cheap.Items), first.Total)
	}
	d := get[machine.RecordDetail](s, t, "getRecord", "item=product&key="+url.QueryEscape(first.Items[0].Key), "demo")
	if len(d.Versions) != 1 || d.Versions[0].LastRun != 2 {
		t.Errorf("%+v", d)
	}
	s.refused(t, 404, "listRecords", "item=none", "", nil, "demo")
	s.refused(t, 400, "listRecords", "item=product&filter=none:=:1", "", nil, "demo")
	s.refused(t, 400, "listRecords", "item=product&filter=price", "", nil, "demo")
	s.refused(t, 400, "listRecords", "item=product&sort=none", "", nil, "demo")
	s.refused(t, 404, "getRecord", "item=product&key=none", "", nil, "demo")
}
