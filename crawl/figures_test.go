package crawl_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestFigures(t *testing.T) {
	s := newSite(t)
	long := "/" + strings.Repeat("x", 1500)
	s.page("/", "/a", "/lost", "/moved", long)
	s.page("/a")
	s.first(1, "/a", 503)
	s.status("/moved", 302, "Location", "/a")
	var progress []crawl.Progress
	var c *crawl.Crawler
	c, err := crawl.New(quick(t, s, func(o *crawl.Options) {
		o.OnVisit = func(*crawl.Visit) { progress = append(progress, c.Progress()) }
	}))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(crawl.Figures{}, c.Figures()); d != "" {
		t.Errorf("before the crawl: %s", d)
	}
	began := time.Now()
	sum, err := c.Crawl(t.Context(), openStore(t), crawl.Job{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	f := c.Figures()
	want := crawl.Figures{
		Responses: map[int]int64{200: 2, 302: 1, 404: 2, 503: 1},
		Failures:  map[crawl.Reason]int64{"http-404": 2, "http-503": 1},
		Retries:   1,
		Bytes:     sum.Run.Counters.Bytes,
		Fetches:   6,
	}
	fetches, last := int64(0), time.Duration(0)
	for i, d := range f.Durations {
		if fetches += d.Count; d.UpTo <= last && i < len(f.Durations)-1 {
			t.Errorf("columns of %v and %v", last, d.UpTo)
		}
		last = d.UpTo
	}
	if fetches != 6 || last != 0 || f.Duration <= 0 || f.Duration > 6*time.Since(began) {
		t.Errorf("durations %v, in all %v", f.Durations, f.Duration)
	}
	retries := 0
	for i, p := range f.Problems {
		if !strings.HasPrefix(p.URL, s.URL) || len(p.URL) > 1010 || "http://"+p.Host != s.URL || p.Detail == "" || p.At.Before(began) || p.At.After(time.Now()) {
			t.Errorf("%+v", p)
		}
		if i > 0 && p.At.After(f.Problems[i-1].At) {
			t.Errorf("%v after %v", f.Problems[i-1], p)
		}
		if !p.RetryAt.IsZero() {
			retries++
			if p.Reason != "http-503" {
				t.Errorf("%+v", p)
			}
		}
	}
	if len(f.Problems) != 3 || retries != 1 {
		t.Errorf("%+v", f.Problems)
	}
	f.Duration, f.Durations, f.Problems = 0, nil, nil
	if d := cmp.Diff(want, f); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if p := progress[len(progress)-1]; p.Rate <= 0 || p.BytesRate <= p.Rate {
		t.Errorf("%v pages and %v bytes a second", p.Rate, p.BytesRate)
	}
}

func TestFiguresKeepTheLastProblems(t *testing.T) {
	s := newSite(t)
	var refs []string
	for i := range 70 {
		refs = append(refs, fmt.Sprintf("/%d", i))
	}
	s.page("/", refs...)
	var failed []string
	c, err := crawl.New(quick(t, s, func(o *crawl.Options) {
		o.OnVisit = func(v *crawl.Visit) {
			if v.State == crawl.Failed {
				failed = append(failed, v.Request.URL)
			}
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Crawl(t.Context(), openStore(t), crawl.Job{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	f := c.Figures()
	if len(f.Problems) != 50 || len(failed) != 70 || f.Failures["http-404"] != 70 {
		t.Fatalf("%d of %v", len(f.Problems), f.Failures)
	}
	for i, p := range f.Problems {
		if want := failed[69-i]; p.URL != want {
			t.Errorf("problem %d is that of %s, want %s", i, p.URL, want)
		}
	}
}
