package crawl

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Figures are what a process has measured of a crawl since it began to work on
// the run.
type Figures struct {
	Responses map[int]int64    // by HTTP status
	Failures  map[Reason]int64 // failed tries by reason, those that are tried again included
	Retries   int64            // of these, the ones that are tried again
	Bytes     int64            // of bodies, after content-coding
	Fetches   int64            // responses, whatever their status
	Duration  time.Duration    // of all of them, from a request to the last byte of its answer
	Durations []DurationCount  // they by how long they took, quickest first
	Problems  []FailedTry      // the last ones, latest first; at most 50
}

// DurationCount is a column of a histogram of fetches.
type DurationCount struct {
	UpTo  time.Duration // this column's longest; 0: it holds all that took longer than the column before
	Count int64         // in this column alone
}

// FailedTry is a request that failed, for good or to be tried again.
type FailedTry struct {
	At      time.Time // when the store had it
	URL     string
	Host    string
	Reason  Reason
	Detail  string    // for people; cut where it is long
	RetryAt time.Time // when it is tried again; zero: it is given up
}

// maxProblems is how many failed tries are remembered; maxProblemText bounds
// their texts, in bytes.
const (
	maxProblems    = 50
	maxProblemText = 1000
)

// Figures returns what this process has measured; it is zero before Crawl. It
// may be called from any goroutine.
func (c *Crawler) Figures() Figures {
	s := c.session.Load()
	if s == nil {
		return Figures{}
	}
	return s.meter.figures()
}

func (m *meter) figures() Figures {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := Figures{
		Responses: maps.Clone(m.codes),
		Failures:  maps.Clone(m.failures),
		Retries:   m.retries,
		Bytes:     m.bytes,
		Fetches:   m.fetches,
		Duration:  m.duration,
		Problems:  slices.Concat(m.problems[m.oldest:], m.problems[:m.oldest]),
	}
	slices.Reverse(f.Problems)
	longer := m.fetches
	for i, bound := range durations {
		f.Durations = append(f.Durations, DurationCount{time.Duration(bound * float64(time.Second)), m.buckets[i]})
		longer -= m.buckets[i]
	}
	f.Durations = append(f.Durations, DurationCount{Count: longer})
	return f
}

// note remembers a failed try in the place of the oldest one.
func (m *meter) note(v *Visit, now time.Time) {
	p := FailedTry{
		At:     now,
		URL:    shortened(v.Request.URL),
		Host:   v.Request.Host,
		Reason: v.Reason,
		Detail: shortened(v.Detail),
	}
	if v.State == Pending {
		p.RetryAt = v.RetryAt
	}
	if len(m.problems) < maxProblems {
		m.problems = append(m.problems, p)
		return
	}
	m.problems[m.oldest] = p
	m.oldest = (m.oldest + 1) % maxProblems
}

// shortened is a text of bounded length that keeps nothing else in memory.
func shortened(text string) string {
	if len(text) <= maxProblemText {
		return text
	}
	return strings.ToValidUTF8(text[:maxProblemText], "") + "…"
}
