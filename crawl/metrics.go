package crawl

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/internal/exposition"
	"github.com/magpie-crawl/magpie/internal/pace"
)

// meter measures what the store's counters don't tell, in this process alone.
type meter struct {
	mu       sync.Mutex
	codes    map[int]int64        // responses by HTTP status
	failures map[Reason]int64     // failed tries
	retries  int64                // of these, the ones that are tried again
	bytes    int64                // of bodies
	pages    pace.Meter           // as Counters.Pages
	traffic  pace.Meter           // bytes
	problems []FailedTry          // the last maxProblems failed tries, in turn
	oldest   int                  // of problems
	hosts    map[string]*hostLoad // at most maxMeteredHosts; otherHosts has the rest
	buckets  [len(durations)]int64
	fetches  int64
	duration time.Duration // of all fetches
	storedAt time.Time     // when the store last took something, or the crawl began
}

type hostLoad struct{ responses, failures int64 }

// maxMeteredHosts bounds the series of metrics with a host; the hosts that are
// met first have their own.
const maxMeteredHosts = 100

const otherHosts = "other"

// durations are the upper bounds of the histogram of fetches, in seconds.
var durations = [...]float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120}

func newMeter() *meter {
	m := &meter{codes: map[int]int64{}, failures: map[Reason]int64{}, hosts: map[string]*hostLoad{}, storedAt: time.Now()}
	m.pages.Add(0, m.storedAt)
	m.traffic.Add(0, m.storedAt)
	return m
}

// count takes in a visit that was stored.
func (m *meter) count(v *Visit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, host := time.Now(), m.host(v.Request.Host)
	if v.State == Failed || v.State == Pending {
		host.failures++
		m.failures[v.Reason]++
		m.note(v, now)
	}
	if v.State == Pending {
		m.retries++
	}
	if v.Page == nil {
		return
	}
	if v.countsAsPage() {
		m.pages.Add(1, now)
	}
	if !v.Page.NotModified { // else its body is the stored one
		m.bytes += int64(len(v.Page.Body))
		m.traffic.Add(int64(len(v.Page.Body)), now)
	}
	host.responses++
	m.codes[v.Page.Status]++
	m.fetches++
	m.duration += v.Page.Duration
	if i, _ := slices.BinarySearch(durations[:], v.Page.Duration.Seconds()); i < len(durations) {
		m.buckets[i]++
	}
}

func (m *meter) host(name string) *hostLoad {
	h := m.hosts[name]
	if h == nil && len(m.hosts) >= maxMeteredHosts {
		name = otherHosts
		h = m.hosts[name]
	}
	if h == nil {
		h = &hostLoad{}
		m.hosts[name] = h
	}
	return h
}

// stored notes that the store is at work.
func (m *meter) stored() {
	m.mu.Lock()
	m.storedAt = time.Now()
	m.mu.Unlock()
}

// progress fills in what the meter knows of a crawl's progress.
func (m *meter) progress(p *Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	p.Stored, p.Rate, p.BytesRate = m.storedAt, m.pages.PerSecond(now), m.traffic.PerSecond(now)
}

// WriteMetrics writes the crawl's figures in Prometheus' text format: those of
// the run, which go on where an earlier process left them, and those measured
// by this process. It writes nothing before Crawl. It may be called from any
// goroutine.
//
// Names follow https://prometheus.io/docs/practices/naming/.
func (c *Crawler) WriteMetrics(w io.Writer) error {
	var e metrics
	e.crawl(c)
	return e.Write(w)
}

// WriteMetrics writes the figures of several crawls as one text, as
// Crawler.WriteMetrics does those of one. Each has the label job with its key
// in crawlers.
func WriteMetrics(w io.Writer, crawlers map[string]*Crawler) error {
	var e metrics
	for _, job := range slices.Sorted(maps.Keys(crawlers)) {
		e.Common = []string{"job", job}
		e.crawl(crawlers[job])
	}
	return e.Write(w)
}

// metrics are the figures of crawls.
type metrics struct{ exposition.Text }

// crawl adds the figures of a crawl, nothing before it has begun.
func (e *metrics) crawl(c *Crawler) {
	s := c.session.Load()
	if s == nil {
		return
	}
	p := c.Progress()
	e.run(p.Run)
	e.progress(p)
	e.meter(s.meter)
}

