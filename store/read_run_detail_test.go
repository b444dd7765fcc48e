package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// What was added up while a run went on is what its pages say, also when it was
// taken up again in between.
func TestRunDetail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	run := beginTest(t, db)
	n := 0
	err := crawlPages(t.Context(), run, 60, func(visits []*crawl.Visit) {
		if n += len(visits); n > 20 && n < 1000 {
			n = 1000
			run.Close()
		}
	})
	if err == nil {
		t.Fatal("the run was not interrupted")
	}
	run = beginTest(t, db)
	crawlSite(t, run, 60, nil)
	if err := run.Finish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	d, err := db.RunDetail(t.Context(), "shop", 0)
	if err != nil {
		t.Fatal(err)
	}
	c := d.Run.Counters
	var responses, failed, retries, bytes, statuses int64
	for _, s := range d.Timeline.Spans {
		responses, failed, retries, bytes = responses+s.Responses, failed+s.Failed, retries+s.Retries, bytes+s.Bytes
	}
	for _, s := range d.Statuses {
		statuses += s.Count
	}
	want := c.Pages + c.Redirects + c.Sitemaps + c.Retries // each of which had a response
	if responses != want || statuses != want || failed != c.Failed || retries != c.Retries || bytes != c.Bytes || failed*retries*bytes == 0 {
		t.Errorf("%d responses, %d statuses, %d failed, %d retries, %d bytes; the counters are %+v", responses, statuses, failed, retries, bytes, c)
	}
	if len(d.Timeline.Spans) > timelinePoints || d.Timeline.Span < time.Second {
		t.Errorf("%d spans of %v", len(d.Timeline.Spans), d.Timeline.Span)
	}
	wantHost := RunHost{Host: "shop.test", Responses: want, Failed: c.Failed, Retries: c.Retries, Bytes: c.Bytes, Average: time.Millisecond, Longest: time.Millisecond}
	if len(d.Hosts) != 1 || d.Hosts[0] != wantHost || d.AllHosts != 1 {
		t.Errorf("hosts %+v of %d, want %+v", d.Hosts, d.AllHosts, wantHost)
	}
	if diff := cmp.Diff([]ReasonCount{{"scope", c.Skipped["scope"]}}, d.NotFetched); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]ReasonCount{{"reset", c.Failed}}, d.Failures); diff != "" {
		t.Error(diff)
	}
	problems, err := db.ProblemCounts(t.Context(), ProblemFilter{Job: "shop"})
	if err != nil || len(problems) == 0 || len(d.Problems) != len(problems) || d.ProblemsOf != c.Problems {
		t.Errorf("problems %+v of %d, want %+v of %d, %v", d.Problems, d.ProblemsOf, problems, c.Problems, err)
	}
	for i := range problems {
		problems[i].Example, d.Problems[i].Example = Problem{}, Problem{}
	}
	if diff := cmp.Diff(problems, d.Problems); diff != "" {
		t.Error(diff)
	}
	fields, err := db.Health(t.Context(), HealthFilter{Job: "shop"})
	if err != nil || len(fields) == 0 || !cmp.Equal(fields, d.Fields) {
		t.Errorf("fields %+v, want %+v, %v", d.Fields, fields, err)
	}
	for name, err := range map[string]error{
		"job": func() error { _, err := db.RunDetail(t.Context(), "x", 0); return err }(),
		"run": func() error { _, err := db.RunDetail(t.Context(), "shop", 2); return err }(),
	} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("an unknown %s: %v", name, err)
		}
	}
}

// A timeline keeps to a bounded number of spans, and to the sums, however long
// the run and whatever the order of its pages.
func TestTimelineWidens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	run := beginTest(t, db)
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	start := time.UnixMilli(1_700_000_000_000)
	for i := range 2000 {
		v := siteVisit(1, due[0])
		v.State, v.Reason = crawl.Pending, "http-503"
		v.Page.FetchedAt = start.Add(time.Duration(i*i*37%2000) * 3 * time.Second)
		if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
			t.Fatal(err)
		}
		if i%500 == 499 {
			run.Close()
			run = beginTest(t, db)
		}
	}
	rows := strings.TrimSpace(dumpSQL(t, path, `SELECT count(*) BETWEEN 20 AND 240, sum(responses) FROM magpie_timelines`))
	if fields := strings.Fields(strings.ReplaceAll(rows, "|", " ")); len(fields) != 2 || fields[0] != "1" || fields[1] != "2000" {
		t.Errorf("rows: %q", rows)
	}
	d, err := db.RunDetail(t.Context(), "shop", 1)
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, s := range d.Timeline.Spans {
		sum += s.Retries
	}
	end := d.Timeline.Since.Add(time.Duration(len(d.Timeline.Spans)) * d.Timeline.Span)
	if sum != 2000 || d.Timeline.Since.After(start) || end.Before(start.Add(5900*time.Second)) || len(d.Timeline.Spans) > timelinePoints {
		t.Errorf("%d in %d spans of %v from %v on", sum, len(d.Timeline.Spans), d.Timeline.Span, d.Timeline.Since)
	}
}

// Databases of earlier versions tell of their runs by what pages they have.
func TestTimelineMigrated(t *testing.T) {
	db := openTest(t, oldDatabase(t, 9))
	d, err := db.RunDetail(t.Context(), "shop", 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Timeline.Spans) != 1 || d.Timeline.Spans[0].Responses != 1 || len(d.Hosts) != 1 || d.Hosts[0].Average != time.Microsecond ||
		!cmp.Equal(d.Statuses, []StatusCount{{200, 1}}) {
		t.Errorf("%+v", d)
	}
}

func TestRunsPage(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	for i := range 7 {
		historyRun(t, db, map[string]string{"k": fmt.Sprint(i)})
	}
	var got []int
	for before := 0; ; {
		runs, err := db.RunsPage(t.Context(), "shop", before, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(runs) == 0 {
			break
		}
		for _, r := range runs {
			got = append(got, r.Number)
			if one, err := db.Run(t.Context(), "shop", r.Number); err != nil || !cmp.Equal(*one, r, cmp.AllowUnexported(Run{})) {
				t.Errorf("%+v, want %+v, %v", r, one, err)
			}
		}
		before = got[len(got)-1]
	}
	if !cmp.Equal(got, []int{7, 6, 5, 4, 3, 2, 1}) {
		t.Error(got)
	}
	if _, err := db.RunsPage(t.Context(), "x", 0, 3); !errors.Is(err, ErrNotFound) {
		t.Errorf("of an unknown job: %v", err)
	}
}
