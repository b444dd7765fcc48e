package machine

import (
	"maps"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// Measured is what a process has measured of the run that is going on, for
// programs.
type Measured struct {
	Statuses  []StatusCount          `json:"statuses"`
	Failures  map[crawl.Reason]int64 `json:"failures"` // failed tries by reason, those that are tried again included
	Retries   int64                  `json:"retries"`  // of these, the ones that are tried again
	Bytes     int64                  `json:"bytes"`    // of bodies
	Responses int64                  `json:"responses"`
	Average   float64                `json:"average"`   // seconds from a request to the last byte of its answer
	Durations []DurationCount        `json:"durations"` // the responses by how long they took, quickest first
	Tries     []FailedTry            `json:"tries"`     // the last ones that failed, latest first
}

// DurationCount is a column of a histogram of responses.
type DurationCount struct {
	UpTo  float64 `json:"up_to,omitempty"` // seconds; left out: all that took longer
	Count int64   `json:"count"`
}

// FailedTry is a request that failed.
type FailedTry struct {
	At      time.Time  `json:"at"`
	URL     string     `json:"url"`
	Host    string     `json:"host"`
	Reason  string     `json:"reason"`
	Detail  string     `json:"detail,omitempty"`
	RetryAt *time.Time `json:"retry_at,omitempty"` // left out: it is given up
}

// MeasuredOf returns f for programs.
func MeasuredOf(f crawl.Figures) Measured {
	m := Measured{Statuses: []StatusCount{}, Failures: some(f.Failures), Retries: f.Retries, Bytes: f.Bytes, Responses: f.Fetches, Durations: []DurationCount{}, Tries: []FailedTry{}}
	for _, status := range slices.Sorted(maps.Keys(f.Responses)) {
		m.Statuses = append(m.Statuses, StatusCount{status, f.Responses[status]})
	}
	if f.Fetches > 0 {
		m.Average = f.Duration.Seconds() / float64(f.Fetches)
	}
	for _, d := range f.Durations {
		m.Durations = append(m.Durations, DurationCount{d.UpTo.Seconds(), d.Count})
	}
	for _, p := range f.Problems {
		m.Tries = append(m.Tries, FailedTry{p.At, p.URL, p.Host, string(p.Reason), p.Detail, moment(p.RetryAt)})
	}
	return m
}
