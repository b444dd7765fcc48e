package daemon

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// month is a world in which one goes by.
type month struct {
	*world
	slow  map[string]*site // by policies of overlap
	shut  bool
	first time.Time
	now   time.Time
	jobs  []*monthJob

	mu       sync.Mutex
	prepared map[string]time.Time         // what the clock showed when the last run was to begin, by job
	begun    map[string]map[int]time.Time // and when runs did, by job and number
}

// TestMonth has two months go by, one with the clocks put forward and one with
// them put back, with all that happens to machines. What becomes of each due
// time is told beforehand, without config/schedule.
func TestMonth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		first time.Time
	}{
		{"spring", time.Date(2026, 3, 5, 0, 0, 30, 0, time.UTC)},
		{"autumn", time.Date(2026, 10, 2, 0, 0, 30, 0, time.UTC)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			short := testing.Short() || raceEnabled
			if short && tt.name == "autumn" {
				t.Skip("a short test has one month")
			}
			jobs, days := monthJobs(tt.first), 33
			if short {
				days = 26
				jobs = slices.DeleteFunc(jobs, func(j *monthJob) bool { return j.hours == always || j.every > 0 })
			}
			m := newMonth(t, tt.first, jobs)
			m.live(short)
			m.pass(days, "00:00")
			m.check()
		})
	}
}

// live is what happens in the month; a short one has less of what is quiet.
func (m *month) live(short bool) {
	paused, changed, removed := m.job("paused"), m.job("changed"), m.job("removed")
	m.pass(4, "10:00")
	m.pause(paused, true)
	m.pass(5, "15:00")
	m.pause(paused, false)

	m.pass(6, "07:30")
	m.shutSlow()
	m.pass(7, "03:42")
	m.openSlow()

	m.pass(8, "05:17")
	m.asleep(24 * time.Hour)

	m.pass(10, "13:07")
	m.setBack(3 * time.Hour)

	m.pass(11, "09:03")
	m.write("changed.yaml", "name: changed\nstart: [no")
	m.d.Rescan()
	m.pass(11, "20:03")
	changed.rule.cron, changed.rule.when = "30 */12 * * *", everyHours(12, 30)
	m.rewrite(changed)
	m.pass(12, "08:03")
	m.remove(removed)
	m.pass(13, "13:03")
	m.rewrite(removed)

	m.pass(14, "06:03")
	m.off(7 * time.Hour)
	m.pass(17, "11:03")
	m.stop() // it boots with another clock
	m.setBack(48 * time.Hour)
	m.pass(19, "06:13")
	m.leap(m.now.AddDate(1, 0, 0))
	m.setBack(m.now.Sub(m.day(19, "06:14")))
	if short {
		return
	}
	// The same job paused, changed and removed while it is.
	m.pass(20, "10:00")
	m.pause(paused, true)
	m.pass(21, "10:00")
	paused.rule.cron, paused.rule.when = "50 */12 * * *", everyHours(12, 50)
	m.rewrite(paused)
	m.pass(22, "10:00")
	m.remove(paused)
	m.pass(25, "10:00")
	m.rewrite(paused)
	m.pass(26, "10:00")
	m.pause(paused, false)
}

// newMonth begins a month with a daemon for its jobs.
func newMonth(t *testing.T, first time.Time, jobs []*monthJob) *month {
	m := &month{world: newWorld(t), slow: map[string]*site{}, first: first, now: first, jobs: jobs, prepared: map[string]time.Time{}, begun: map[string]map[int]time.Time{}}
	m.sim.Set(first)
	for _, j := range jobs {
		if j.overlap != "" {
			m.slow[j.overlap] = newSite(t)
		}
		j.considered, m.begun[j.name] = first, map[int]time.Time{}
		m.file(j)
	}
	m.begin()
	return m
}

// begin begins a daemon that notes when runs begin.
func (m *month) begin() {
	m.start(func(o *Options) {
		o.Concurrency = 8
		o.Log = nil
		o.Prepare = func(job string, _ *crawl.Options) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.prepared[job] = m.sim.Now()
		}
		o.Ended = func(_ context.Context, e Ended) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if e.Run > 0 {
				m.begun[e.Job][e.Run] = m.prepared[e.Job]
			}
			if e.Outcome.Err != nil {
				m.t.Errorf("%s: %v", e.Job, e.Outcome.Err)
			}
		}
	})
}
