package storetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// moment is a time that a store can keep to the point.
func moment(minutes int) time.Time {
	return time.UnixMilli(1_700_000_000_000).UTC().Add(time.Duration(minutes) * time.Minute)
}

func revisit(minutes int) *crawl.Revisit {
	return &crawl.Revisit{ETag: `W/"a\"b"`, LastModified: "Tue, 14 Nov 2023 22:13:20 GMT", FetchedAt: moment(minutes), ChangedAt: moment(minutes - 10),
		Content: []byte{0, 1, 0xff}, Interval: 36 * time.Hour}
}

// remembered is the visit of a pending page that leaves r.
func remembered(t *testing.T, r crawl.Run, path string, left *crawl.Revisit, links ...crawl.Link) *crawl.Visit {
	t.Helper()
	v := fetched(t, r, path, links...)
	v.Revisit = left
	return v
}

// missing is the visit of a pending page that answered 404.
func missing(t *testing.T, r crawl.Run, path string, times int, gone bool) *crawl.Visit {
	t.Helper()
	v := &crawl.Visit{Request: request(t, r, path), State: crawl.Failed, Reason: "http-404", Page: page("not found")}
	v.Page.Status = http.StatusNotFound
	v.Revisit = &crawl.Revisit{Missing: times, Gone: gone}
	return v
}

