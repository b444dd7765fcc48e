package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Run is a run for programs.
type Run struct {
	Job     string     `json:"job"`
	Run     int        `json:"run"`
	State   string     `json:"state"`
	Kind    string     `json:"kind"` // crawl or reextract
	Limit   string     `json:"limit,omitempty"`
	Started time.Time  `json:"started"`
	Ended   *time.Time `json:"ended,omitempty"`
	Pending int64      `json:"pending"`
	Drifts  int        `json:"drifts"` // figures that were worse than usual
	Counters
}

// RunOf returns r for programs.
func RunOf(r store.Run) Run {
	m := Run{
		Job: r.Job, Run: r.Number, Kind: string(r.Kind), State: string(r.State), Limit: r.Reason, Started: r.Started, Pending: r.Pending, Drifts: r.Drifts,
		Counters: CountersOf(r.Counters),
	}
	if !r.Ended.IsZero() {
		m.Ended = &r.Ended
	}
	return m
}

// Counters are a run's counters for programs.
type Counters struct {
	Pages     int64                  `json:"pages"`
	Bytes     int64                  `json:"bytes"`
	New       int64                  `json:"new"`
	Changed   int64                  `json:"changed"`
	Unchanged int64                  `json:"unchanged"`
	Rejects   int64                  `json:"rejects"`
	Problems  int64                  `json:"problems"`
	Redirects int64                  `json:"redirects"`
	Sitemaps  int64                  `json:"sitemaps"`
	Retries   int64                  `json:"retries"`
	Skipped   map[crawl.Reason]int64 `json:"skipped"`
	Failed    map[crawl.Reason]int64 `json:"failed"`

	NotModified int64 `json:"not_modified"`
	Gone        int64 `json:"gone"`
	RecordsGone int64 `json:"records_gone"`
}

// CountersOf returns c for programs.
func CountersOf(c crawl.Counters) Counters {
	return Counters{c.Pages, c.Bytes, c.New, c.Changed, c.Unchanged, c.Rejects, c.Problems, c.Redirects, c.Sitemaps, c.Retries, some(c.Skipped), some(c.Failures), c.NotModified, c.Gone, c.RecordsGone}
}

// some is m, and {} rather than null where nothing is in it.
func some(m map[crawl.Reason]int64) map[crawl.Reason]int64 {
	if m == nil {
		return map[crawl.Reason]int64{}
	}
	return m
}
