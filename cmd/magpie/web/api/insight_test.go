package api

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/store"
)

func testInsight(s *server, t *testing.T) {
	all := get[List[machine.Overview]](s, t, "getOverview", "runs=1").Items
	if len(all) != 3 || all[1].Job != "demo" || all[1].Runs != 2 || len(all[1].Recent) != 1 || all[1].Succeeded == nil || all[1].Records == 0 || len(all[1].Items) == 0 {
		t.Errorf("%+v", all)
	}
	f := get[machine.Figures](s, t, "getFigures", "", "demo")
	if len(f.Runs) != 2 || f.Runs[0].Run != 1 || len(f.Fields) == 0 || len(f.Fields[0].Fill) != 2 || *f.Fields[0].Fill[1] == 0 {
		t.Errorf("%+v", f)
	}
	d := get[machine.RunDetail](s, t, "getRunDetail", "", "demo", "1")
	if d.Run.Run != 1 || len(d.NotFetched) == 0 || len(d.Failures) == 0 || len(d.Timeline.Spans) == 0 || len(d.Hosts) != 1 || len(d.Statuses) < 2 || len(d.Fields) == 0 {
		t.Errorf("%+v", d)
	}
	if odd := get[machine.RunDetail](s, t, "getRunDetail", "", oddName, "1"); len(odd.Problems) == 0 || odd.ProblemsOf == 0 {
		t.Errorf("%+v", odd)
	}
	if last := get[machine.RunDetail](s, t, "getRunDetail", "", "demo", "last"); last.Run.Run != 2 {
		t.Errorf("the last run is %d", last.Run.Run)
	}
	s.refused(t, 404, "getRunDetail", "", "", nil, "demo", "9")
	s.refused(t, 400, "getRunDetail", "", "", nil, "demo", "0")
	testAlerts(s, t)
}

func testAlerts(s *server, t *testing.T) {
	if list := get[List[machine.Alert]](s, t, "listAlerts", "").Items; len(list) != 0 {
		t.Errorf("%+v", list)
	}
	now := time.Now().Truncate(time.Millisecond)
	err := s.db.ChangeAlerts(t.Context(), store.AlertChange{At: now,
		Open:   []store.Alert{{Job: "demo", Kind: "failure", Since: now.Add(-time.Hour), Last: now, Count: 3, Run: 2, Detail: "it broke", Told: map[string]time.Time{"c": now}}},
		Events: []store.AlertEvent{{Channel: "c", Name: "email ops@example.com", Due: now.Add(time.Hour), Job: "demo", Kind: "failure", Data: []byte("{}")}}})
	if err != nil {
		t.Fatal(err)
	}
	list := get[List[machine.Alert]](s, t, "listAlerts", "job=demo").Items
	if len(list) != 1 || list[0].Kind != "failure" || list[0].Count != 3 || list[0].Detail != "it broke" || !list[0].Told.Equal(now) {
		t.Errorf("%+v", list)
	}
	if other := get[List[machine.Alert]](s, t, "listAlerts", "job=slow").Items; len(other) != 0 {
		t.Errorf("%+v", other)
	}
	messages := get[List[machine.AlertMessage]](s, t, "listAlertMessages", "").Items
	if len(messages) != 1 || messages[0].To != "email ops@example.com" || messages[0].State != "due" || messages[0].Jobs[0] != "demo" {
		t.Fatalf("%+v", messages)
	}
	if err := s.db.AlertMessageFailed(t.Context(), messages[0].ID, "nobody there", now, time.Time{}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"": 1, "state=dropped": 1, "state=due": 0, "state=sent": 0, "job=slow": 0, "job=demo": 1} {
		got := get[List[machine.AlertMessage]](s, t, "listAlertMessages", query).Items
		if len(got) != want || want == 1 && (got[0].State != "dropped" || got[0].Error != "nobody there") {
			t.Errorf("%s: %+v", query, got)
		}
	}
	s.refused(t, 400, "listAlertMessages", "state=lost", "", nil)
}

func testSearch(s *server, t *testing.T) {
	record := get[RecordList](s, t, "listRecords", "item=product&limit=1", "demo").Items[0]
	word := strings.Trim(string(record.Key), `"[]`)
	found := get[FoundList](s, t, "search", "q="+url.QueryEscape(word)+"&job=demo&item=product")
	if len(found.Items) == 0 || !found.Complete || found.Items[0].Job != "demo" || found.Items[0].Item != "product" || len(found.Items[0].Record) == 0 || len(found.Items[0].Snippet) == 0 {
		t.Fatalf("%q: %+v", word, found)
	}
	if none := get[FoundList](s, t, "search", "q=nowhere:zzzzqqqq"); len(none.Items) != 0 || len(none.Unknown) != 1 {
		t.Errorf("%+v", none)
	}
	if one := get[FoundList](s, t, "search", "q=a*&limit=1"); len(one.Items) != 1 {
		t.Errorf("%d found", len(one.Items))
	}
	for _, words := range []string{"-lamp", `""`, strings.Repeat("x ", 1000)} {
		s.refused(t, 400, "search", "q="+url.QueryEscape(words), "", nil)
	}
	s.refused(t, 400, "search", "", "", nil)
	s.refused(t, 404, "search", "q=a&job=nobody", "", nil)
	s.refused(t, 404, "search", "q=a&item=none", "", nil)
}