func testRevisits(t *testing.T, open func(t *testing.T) crawl.Store) {
	runCases(t, open, []testCase{
		{"a URL that never answered well has no past", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, &crawl.Visit{Request: request(t, r, "a"), State: crawl.Failed, Reason: "http-404", Page: page("no")})
			r = again(t, s, r, true, job("a"))
			if past := request(t, r, "a").Past; past != nil {
				t.Errorf("Past = %+v", past)
			}
		}},
		{"what a visit left is there in the next run", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = again(t, s, r, true, job("a"))
			same(t, "Past", request(t, r, "a").Past, revisit(0))
		}},
		{"a fingerprint and validators may be absent", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			want := &crawl.Revisit{FetchedAt: moment(0), ChangedAt: moment(0)}
			commit(t, r, remembered(t, r, "a", want))
			r = again(t, s, r, true, job("a"))
			past := *request(t, r, "a").Past
			if len(past.Content) == 0 {
				past.Content = nil
			}
			same(t, "Past", past, *want)
		}},
		{"a later visit takes its place", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = again(t, s, r, true, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(30)))
			r = again(t, s, r, true, job("a"))
			same(t, "Past", request(t, r, "a").Past, revisit(30))
		}},
		{"the past is there through retries and interruptions", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = again(t, s, r, true, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Time{}))
			r = again(t, s, r, false, job("a"))
			same(t, "Past", request(t, r, "a").Past, revisit(0))
		}},
		{"the stored response is the last good one", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := remembered(t, r, "a", revisit(0))
			v.Page.FetchedAt, v.Page.Truncated = moment(0), true
			commit(t, r, v)
			r = again(t, s, r, true, job("a"))
			q := request(t, r, "a")
			stored, err := r.StoredPage(t.Context(), q.ID)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "stored response", *stored, *v.Page)
			commit(t, r, missing(t, r, "a", 1, false))
			if stored, err = r.StoredPage(t.Context(), q.ID); err != nil || string(stored.Body) != "body of a" {
				t.Errorf("after a 404: %+v, %v", stored, err)
			}
		}},
		{"no response is stored of a URL without a past", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			if p, err := r.StoredPage(t.Context(), request(t, r, "a").ID); err == nil {
				t.Errorf("StoredPage: %+v", p)
			}
		}},
		{"an answer that nothing was modified refers to the stored body", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			for run := range 2 {
				r = again(t, s, r, true, job("a"))
				q := request(t, r, "a")
				stored, err := r.StoredPage(t.Context(), q.ID)
				if err != nil || string(stored.Body) != "body of a" {
					t.Fatalf("run %d: StoredPage: %+v, %v", run+2, stored, err)
				}
				stored.Status, stored.NotModified = http.StatusNotModified, true
				commit(t, r, &crawl.Visit{Request: q, State: crawl.Done, Page: stored, Lessons: crawl.Lessons{Revisit: revisit(run)}})
				same(t, "counters", counters(r), crawl.Counters{Pages: 1, NotModified: 1})
			}
		}},
		{"where no bodies are kept, none is stored and none is asked for", func(t *testing.T, s crawl.Store) {
			j := job("a")
			j.Keep.Bodies = crawl.KeepNone
			r := begin(t, s, j)
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = again(t, s, r, true, j)
			q := request(t, r, "a")
			if q.Past == nil || q.Past.ETag != "" || q.Past.LastModified != "" {
				t.Errorf("Past = %+v, want one without validators", q.Past)
			}
			if p, err := r.StoredPage(t.Context(), q.ID); err == nil {
				t.Errorf("StoredPage: %+v", p)
			}
		}},
		{"absence is counted, confirmed once, and taken back", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			for i, c := range []struct {
				visit    func(r crawl.Run) *crawl.Visit
				gone     int64 // counted in this run
				missing  int   // known in the next
				isAbsent bool
			}{
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 1, false) }, 0, 1, false},
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 2, true) }, 1, 2, true},
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 3, true) }, 0, 3, true},
				{func(r crawl.Run) *crawl.Visit { return remembered(t, r, "a", revisit(0)) }, 0, 0, false},
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 1, true) }, 1, 1, true},
			} {
				r = again(t, s, r, true, job("a"))
				commit(t, r, c.visit(r))
				same(t, fmt.Sprintf("gone in case %d", i), counters(r).Gone, c.gone)
				r = again(t, s, r, true, job("a"))
				want := revisit(0)
				want.Missing, want.Gone = c.missing, c.isAbsent
				same(t, fmt.Sprintf("Past after case %d", i), request(t, r, "a").Past, want)
			}
		}},
		{"what a sitemap says of known pages", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "map"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = again(t, s, r, true, job("a", "map"))
			entry, other := link("a", 1), link("new", 1)
			entry.LastMod, other.LastMod = moment(5), moment(5)
			commit(t, r, fetched(t, r, "map", entry, other))
			if got := request(t, r, "a").Past.LastMod; !got.Equal(moment(5)) {
				t.Errorf("LastMod = %v", got)
			}
			if past := request(t, r, "new").Past; past != nil {
				t.Errorf("of a new URL: %+v", past)
			}
			commit(t, r, remembered(t, r, "a", revisit(30)))
			r = again(t, s, r, true, job("a"))
			same(t, "Past after the next visit", request(t, r, "a").Past, revisit(30))
		}},
		{"a visit that was put off changes nothing but what it taught", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			q := request(t, r, "a")
			state := crawl.HostState{CrawlDelay: time.Second}
			commit(t, r, &crawl.Visit{Request: q, State: crawl.Pending, Lessons: crawl.Lessons{Host: &state}})
			same(t, "request", request(t, r, "a"), q)
			same(t, "counters", counters(r), crawl.Counters{})
			got, err := r.HostState(t.Context(), host)
			if err != nil || got != state {
				t.Errorf("HostState = %+v, %v", got, err)
			}
		}},
		{"a retry that no clock can have meant waits no longer than the longest", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Now().Add(10*365*24*time.Hour)))
			r = again(t, s, r, false, job("a"))
			_, next, err := r.Window(t.Context(), host, time.Now(), 10, nil)
			if latest := time.Now().Add(crawl.MaxRetryAfter + time.Second); err != nil || next.IsZero() || next.After(latest) {
				t.Errorf("the next try is at %v, %v; want one before %v", next, err, latest)
			}
		}},
	})
}

