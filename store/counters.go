package store

import (
	"encoding/json"
	"maps"

	"github.com/magpie-crawl/magpie/crawl"
)

// counterColumns are the columns of runs that hold crawl.Counters, in the
// order of counterScan.dest.
const counterColumns = `pages, redirects, sitemaps, failed, retries, bytes, new, changed, unchanged, rejects, problems, not_modified, gone, records_gone, skipped, failures`

// counterScan reads counterColumns.
type counterScan struct {
	c                 crawl.Counters
	skipped, failures string
}

func newCounterScan() *counterScan { return &counterScan{} }

func (s *counterScan) dest() []any {
	c := &s.c
	return []any{&c.Pages, &c.Redirects, &c.Sitemaps, &c.Failed, &c.Retries, &c.Bytes, &c.New, &c.Changed, &c.Unchanged,
		&c.Rejects, &c.Problems, &c.NotModified, &c.Gone, &c.RecordsGone, &s.skipped, &s.failures}
}

func (s *counterScan) counters() (crawl.Counters, error) {
	c := s.c
	c.Skipped, c.Failures = map[crawl.Reason]int64{}, map[crawl.Reason]int64{}
	if err := json.Unmarshal([]byte(s.skipped), &c.Skipped); err != nil {
		return c, err
	}
	return c, json.Unmarshal([]byte(s.failures), &c.Failures)
}

func newCounters() crawl.Counters {
	return crawl.Counters{Skipped: map[crawl.Reason]int64{}, Failures: map[crawl.Reason]int64{}}
}

// cloneCounters returns a copy that shares no map with c.
func cloneCounters(c crawl.Counters) crawl.Counters {
	c.Skipped, c.Failures = maps.Clone(c.Skipped), maps.Clone(c.Failures)
	return c
}

// putCounters writes a run's counters.
func (t *tx) putCounters(runID int64, c crawl.Counters) error {
	skipped, err := json.Marshal(c.Skipped)
	if err != nil {
		return err
	}
	failures, err := json.Marshal(c.Failures)
	if err != nil {
		return err
	}
	return t.exec(`UPDATE runs SET (`+counterColumns+`) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`,
		c.Pages, c.Redirects, c.Sitemaps, c.Failed, c.Retries, c.Bytes, c.New, c.Changed, c.Unchanged,
		c.Rejects, c.Problems, c.NotModified, c.Gone, c.RecordsGone, string(skipped), string(failures), runID)
}

// add adds n to m[reason] and keeps no zeros.
func add(m map[crawl.Reason]int64, reason crawl.Reason, n int64) {
	if m[reason] += n; m[reason] == 0 {
		delete(m, reason)
	}
}