// run writes the counters that the store keeps.
func (e *metrics) run(r RunInfo) {
	c := r.Counters
	e.Single("magpie_crawl_run_number", exposition.Gauge, "Number of the run within its job.", float64(r.Number))
	for _, m := range []struct {
		name, help string
		n          int64
	}{
		{"pages", "Pages fetched in the run, without redirects and sitemaps.", c.Pages},
		{"redirects", "URLs of the run that answered with a redirect.", c.Redirects},
		{"sitemaps", "Sitemaps read in the run.", c.Sitemaps},
		{"not_modified", "Pages and sitemaps of the run that have not changed, as their servers said.", c.NotModified},
		{"gone", "Pages whose absence the run confirmed.", c.Gone},
		{"body_bytes", "Bytes of bodies of the run, after content-coding.", c.Bytes},
		{"retries", "Failed tries of the run that were put back.", c.Retries},
		{"rejects", "Records of the run set aside: a required value was absent.", c.Rejects},
		{"problems", "Values of the run that could not be read.", c.Problems},
	} {
		e.Single("magpie_crawl_"+m.name+"_total", exposition.Counter, m.help, float64(m.n))
	}
	const records = "magpie_crawl_records_total"
	e.Metric(records, exposition.Counter, "Records kept in the run, by how they compare with the run before.")
	e.Sample(records, float64(c.New), "outcome", "new")
	e.Sample(records, float64(c.Changed), "outcome", "changed")
	e.Sample(records, float64(c.Unchanged), "outcome", "unchanged")
	e.reasons("magpie_crawl_failed_total", "URLs of the run given up, by reason.", c.Failures)
	e.reasons("magpie_crawl_skipped_total", "URLs of the run never fetched, by reason.", c.Skipped)
}

func (e *metrics) reasons(name, help string, counts map[Reason]int64) {
	e.Metric(name, exposition.Counter, help)
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		e.Sample(name, float64(counts[reason]), "reason", string(reason))
	}
}

// progress writes where the crawl stands.
func (e *metrics) progress(p Progress) {
	stopping := 0.0
	if p.Stopping {
		stopping = 1
	}
	for _, m := range []struct {
		name, help string
		value      float64
	}{
		{"queue_urls", "URLs known and not yet visited.", float64(p.Queue)},
		{"requests_in_flight", "Requests being sent or answered.", float64(p.InFlight)},
		{"queue_hosts", "Hosts with URLs in the queue, or owed a delay.", float64(p.Hosts)},
		{"stopping", "1 when nothing further is sent.", stopping},
		{"elapsed_seconds", "Time that this process has worked on the run.", p.Elapsed.Seconds()},
		{"stored_timestamp_seconds", "When the store last took something.", float64(p.Stored.UnixMilli()) / 1000},
	} {
		e.Single("magpie_crawl_"+m.name, exposition.Gauge, m.help, m.value)
	}
}

// meter writes what this process has measured.
func (e *metrics) meter(m *meter) {
	m.mu.Lock()
	defer m.mu.Unlock()
	const responses = "magpie_crawl_responses_total"
	e.Metric(responses, exposition.Counter, "Responses to this process, by HTTP status.")
	for _, code := range slices.Sorted(maps.Keys(m.codes)) {
		e.Sample(responses, float64(m.codes[code]), "code", strconv.Itoa(code))
	}
	const fetch = "magpie_crawl_fetch_duration_seconds"
	e.Metric(fetch, exposition.Histogram, "Time from a request to the last byte of its response.")
	below := int64(0)
	for i, bound := range durations {
		below += m.buckets[i]
		e.Sample(fetch+"_bucket", float64(below), "le", strconv.FormatFloat(bound, 'g', -1, 64))
	}
	e.Sample(fetch+"_bucket", float64(m.fetches), "le", "+Inf")
	e.Sample(fetch+"_sum", m.duration.Seconds())
	e.Sample(fetch+"_count", float64(m.fetches))
	names := slices.Sorted(maps.Keys(m.hosts))
	for _, metric := range []struct {
		name, help string
		of         func(*hostLoad) int64
	}{
		{"magpie_crawl_host_responses_total", "Responses to this process, by host; beyond the first hosts all as other.", func(h *hostLoad) int64 { return h.responses }},
		{"magpie_crawl_host_failures_total", "Failed tries of this process, by host; beyond the first hosts all as other.", func(h *hostLoad) int64 { return h.failures }},
	} {
		e.Metric(metric.name, exposition.Counter, metric.help)
		for _, name := range names {
			e.Sample(metric.name, float64(metric.of(m.hosts[name])), "host", name)
		}
	}
}