func testRecall(t *testing.T, open func(t *testing.T) crawl.Store) {
	elsewhere := crawl.Link{URL: "https://other.test/x", Host: "other.test", Depth: 1}
	// Two pages that a's links lead to in the first run alone.
	orphans := func(t *testing.T, s crawl.Store, next crawl.Job) crawl.Run {
		r := begin(t, s, job("a"))
		commit(t, r, remembered(t, r, "a", revisit(0), link("b", 1), link("c", 1), link("never", 1), elsewhere))
		commit(t, r, remembered(t, r, "b", revisit(0)), remembered(t, r, "c", revisit(0)))
		due, _, err := r.Window(t.Context(), elsewhere.Host, time.Now(), 10, nil)
		if err != nil || len(due) != 1 {
			t.Fatal(due, err)
		}
		commit(t, r, &crawl.Visit{Request: due[0], State: crawl.Done, Page: page("x"), Lessons: crawl.Lessons{Revisit: revisit(0)}})
		r = again(t, s, r, true, next)
		commit(t, r, remembered(t, r, "a", revisit(0)))
		return r
	}
	recall := func(t *testing.T, r crawl.Run, limit int) map[string]int64 {
		t.Helper()
		added, err := r.Recall(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		return added
	}
	runCases(t, open, []testCase{
		{"pages that no link of the run led to", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			same(t, "pending before", pending(t, r), []string{})
			same(t, "added", recall(t, r, 100), map[string]int64{host: 2, elsewhere.Host: 1})
			same(t, "pending", pending(t, r), []string{"b", "c"})
			same(t, "Past", request(t, r, "b").Past, revisit(0))
			same(t, "added again", len(recall(t, r, 100)), 0)
		}},
		{"a few at a time, each once", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			var total int64
			for {
				added := recall(t, r, 1)
				if len(added) == 0 {
					break
				}
				for _, n := range added {
					total += n
				}
			}
			same(t, "recalled", total, int64(3))
		}},
		{"none in a first run", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			same(t, "added", len(recall(t, r, 100)), 0)
		}},
		{"none of runs with another plan", func(t *testing.T, s crawl.Store) {
			other := job("a")
			other.Plan = "other"
			r := orphans(t, s, other)
			same(t, "added", len(recall(t, r, 100)), 0)
		}},
		{"none that are gone", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a", "b"))
			commit(t, r, missing(t, r, "b", 1, true))
			r = again(t, s, r, true, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			same(t, "added", recall(t, r, 100), map[string]int64{host: 1, elsewhere.Host: 1})
			same(t, "pending", pending(t, r), []string{"c"})
		}},
		{"not those of another job", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			j := job("z")
			j.Name = "other"
			other := begin(t, s, j)
			same(t, "added", len(recall(t, other, 100)), 0)
			same(t, "added here", len(recall(t, r, 100)), 2)
		}},
		{"what was put back is there after an interruption", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			recall(t, r, 1)
			r = again(t, s, r, false, job("a"))
			same(t, "pending", pending(t, r), []string{"b"})
			same(t, "added", recall(t, r, 100), map[string]int64{host: 1, elsewhere.Host: 1})
		}},
	})
}

