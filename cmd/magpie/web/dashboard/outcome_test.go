package dashboard

import (
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

func TestLastOutcome(t *testing.T) {
	items := &config.Job{Items: extract.Spec{Items: []extract.Item{{Name: "lamp"}}}}
	ran := func(pages, failed, records int64) *jobFigures {
		return &jobFigures{records: records, runs: []store.Run{{State: store.RunFinished, Counters: crawl.Counters{Pages: pages, Failed: failed, New: records}}}}
	}
	for _, c := range []struct {
		name    string
		config  *config.Job
		figures *jobFigures
		kind    string
		word    string
	}{
		{"never run", items, nil, "idle", "Never run"},
		{"well", items, ran(10, 0, 9), "ok", "Finished"},
		{"pages alone are wanted", &config.Job{}, ran(10, 0, 0), "ok", "Finished"},
		{"its selectors match nothing", items, ran(10, 0, 0), "warn", "Found no records"},
		{"no page was due", items, ran(0, 0, 0), "ok", "Finished"},
		{"nothing was fetched", items, ran(0, 1, 0), "bad", "Nothing was fetched"},
		{"many pages failed", items, ran(10, 3, 9), "warn", "Finished with faults"},
		{"a file with mistakes", nil, ran(10, 0, 0), "ok", "Finished"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if o := lastOutcome(&daemon.Job{Config: c.config}, c.figures); o.Kind != c.kind || o.Word != c.word {
				t.Errorf("%+v, want %s %q", o, c.kind, c.word)
			}
		})
	}
}

// TestSparkTitle: a sparkline says in words what it shows, also where the last
// run has no figure.
func TestSparkTitle(t *testing.T) {
	ran := func(records int64) store.Run { return store.Run{Counters: crawl.Counters{New: records}} }
	again := store.Run{Kind: store.ReextractRun}
	for _, c := range []struct {
		name string
		runs []store.Run // the newest first
		want string
	}{
		{"no run", nil, "Records: no runs yet"},
		{"runs", []store.Run{ran(7), ran(9)}, "Records in the last 2 runs: 7 to 9, last 7"},
		{"extracted again last", []store.Run{again, ran(7), ran(9)}, "Records in the last 3 runs: 7 to 9, last 7"},
		{"extracted again alone", []store.Run{again}, "Records: none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if line := string((&jobRow{runs: c.runs}).RecordsLine()); !strings.Contains(line, "<title>"+c.want+"</title>") {
				t.Errorf("it says %s", line)
			}
		})
	}
}
