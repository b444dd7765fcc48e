package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// RunDetail is all about a run. Reading it takes as long for a run of a million
// pages as for a small one: what is told by time, host and status was added up
// while the run went on.
type RunDetail struct {
	Run        Run
	NotFetched []ReasonCount // why URLs were not fetched, the most frequent first: PagesQuery lists them
	Failures   []ReasonCount // why URLs were given up
	Timeline   Timeline
	Hosts      []RunHost // those that took longest on average, at most RunHostLimit
	AllHosts   int       // how many there are; counted up to 100,000
	Statuses   []StatusCount
	Drifts     []Drift
	Fields     []FieldHealth
	Problems   []ProblemCount // the most frequent first
	ProblemsOf int64          // Problems tell of the first so many of Run.Counters.Problems
}

// ReasonCount is how many URLs have a reason.
type ReasonCount struct {
	Reason crawl.Reason
	Count  int64
}

// Timeline is what a run did over time. Tries that were put back, and failures
// without a response, are not told of runs by versions of magpie that did not
// keep timelines.
type Timeline struct {
	Span  time.Duration // of a point
	Since time.Time     // when the first begins
	Spans []TimelineSpan
}

// TimelineSpan is what a run did in one span of its Timeline.
type TimelineSpan struct {
	Responses int64
	Failed    int64 // URLs given up
	Retries   int64 // failed tries that were put back
	Bytes     int64 // of bodies
}

// RunHost is how a host answered in a run.
type RunHost struct {
	Host      string
	Responses int64
	Failed    int64
	Retries   int64
	Bytes     int64
	Average   time.Duration // of a response, from the request to its last byte
	Longest   time.Duration
}

// StatusCount is how often a run was answered with a status.
type StatusCount struct {
	Status int
	Count  int64
}

const (
	// RunHostLimit is how many hosts a RunDetail lists.
	RunHostLimit = 50

	timelinePoints  = 60      // at most, of a Timeline
	runHostsRead    = 100_000 // hosts of a run that are looked at
	runProblemsRead = 20_000  // problems of a run that are counted
)

