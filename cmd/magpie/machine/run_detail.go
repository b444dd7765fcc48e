package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// RunDetail is a run in depth, for programs.
type RunDetail struct {
	Run        Run           `json:"run"`
	NotFetched []ReasonCount `json:"not_fetched"` // why URLs were not fetched, the most frequent first
	Failures   []ReasonCount `json:"failures"`    // why URLs were given up
	Timeline   Timeline      `json:"timeline"`
	Hosts      []RunHost     `json:"hosts"` // the slowest on average
	AllHosts   int           `json:"all_hosts"`
	Statuses   []StatusCount `json:"statuses"`
	Drift      []Drift       `json:"drift"`  // of items and pages as a whole
	Fields     []Health      `json:"fields"` // with what drifted of each
	Problems   []Problem     `json:"problems"`
	ProblemsOf int64         `json:"problems_of"` // problems tell of the first so many of the run's
}

// ReasonCount is how many URLs have a reason.
type ReasonCount struct {
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
}

// Timeline is what a run did over time.
type Timeline struct {
	Since   *time.Time     `json:"since,omitempty"` // when the first span begins; left out: nothing is known
	Seconds float64        `json:"seconds"`         // that a span lasts
	Spans   []TimelineSpan `json:"spans"`
}

// TimelineSpan is what a run did in one span of its timeline.
type TimelineSpan struct {
	Responses int64 `json:"responses"`
	Failed    int64 `json:"failed"`  // URLs given up
	Retries   int64 `json:"retries"` // failed tries that were put back
	Bytes     int64 `json:"bytes"`   // of bodies
}

// RunHost is how a host answered in a run.
type RunHost struct {
	Host      string  `json:"host"`
	Responses int64   `json:"responses"`
	Failed    int64   `json:"failed"`
	Retries   int64   `json:"retries"`
	Bytes     int64   `json:"bytes"`
	Average   float64 `json:"average"` // seconds from a request to the last byte of its answer
	Longest   float64 `json:"longest"` // seconds
}

// StatusCount is how often a run was answered with an HTTP status.
type StatusCount struct {
	Status int   `json:"status"`
	Count  int64 `json:"count"`
}

// RunDetailOf returns d for programs.
func RunDetailOf(d *store.RunDetail) RunDetail {
	m := RunDetail{Run: RunOf(d.Run), NotFetched: reasons(d.NotFetched), Failures: reasons(d.Failures), Hosts: []RunHost{}, AllHosts: d.AllHosts,
		Statuses: []StatusCount{}, Problems: []Problem{}, ProblemsOf: d.ProblemsOf}
	m.Timeline = Timeline{Since: moment(d.Timeline.Since), Seconds: d.Timeline.Span.Seconds(), Spans: []TimelineSpan{}}
	for _, s := range d.Timeline.Spans {
		m.Timeline.Spans = append(m.Timeline.Spans, TimelineSpan(s))
	}
	for _, h := range d.Hosts {
		m.Hosts = append(m.Hosts, RunHost{h.Host, h.Responses, h.Failed, h.Retries, h.Bytes, h.Average.Seconds(), h.Longest.Seconds()})
	}
	for _, s := range d.Statuses {
		m.Statuses = append(m.Statuses, StatusCount(s))
	}
	drifts := []Drift{}
	for _, x := range d.Drifts {
		drifts = append(drifts, driftOf(x))
	}
	fields, rest := HealthOf(d.Fields, drifts)
	m.Fields, m.Drift = fields, append([]Drift{}, rest...)
	for _, p := range d.Problems {
		m.Problems = append(m.Problems, ProblemOf(p))
	}
	return m
}

func reasons(counts []store.ReasonCount) []ReasonCount {
	list := []ReasonCount{}
	for _, c := range counts {
		list = append(list, ReasonCount{string(c.Reason), c.Count})
	}
	return list
}
