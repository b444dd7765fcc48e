package daemon

import (
	"fmt"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// day is a time of a day of the month, the first being 0, and some seconds.
func (m *month) day(n int, clock string) time.Time {
	m.t.Helper()
	c, err := time.Parse("15:04", clock)
	if err != nil {
		m.t.Fatal(err)
	}
	return m.first.Truncate(24*time.Hour).AddDate(0, 0, n).Add(time.Duration(c.Hour())*time.Hour + time.Duration(c.Minute())*time.Minute + 23*time.Second)
}

// pass lets time pass until the clock shows a time of a day, the first being 0.
func (m *month) pass(day int, clock string) {
	m.t.Helper()
	to := m.day(day, clock)
	stops := []time.Time{to}
	for _, j := range m.jobs {
		due := j.dueAfter(m.t, m.now, to)
		for _, at := range due {
			j.happens(at, m.shut && j.overlap != "")
		}
		stops = append(stops, due...)
	}
	slices.SortFunc(stops, time.Time.Compare)
	for _, stop := range stops {
		// The daemon may have reason to look in between: jitter.
		for next := m.next(); next.Before(stop); next = m.next() {
			m.reach(next)
		}
		m.reach(stop)
	}
	m.now = to
}

// next is the first time that the daemon waits for.
func (m *month) next() time.Time {
	next := m.first.AddDate(100, 0, 0)
	for _, j := range m.d.Jobs() {
		if !j.Next.IsZero() && j.Next.Before(next) {
			next = j.Next
		}
	}
	return next
}

// reach sets the clock, if it shows another time, and waits until the daemon
// has settled.
func (m *month) reach(t time.Time) {
	m.t.Helper()
	if t.Equal(m.sim.Now()) {
		return
	}
	m.at(t)
	m.settled()
}

// settled waits until all runs have ended that can.
func (m *month) settled() {
	m.t.Helper()
	for deadline := time.After(steadytest.Patience); ; {
		changed := m.d.Changed()
		var busy []string
		for _, j := range m.d.Jobs() {
			if j.State != Idle && !m.hangs(j) {
				busy = append(busy, fmt.Sprintf("%s is %s", j.Name, j.State))
			}
		}
		if len(busy) == 0 {
			return
		}
		select {
		case <-changed:
		case <-time.After(5 * time.Millisecond): // a run's number changes nothing
		case <-deadline:
			m.t.Fatalf("at %v: %v", m.sim.Now(), busy)
		}
	}
}

// hangs tells whether a job's run waits for a site that is shut.
func (m *month) hangs(j Job) bool {
	site := m.slow[m.job(j.Name).overlap]
	return m.shut && site != nil && site.held.Load() > 0 && (j.State == Running && j.Run > 0 || j.State == Stopping)
}

// asleep has the machine sleep: its clock goes on, its timers do not.
func (m *month) asleep(d time.Duration) { m.leap(m.now.Add(d)) }

// leap sets the clock to a later time.
func (m *month) leap(to time.Time) {
	m.t.Helper()
	m.passed(to)
	m.at(to)
	m.settled()
}

// passed tells what is to become of what the clock leaps over.
func (m *month) passed(to time.Time) {
	for _, j := range m.jobs {
		j.passes(j.dueAfter(m.t, m.now, to))
	}
	m.now = to
}

// off stops the daemon and starts it later.
func (m *month) off(d time.Duration) {
	m.t.Helper()
	m.stop()
	m.passed(m.now.Add(d))
	m.sim.Set(m.now)
	m.begin()
	m.d.followSchedules(m.t.Context())
	m.settled()
}

// setBack puts the clock back, and starts the daemon if it was stopped. What is
// decided for more than a day ahead counts again; a row says so.
func (m *month) setBack(d time.Duration) {
	m.t.Helper()
	m.now = m.now.Add(-d)
	for _, j := range m.jobs {
		if !j.absent && j.considered.Sub(m.now) > 24*time.Hour {
			j.expect(verdict{nominal: m.now, outcome: store.DueSkipped, reason: "clock: it was ahead", clock: true})
			j.considered = m.now
		}
	}
	if m.end == nil {
		m.sim.Set(m.now)
		m.begin()
	}
	m.at(m.now)
	m.settled()
}