func testHostState(t *testing.T, open func(t *testing.T) crawl.Store) {
	learned := crawl.HostState{NotBefore: moment(0), CrawlDelay: 2 * time.Second, Slow: 1500 * time.Millisecond, Failures: 3}
	state := func(t *testing.T, r crawl.Run, host string) crawl.HostState {
		t.Helper()
		s, err := r.HostState(t.Context(), host)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	runCases(t, open, []testCase{
		{"of a host that nothing is known of", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			same(t, "state", state(t, r, host), crawl.HostState{})
			same(t, "state of an unknown host", state(t, r, "nowhere.test"), crawl.HostState{})
		}},
		{"each visit may teach, whatever becomes of it", func(t *testing.T, s crawl.Store) {
			for name, visit := range map[string]func(r crawl.Run) *crawl.Visit{
				"fetched": func(r crawl.Run) *crawl.Visit { return fetched(t, r, "a") },
				"retry":   func(r crawl.Run) *crawl.Visit { return retry(request(t, r, "b"), time.Now().Add(time.Hour)) },
				"failed": func(r crawl.Run) *crawl.Visit {
					return &crawl.Visit{Request: request(t, r, "c"), State: crawl.Failed, Reason: "timeout"}
				},
				"skipped": func(r crawl.Run) *crawl.Visit {
					return &crawl.Visit{Request: request(t, r, "d"), State: crawl.Skipped, Reason: crawl.ReasonRobots}
				},
			} {
				j := job("a", "b", "c", "d")
				j.Name = name
				r := begin(t, s, j)
				want := learned
				want.Slow = time.Duration(len(name)) * time.Second
				v := visit(r)
				v.Host = &want
				commit(t, r, v)
				same(t, name, state(t, r, host), want)
			}
		}},
		{"it outlasts an interruption, and is what was taught last", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			first, second := fetched(t, r, "a"), fetched(t, r, "b")
			first.Host, second.Host = &crawl.HostState{Failures: 9}, &learned
			commit(t, r, first, second)
			r = again(t, s, r, false, job("a"))
			same(t, "state", state(t, r, host), learned)
		}},
		{"the next run knows all but the failures", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			v.Host = &learned
			commit(t, r, v)
			r = again(t, s, r, true, job("a"))
			want := learned
			want.Failures = 0
			same(t, "state", state(t, r, host), want)
		}},
		{"a time is never early", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			v.Host = &crawl.HostState{NotBefore: moment(0).Add(time.Microsecond)}
			commit(t, r, v)
			if got := state(t, r, host).NotBefore; got.Before(v.Host.NotBefore) {
				t.Errorf("NotBefore = %v, want not before %v", got, v.Host.NotBefore)
			}
		}},
	})
}

func testRobotsFile(t *testing.T, open func(t *testing.T) crawl.Store) {
	const origin = "https://" + host
	file := func(body string) *crawl.RobotsFile {
		f := &crawl.RobotsFile{Origin: origin, FetchedAt: moment(0), Expires: moment(60), Status: http.StatusOK}
		if body != "" {
			f.Body = []byte(body)
		}
		return f
	}
	get := func(t *testing.T, r crawl.Run, origin string) *crawl.RobotsFile {
		t.Helper()
		f, err := r.RobotsFile(t.Context(), origin)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	runCases(t, open, []testCase{
		{"one that was never asked for", func(t *testing.T, s crawl.Store) {
			if f := get(t, begin(t, s, job("a")), origin); f != nil {
				t.Errorf("RobotsFile = %+v", f)
			}
		}},
		{"it comes with a visit and outlasts runs", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := retry(request(t, r, "a"), time.Time{})
			v.Robots = file("User-agent: *\nDisallow: /x\n")
			commit(t, r, v)
			r = again(t, s, r, true, job("a"))
			same(t, "file", get(t, r, origin), v.Robots)
			if f := get(t, r, "http://"+host); f != nil {
				t.Errorf("of another scheme: %+v", f)
			}
		}},
		{"without rules, and unreachable", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			v := fetched(t, r, "a")
			v.Robots = file("")
			commit(t, r, v)
			same(t, "without rules", get(t, r, origin), v.Robots)
			v = fetched(t, r, "b")
			v.Robots = &crawl.RobotsFile{Origin: origin, FetchedAt: moment(1), Expires: moment(2), Status: 503, Err: "status 503", Failures: 4}
			commit(t, r, v)
			same(t, "unreachable", get(t, r, origin), v.Robots)
		}},
		{"jobs have their own", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			v.Robots = file("User-agent: a\nDisallow: /")
			commit(t, r, v)
			j := job("a")
			j.Name = "other"
			if f := get(t, begin(t, s, j), origin); f != nil {
				t.Errorf("RobotsFile = %+v", f)
			}
		}},
	})
}
