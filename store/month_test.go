package store_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// changingShop is a site that changes from day to day by rules, so that what a
// crawl of a day has to find can be told without it.
type changingShop struct {
	day atomic.Int64 // from 1
}

const shopProducts = 40

// brokenDay tells the days on which the shop's template has another class for
// prices.
func brokenDay(day int) bool { return day == 20 || day == 21 }

// sold reports whether the shop has product i on a day: some come later, some
// are taken out.
func sold(i, day int) bool {
	comes := 1
	if i%5 == 0 {
		comes = 1 + i%27
	}
	leaves := 100
	if i%7 == 0 {
		leaves = comes + 3 + i%11
	}
	return comes <= day && day < leaves
}

// cents is the price of product i on a day.
func cents(i, day int) int { return 1000 + 10*i + 100*((day+i)/7) }

func (s *changingShop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	day := int(s.day.Load())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path == "/" {
		for i := range shopProducts {
			if sold(i, day) {
				fmt.Fprintf(w, "<a href=/p/%d>%d</a>", i, i)
			}
		}
		return
	}
	i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/p/"))
	switch {
	case err != nil:
		http.NotFound(w, r)
		return
	case !sold(i, day):
		w.WriteHeader(http.StatusGone)
		return
	}
	class := "price"
	if brokenDay(day) {
		class = "amount"
	}
	fmt.Fprintf(w, "<h1>Product %d</h1><p class=%s>%d.%02d</p>", i, class, cents(i, day)/100, cents(i, day)%100)
}

// records are what a crawl of a day has to find, by key.
func (s *changingShop) records(day int) map[string]string {
	found := map[string]string{}
	for i := range shopProducts {
		if !sold(i, day) {
			continue
		}
		name := fmt.Sprintf("Product %d", i)
		data := fmt.Sprintf(`{"name":%q}`, name)
		if !brokenDay(day) {
			data = fmt.Sprintf(`{"name":%q,"price":%d.%02d}`, name, cents(i, day)/100, cents(i, day)%100)
		}
		found[fmt.Sprintf("[%q]", name)] = data
	}
	return found
}

// changes are what differs between two days: "added KEY", "changed KEY", "gone KEY".
func (s *changingShop) changes(from, to int) (list []string) {
	before, after := s.records(from), s.records(to)
	for key, data := range after {
		switch old, was := before[key]; {
		case !was:
			list = append(list, "added "+key)
		case old != data:
			list = append(list, "changed "+key)
		}
	}
	for key := range before {
		if _, is := after[key]; !is {
			list = append(list, "gone "+key)
		}
	}
	slices.Sort(list)
	return list
}

// TestMonth runs a job by its schedule through a month of a changing site, and
// looks after each run at the records, the differences, the drift and the
// export.
func TestMonth(t *testing.T) {
	shop := &changingShop{}
	site := httptest.NewServer(shop)
	defer site.Close()
	extractor, err := extract.Compile(extract.Spec{Items: []extract.Item{{
		Name: "product", When: extract.When{URL: []string{"*/p/*"}}, Key: []string{"name"},
		Fields: []extract.Field{{Name: "name", CSS: "h1", Required: true}, {Name: "price", CSS: ".price", As: extract.Number}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ends := map[int]time.Time{} // of the runs, by the simulated clock
	for day := 1; day <= 30; day++ {
		shop.day.Store(int64(day))
		clock := time.Date(2026, 11, day, 3, 0, 0, 0, time.UTC)
		crawler, err := crawl.New(crawl.Options{
			Start: []string{site.URL + "/"}, Extractor: extractor, Politeness: crawl.Politeness{Delay: time.Nanosecond, PerHost: 8, Adaptive: crawl.AdaptiveOff},
		})
		if err != nil {
			t.Fatal(err)
		}
		sum, err := crawler.Crawl(t.Context(), db, crawl.Job{Name: "shop"})
		if err != nil || !sum.Finished || sum.Run.Number != day {
			t.Fatalf("day %d: %+v, %v", day, sum, err)
		}
		ends[day] = clock.Add(10 * time.Minute)
		setRunTimes(t, path, day, clock, ends[day])
		checkDay(t, db, shop, day)
	}
	for day, end := range ends {
		run, err := db.RunAt(t.Context(), "shop", end.Add(time.Hour))
		if err != nil || run.Number != day {
			t.Fatalf("the run of day %d: %+v, %v", day, run, err)
		}
		if diff := cmp.Diff(shop.records(day), recordsAt(t, db, run.Number)); diff != "" {
			t.Errorf("day %d, seen from the end of the month (-want +got):\n%s", day, diff)
		}
	}
	for _, c := range [][2]int{{1, 30}, {5, 12}, {19, 22}, {20, 21}} {
		if diff := cmp.Diff(shop.changes(c[0], c[1]), changesBetween(t, db, c[0], c[1])); diff != "" {
			t.Errorf("day %d to %d (-want +got):\n%s", c[0], c[1], diff)
		}
	}
}

// setRunTimes puts a run where the simulated clock stands.
func setRunTimes(t *testing.T, path string, run int, began, ended time.Time) {
	t.Helper()
	raw, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=60000")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`UPDATE runs SET started_at = ?, ended_at = ? WHERE number = ?`, began.UnixMilli(), ended.UnixMilli(), run); err != nil {
		t.Fatal(err)
	}
}

// checkDay looks at what there is after the run of a day.
func checkDay(t *testing.T, db *store.DB, shop *changingShop, day int) {
	t.Helper()
	want := shop.records(day)
	if diff := cmp.Diff(want, recordsAt(t, db, 0)); diff != "" {
		t.Errorf("day %d: records (-want +got):\n%s", day, diff)
	}
	if day > 1 {
		if diff := cmp.Diff(shop.changes(day-1, day), changesBetween(t, db, day-1, day)); diff != "" {
			t.Errorf("day %d: differences (-want +got):\n%s", day, diff)
		}
	}
	var out bytes.Buffer
	n, err := db.Export(t.Context(), &out, store.ExportOptions{Item: "product", Format: store.JSONL})
	if err != nil || int(n) != len(want) {
		t.Fatalf("day %d: %d exported, %v", day, n, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var data []string
	for _, d := range want {
		data = append(data, d)
	}
	slices.Sort(data)
	slices.Sort(lines)
	if diff := cmp.Diff(data, lines); diff != "" {
		t.Errorf("day %d: export (-want +got):\n%s", day, diff)
	}
	var drifts []string
	for d, err := range db.Drifts(t.Context(), store.HealthFilter{Job: "shop", Run: day}) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Kind == store.DriftFill {
			drifts = append(drifts, d.Field)
		}
	}
	var expected []string
	if brokenDay(day) {
		expected = []string{"price"}
	}
	if diff := cmp.Diff(expected, drifts); diff != "" {
		t.Errorf("day %d: drift of fill rates (-want +got):\n%s", day, diff)
	}
}

func recordsAt(t *testing.T, db *store.DB, run int) map[string]string {
	t.Helper()
	found := map[string]string{}
	for r, err := range db.Records(t.Context(), store.RecordFilter{Job: "shop", Item: "product", Run: run}) {
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, r.Data); err != nil {
			t.Fatal(err)
		}
		found[r.Key] = compact.String()
	}
	return found
}

func changesBetween(t *testing.T, db *store.DB, from, to int) (list []string) {
	t.Helper()
	for c, err := range db.Diff(t.Context(), store.DiffOptions{Job: "shop", From: from, To: to}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %s", c.Kind, c.Key))
	}
	slices.Sort(list)
	return list
}
