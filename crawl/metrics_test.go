package crawl_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

var sample = regexp.MustCompile(`^([a-z][a-z0-9_]*)(\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? (\S+)$`)

// readMetrics reads the exposition format strictly: each sample's metric has
// been announced, and no series comes twice.
func readMetrics(t *testing.T, text string) map[string]float64 {
	t.Helper()
	values, types := map[string]float64{}, map[string]string{}
	helped := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			helped, _, _ = strings.Cut(rest, " ")
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if name != helped || types[name] != "" {
				t.Errorf("TYPE out of place: %s", line)
			}
			if strings.HasSuffix(name, "_total") != (kind == "counter") {
				t.Errorf("a counter's name ends in _total, and no other's: %s", line)
			}
			types[name] = kind
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no sample: %q", line)
		}
		name := m[1]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if base, ok := strings.CutSuffix(name, suffix); ok && types[base] == "histogram" {
				name = base
			}
		}
		if types[name] == "" || name != helped {
			t.Errorf("the sample does not follow its TYPE: %s", line)
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if _, twice := values[m[1]+m[2]]; err != nil || twice {
			t.Errorf("twice, or no number: %s", line)
		}
		values[m[1]+m[2]] = value
	}
	return values
}

func TestMetrics(t *testing.T) {
	s, db := newSite(t), openStore(t)
	s.page("/", "/a", "/lost", "/moved", "http://elsewhere.invalid/")
	s.page("/a")
	s.first(1, "/a", 503)
	s.status("/moved", 302, "Location", "/a")
	c, err := crawl.New(quick(t, s, nil))
	if err != nil {
		t.Fatal(err)
	}
	var before strings.Builder
	if err := c.WriteMetrics(&before); err != nil || before.Len() > 0 {
		t.Errorf("before the crawl: %q, %v", before.String(), err)
	}
	if _, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := c.WriteMetrics(&out); err != nil {
		t.Fatal(err)
	}
	values := readMetrics(t, out.String())
	host := strings.TrimPrefix(s.URL, "http://")
	for name, want := range map[string]float64{
		`magpie_crawl_pages_total`:                               2,
		`magpie_crawl_redirects_total`:                           1,
		`magpie_crawl_retries_total`:                             1,
		`magpie_crawl_failed_total{reason="http-404"}`:           1,
		`magpie_crawl_skipped_total{reason="scope"}`:             1,
		`magpie_crawl_records_total{outcome="new"}`:              2,
		`magpie_crawl_queue_urls`:                                0,
		`magpie_crawl_requests_in_flight`:                        0,
		`magpie_crawl_responses_total{code="200"}`:               2,
		`magpie_crawl_responses_total{code="302"}`:               1,
		`magpie_crawl_responses_total{code="404"}`:               1,
		`magpie_crawl_responses_total{code="503"}`:               1,
		`magpie_crawl_fetch_duration_seconds_count`:              5,
		`magpie_crawl_fetch_duration_seconds_bucket{le="+Inf"}`:  5,
		`magpie_crawl_fetch_duration_seconds_bucket{le="120"}`:   5,
		`magpie_crawl_host_responses_total{host="` + host + `"}`: 5,
		`magpie_crawl_host_failures_total{host="` + host + `"}`:  2,
		`magpie_crawl_run_number`:                                1,
	} {
		if got, ok := values[name]; !ok || got != want {
			t.Errorf("%s = %v, %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"magpie_crawl_stored_timestamp_seconds", "magpie_crawl_body_bytes_total", "magpie_crawl_fetch_duration_seconds_sum"} {
		if values[name] <= 0 {
			t.Errorf("%s = %v", name, values[name])
		}
	}
}

// However many hosts a crawl meets, the metrics stay as many.
func TestMetricsOfManyHosts(t *testing.T) {
	s, db := newSite(t), openStore(t)
	var refs []string
	port := s.URL[strings.LastIndex(s.URL, ":")+1:]
	for i := range 150 {
		refs = append(refs, fmt.Sprintf("http://127.0.1.%d:%s/x", i+1, port)) // nobody listens there
	}
	s.page("/", refs...)
	c, err := crawl.New(quick(t, s, func(o *crawl.Options) {
		o.Scope.Within = crawl.WithinAny
		o.AllowPrivate = true
		o.Retry.Times = -1
		o.Politeness.Robots = crawl.RobotsIgnore
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := c.WriteMetrics(&out); err != nil {
		t.Fatal(err)
	}
	series, failures := 0, 0.0
	for name, value := range readMetrics(t, out.String()) {
		if strings.HasPrefix(name, "magpie_crawl_host_failures_total") {
			series++
			failures += value
		}
	}
	if series != 101 || failures != 150 {
		t.Errorf("%d series with %v failures, want 100 hosts and other, with 150", series, failures)
	}
}

func TestMetricsOfSeveralCrawls(t *testing.T) {
	crawlers := map[string]*crawl.Crawler{}
	for i, name := range []string{"one", `with "quotes" \ and more`, "not begun", "\xff"} {
		s := newSite(t)
		var refs []string
		for j := range i {
			refs = append(refs, fmt.Sprintf("/%d", j))
			s.page(refs[j])
		}
		s.page("/", refs...)
		c, err := crawl.New(quick(t, s, nil))
		if err != nil {
			t.Fatal(err)
		}
		crawlers[name] = c
		if name == "not begun" {
			continue
		}
		if _, err := c.Crawl(t.Context(), openStore(t), crawl.Job{Name: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := crawl.WriteMetrics(&out, crawlers); err != nil {
		t.Fatal(err)
	}
	values := readMetrics(t, out.String()) // each heading once, its samples below it
	for job, pages := range map[string]float64{"one": 1, `with \"quotes\" \\ and more`: 2, "\uFFFD": 4} {
		for name, want := range map[string]float64{
			`magpie_crawl_pages_total{job="` + job + `"}`:                             pages,
			`magpie_crawl_responses_total{job="` + job + `",code="200"}`:              pages,
			`magpie_crawl_fetch_duration_seconds_bucket{job="` + job + `",le="+Inf"}`: pages,
		} {
			if got, ok := values[name]; !ok || got != want {
				t.Errorf("%s = %v, %v, want %v", name, got, ok, want)
			}
		}
	}
	if strings.Contains(out.String(), "not begun") {
		t.Error("figures of a crawl that has not begun")
	}
	out.Reset()
	if err := crawl.WriteMetrics(&out, nil); err != nil || out.Len() > 0 {
		t.Errorf("of no crawl: %q, %v", out.String(), err)
	}
}
