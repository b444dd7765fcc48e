package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestOverview(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	if jobs, err := db.Overview(t.Context(), OverviewOptions{}); err != nil || len(jobs) != 0 {
		t.Errorf("of an empty database: %+v, %v", jobs, err)
	}
	for _, products := range []map[string]string{{"a": "1", "b": "1", "c": "1"}, {"a": "2", "b": "1"}, {"a": "2", "c": "3", "d": "1", "e": "1"}} {
		historyRun(t, db, products)
	}
	second := testJob
	second.Name, second.Notify = "a second", []crawl.Notice{{Hook: "x", Event: crawl.EventFinish}}
	run, err := db.Begin(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	crawlSite(t, run, 60, nil)
	if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
		t.Fatal(err)
	}
	if run, err = db.Begin(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	jobs, err := db.Overview(t.Context(), OverviewOptions{Runs: 2})
	if err != nil || len(jobs) != 2 {
		t.Fatalf("%+v, %v", jobs, err)
	}
	shop, other := jobs[1], jobs[0]
	if shop.Name != "shop" || shop.Runs != 3 || len(shop.Recent) != 2 || shop.Recent[0].Number != 2 || shop.Last.Number != 3 || *shop.Last != *shop.Succeeded ||
		shop.Holder != nil || shop.Records != 4 || !cmp.Equal(shop.Items, []ItemCount{{"product", 4, 0}}) || shop.Messages != 0 {
		t.Errorf("%+v", shop)
	}
	last := shop.Last
	if last.State != RunFinished || last.Ended.IsZero() || last.Records != 4 || last.New != 3 || last.Gone != 1 || last.Pages != 1 || last.Kind != CrawlRun {
		t.Errorf("the last run is %+v", last)
	}
	drifts := strings.TrimSpace(dumpSQL(t, path, `SELECT count(*) FROM magpie_drifts WHERE run_id = 3`))
	if strconv.Itoa(shop.Drifts) != drifts {
		t.Errorf("%d drifts, want %s", shop.Drifts, drifts)
	}
	if other.Name != "a second" || other.Last.State != RunRunning || other.Last.Number != 2 || other.Succeeded == nil || other.Succeeded.Number != 1 ||
		other.Holder == nil || other.Holder.PID != db.self.PID || other.Messages != 1 || other.Succeeded.Failed == 0 {
		t.Errorf("%+v", other)
	}
	for _, j := range jobs { // the records that the counters tell of are those that there are
		n, err := db.CountRecords(t.Context(), RecordFilter{Job: j.Name})
		if err != nil || n != j.Records || n == 0 {
			t.Errorf("%s: %d records, want %d, %v", j.Name, j.Records, n, err)
		}
	}
	run.Close()
	jobs, err = db.Overview(t.Context(), OverviewOptions{Now: time.Now()})
	if err != nil || jobs[0].Last.State != RunInterrupted || jobs[0].Holder != nil {
		t.Errorf("%+v, %v", jobs[0], err)
	}
}

func TestFigures(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, product("a", "A", pricedAt("1", "GBP")), product("b", "B"))
	storeRecords(t, db, testJob, product("a", "A", pricedAt("1", "GBP")), product("b", "B", pricedAt("2", "GBP")))
	beginTest(t, db).Close()
	f, err := db.Figures(t.Context(), "shop", 10)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%d %d %d:", f.Runs[0].Number, f.Runs[0].Records, len(f.Runs))
	for _, x := range f.Fields {
		got += fmt.Sprintf(" %s.%s %v", x.Item, x.Field, x.Fill)
	}
	if want := "1 2 3: product.name [1 1 -1] product.price [0.5 1 -1] product.stock [0 0 -1] product.tags [0 0 -1]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if f, err := db.Figures(t.Context(), "shop", 2); err != nil || len(f.Runs) != 2 || f.Runs[0].Number != 2 || !cmp.Equal(f.Fields[1].Fill, []float64{1, -1}) {
		t.Errorf("of two runs: %+v, %v", f, err)
	}
	if _, err := db.Figures(t.Context(), "x", 2); !errors.Is(err, ErrNotFound) {
		t.Errorf("of an unknown job: %v", err)
	}
}

func TestRecordDetail(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	for _, products := range []map[string]string{{"a": "1", "b": "1"}, {"a": "2", "b": "1"}, {"b": "1"}, {"a": "3", "b": "1"}, {"a": "4"}} {
		historyRun(t, db, products)
	}
	text := func(key string) string {
		d, err := db.RecordDetail(t.Context(), "shop", "product", key)
		if err != nil {
			t.Fatal(err)
		}
		s := fmt.Sprint(d.Gone, " ", d.AllVersions)
		for _, v := range d.Versions {
			if v.Since.IsZero() || v.Seen.IsZero() || v.Ended.IsZero() != (v.Until == 0) || v.URL != siteURL(0) {
				t.Errorf("%+v", v)
			}
			s += fmt.Sprintf("; %d-%d until %d %v %s", v.FirstRun, v.LastRun, v.Until, v.Gone, v.Data)
			for _, c := range v.Changes {
				s += fmt.Sprintf(" %s: %s>%s", c.Field, c.Old, c.New)
			}
		}
		return s
	}
	if got, want := text("a"), `false 4; 5-5 until 0 false {"name":"4"} name: "3">"4"; 4-4 until 5 false {"name":"3"}; `+
		`2-2 until 3 true {"name":"2"} name: "1">"2"; 1-1 until 2 false {"name":"1"}`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got, want := text("b"), `true 1; 1-4 until 5 true {"name":"1"}`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for _, key := range [][2]string{{"product", "z"}, {"x", "a"}} {
		if _, err := db.RecordDetail(t.Context(), "shop", key[0], key[1]); !errors.Is(err, ErrNotFound) {
			t.Errorf("%v: %v", key, err)
		}
	}
	site := openTest(t, filepath.Join(t.TempDir(), "site.db"))
	crawlSite(t, beginTest(t, site), 60, nil)
	d, err := site.RecordDetail(t.Context(), "shop", "product", "sku-5")
	if err != nil || len(d.Problems) != 1 || d.Problems[0].Field != "tags[1].x" || d.Problems[0].URL != siteURL(5) {
		t.Errorf("%+v, %v", d, err)
	}
}
