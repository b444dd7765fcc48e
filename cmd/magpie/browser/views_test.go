package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// viewCase is a view and what it must show.
type viewCase struct {
	name, path string
	shows      []string
	status     int64 // default 200
}

// views are all views of the fixture, with what the store has.
func (f *fixture) views(t *testing.T) []viewCase {
	db := f.store(t)
	job := func(path string) string { return "/jobs/lamps" + path }
	run, err := db.Run(t.Context(), "lamps", 4)
	if err != nil {
		t.Fatal(err)
	}
	items, err := db.Items(t.Context(), "lamps")
	if err != nil || len(items) != 1 {
		t.Fatalf("items %v: %v", items, err)
	}
	records := fmt.Sprint(items[0].Records)
	return []viewCase{
		{name: "overview", path: "/", shows: []string{"shop", "lamps", "slow", "wrong", records}},
		{name: "overview filtered", path: "/?q=lam&sort=records", shows: []string{"lamps"}},
		{name: "messages", path: "/messages", shows: []string{"Messages"}},
		{name: "job", path: job(""), shows: []string{"lamps", records, "Monday", fmt.Sprint(run.Counters.Failed)}},
		{name: "job never run", path: "/jobs/slow", shows: []string{"has not run yet"}},
		{name: "job with mistakes", path: "/jobs/wrong.yaml", shows: []string{"itms", "many"}},
		{name: "live idle", path: job("/live"), shows: []string{"Nothing crawls this job now"}},
		{name: "run", path: job("/runs/4"), shows: []string{fmt.Sprint(run.Counters.Pages), "maker", "robots.txt"}},
		{name: "run of the shop", path: "/jobs/shop/runs/1", shows: []string{"product.price"}},
		{name: "changes", path: job("/runs/4/changes"), shows: []string{"Lamp no. 1", "changed"}},
		{name: "records", path: job("/records?item=lamp"), shows: []string{records, "Lamp no. 0", "Maker 0"}},
		{name: "records of the shop", path: "/jobs/shop/records", shows: []string{"60"}},
		{name: "search", path: job("/search?q=lamp+7"), shows: []string{"Lamp no. 7"}},
		{name: "record", path: job("/record?item=lamp&key=" + url.QueryEscape(`["Lamp no. 1"]`)), shows: []string{"Lamp no. 1", "h1", ".price"}},
		{name: "pages", path: job("/pages"), shows: []string{"/lost", "404"}},
		{name: "page", path: job("/page?url=" + url.QueryEscape(f.lamps.URL+"/lamp/1")), shows: []string{"utf-8", "Lamp no. 1"}},
		{name: "page source", path: job("/page?show=source&url=" + url.QueryEscape(f.lamps.URL+"/lamp/1")), shows: []string{"<h1>Lamp no. 1</h1>"}},
		{name: "page text", path: job("/page?show=text&url=" + url.QueryEscape(f.lamps.URL+"/lamp/1")), shows: []string{"Very bright"}},
		{name: "editor", path: job("/edit"), shows: []string{"Job file"}},
		{name: "new", path: "/new", shows: []string{"New job"}},
		{name: "exports", path: job("/exports"), shows: []string{"lamps.csv", "Export now"}},
		{name: "no such page", path: "/nothing", shows: []string{"no page at this address"}, status: 404},
		{name: "no such job", path: "/jobs/nothing", shows: []string{"nothing"}, status: 404},
	}
}

// TestViews looks at each view as people do: by eye in both themes, wide and
// narrow, by ear and by keyboard.
func TestViews(t *testing.T) {
	f := folder(t)
	for _, v := range f.views(t) {
		t.Run(v.name, func(t *testing.T) {
			b := newTab(t, f.url)
			if v.status != 0 {
				b.expect("the server responded with a status of 404")
			}
			if status := b.try(v.path); status != max(v.status, 200) {
				t.Fatalf("status %d", status)
			}
			text := eval[string](b, "document.body.innerText + [...document.querySelectorAll('input, textarea')].map((e) => e.value).join(' ')")
			for _, want := range v.shows {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not shown; the page is\n%.1500s", want, text)
				}
			}
			b.auditLooks()
			b.auditTree(landmarks...)
			b.auditKeyboard()
			b.auditMotion()
		})
	}
}