// RunDetail returns all about a run of a job; number 0 is the last one. It
// returns an error that wraps ErrNotFound if there is none.
func (db *DB) RunDetail(ctx context.Context, job string, number int) (*RunDetail, error) {
	d := &RunDetail{}
	err := db.reading(ctx, func(t *sql.Tx) error {
		runs, err := db.runsIn(ctx, t, `jobs.name = ?1 AND (?2 = 0 OR runs.number = ?2) ORDER BY runs.number DESC LIMIT 1`, job, number)
		if err != nil {
			return err
		}
		if len(runs) == 0 {
			return fmt.Errorf("run %d of job %q in %s: %w", number, job, db.path, ErrNotFound)
		}
		d.Run = runs[0]
		d.NotFetched, d.Failures = reasonCounts(d.Run.Counters.Skipped), reasonCounts(d.Run.Counters.Failures)
		for _, step := range []func(context.Context, *sql.Tx) error{d.readTimeline, d.readHosts, d.readStatuses, d.readDrifts, d.readProblems} {
			if err := step(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.Fields, err = db.Health(ctx, HealthFilter{Job: job, Run: d.Run.Number}); err != nil {
		return nil, err
	}
	return d, nil
}

// reasonCounts are the counts of reasons, the largest first.
func reasonCounts(counts map[crawl.Reason]int64) []ReasonCount {
	all := make([]ReasonCount, 0, len(counts))
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, ReasonCount{reason, counts[reason]})
	}
	slices.SortStableFunc(all, func(a, b ReasonCount) int { return cmp.Compare(b.Count, a.Count) })
	return all
}

// readTimeline reads the run's timeline and puts it into as many spans as a
// picture has room for.
func (d *RunDetail) readTimeline(ctx context.Context, t *sql.Tx) error {
	var base int64
	if err := t.QueryRowContext(ctx, `SELECT timeline_ms FROM runs WHERE id = ?`, d.Run.id).Scan(&base); err != nil {
		return err
	}
	type row struct {
		at int64
		TimelineSpan
	}
	rows, err := collectIn(ctx, t, `SELECT at, responses, failed, retries, bytes FROM magpie_timelines WHERE run_id = ? ORDER BY at`, []any{d.Run.id},
		func(rows *sql.Rows) (r row, err error) {
			return r, rows.Scan(&r.at, &r.Responses, &r.Failed, &r.Retries, &r.Bytes)
		})
	if err != nil || len(rows) == 0 {
		return err
	}
	first, last := rows[0].at, rows[len(rows)-1].at
	span := base * ((last-first)/base/timelinePoints + 1)
	d.Timeline = Timeline{Span: time.Duration(span) * time.Millisecond, Since: fromMillis(first), Spans: make([]TimelineSpan, (last-first)/span+1)}
	for _, r := range rows {
		s := &d.Timeline.Spans[(r.at-first)/span]
		s.Responses += r.Responses
		s.Failed += r.Failed
		s.Retries += r.Retries
		s.Bytes += r.Bytes
	}
	return nil
}

// readHosts reads the slowest hosts.
func (d *RunDetail) readHosts(ctx context.Context, t *sql.Tx) (err error) {
	d.Hosts, err = collectIn(ctx, t, `SELECT h.name, x.responses, x.failed, x.retries, x.bytes, x.duration_us / max(1, x.responses), x.longest_us, x.hosts
		FROM (SELECT *, count(*) OVER () AS hosts FROM (SELECT * FROM magpie_run_hosts WHERE run_id = ?1 LIMIT ?2)
			ORDER BY duration_us / max(1, responses) DESC, failed DESC, host_id LIMIT ?3) x CROSS JOIN hosts h ON h.id = x.host_id
		ORDER BY 6 DESC, x.failed DESC, h.name`, []any{d.Run.id, runHostsRead, RunHostLimit},
		func(rows *sql.Rows) (h RunHost, err error) {
			var average, longest int64
			err = rows.Scan(&h.Host, &h.Responses, &h.Failed, &h.Retries, &h.Bytes, &average, &longest, &d.AllHosts)
			h.Average, h.Longest = time.Duration(average)*time.Microsecond, time.Duration(longest)*time.Microsecond
			return h, err
		})
	return err
}

func (d *RunDetail) readStatuses(ctx context.Context, t *sql.Tx) (err error) {
	d.Statuses, err = collectIn(ctx, t, `SELECT status, responses FROM magpie_run_statuses WHERE run_id = ? ORDER BY status`, []any{d.Run.id},
		func(rows *sql.Rows) (s StatusCount, err error) { return s, rows.Scan(&s.Status, &s.Count) })
	return err
}

func (d *RunDetail) readDrifts(ctx context.Context, t *sql.Tx) (err error) {
	d.Drifts, err = collectIn(ctx, t, `SELECT coalesce(i.name, ''), coalesce(d.field, ''), coalesce(d.pattern, ''), d.kind, d.usual, d.now, d.detail
		FROM magpie_drifts d LEFT JOIN items i ON i.id = d.item_id WHERE d.run_id = ? ORDER BY d.id`, []any{d.Run.id},
		func(rows *sql.Rows) (Drift, error) {
			x := Drift{Job: d.Run.Job, Run: d.Run.Number}
			return x, rows.Scan(&x.Item, &x.Field, &x.Pattern, &x.Kind, &x.Usual, &x.Now, &x.Detail)
		})
	return err
}

// readProblems counts the run's problems by field and code.
func (d *RunDetail) readProblems(ctx context.Context, t *sql.Tx) error {
	problems, err := collectIn(ctx, t, `SELECT i.name, x.key, u.url, x.position, x.rejected, x.field, x.code, x.detail
		FROM problems x INDEXED BY magpie_problems_by_page CROSS JOIN items i ON i.id = x.item_id CROSS JOIN urls u ON u.id = x.url_id
		WHERE x.run_id = ? LIMIT ?`, []any{d.Run.id, runProblemsRead},
		func(rows *sql.Rows) (Problem, error) {
			p := Problem{Job: d.Run.Job, Run: d.Run.Number}
			return p, rows.Scan(&p.Item, &p.Key, &p.URL, &p.Position, &p.Rejected, &p.Field, &p.Code, &p.Detail)
		})
	d.Problems, d.ProblemsOf = countProblems(slices.Values(problems)), int64(len(problems))
	return err
}

// RunsPage returns runs of a job, the last first: those before the number
// before, or with 0 from the last on, at most limit (default 50, at most 500).
// It returns an error that wraps ErrNotFound if there is no such job.
func (db *DB) RunsPage(ctx context.Context, job string, before, limit int) ([]Run, error) {
	if limit <= 0 {
		limit = 50
	}
	var runs []Run
	err := db.reading(ctx, func(t *sql.Tx) error {
		if _, err := db.jobIDIn(ctx, t, job); err != nil {
			return err
		}
		var err error
		runs, err = db.runsIn(ctx, t, `jobs.name = ?1 AND (?2 = 0 OR runs.number < ?2) ORDER BY runs.number DESC LIMIT ?3`, job, before, min(limit, 500))
		return err
	})
	return runs, err
}

// runsIn reads runs that fulfil a condition.
func (db *DB) runsIn(ctx context.Context, t *sql.Tx, where string, args ...any) ([]Run, error) {
	return collectIn(ctx, t, `SELECT `+boundedRunColumns+` FROM jobs CROSS JOIN runs ON runs.job_id = jobs.id WHERE `+where, args,
		func(rows *sql.Rows) (Run, error) {
			r, _, err := db.scanRun(rows)
			return r, err
		})
}
