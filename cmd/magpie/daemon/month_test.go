package daemon

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// monthJob is a job of the month, with what is expected of it.
type monthJob struct {
	name string
	rule
	overlap string // "": it is not on the slow site
	missed  string

	considered time.Time // due times up to this are decided
	absent     bool
	paused     bool
	shut       int // due times since the slow site was shut
	apart      bool
	want       []verdict
}

// verdict is what is to become of a due time.
type verdict struct {
	nominal time.Time
	outcome store.DueOutcome
	reason  string // what the reason begins with
	apart   bool   // it does not follow the one before it: they share no row
	clock   bool   // it is about no due time: the clock was wrong
	prompt  bool   // the run begins at its time
	any     int    // not 0: it runs or not, as the daemon was killed then; of those with one number, one does at least
}

// monthJobs are jobs of different shapes for the month that begins at first.
func monthJobs(first time.Time) []*monthJob {
	day := func(n int) string { return first.AddDate(0, 0, n).Format(time.DateOnly) }
	const berlin, newYork, lordHowe, kathmandu = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"
	return []*monthJob{
		{name: "berlin at half past two", rule: rule{cron: "30 2 * * *", zone: berlin, when: daily(2, 30)}},
		{name: "new york at half past one", rule: rule{cron: "30 1 * * *", zone: newYork, when: daily(1, 30)}},
		{name: "lord howe at 1:45", rule: rule{cron: "45 1 * * *", zone: lordHowe, when: daily(1, 45)}},
		{name: "lord howe at 2:15", rule: rule{cron: "15 2 * * *", zone: lordHowe, when: daily(2, 15)}},
		{name: "berlin hourly", rule: rule{cron: "@hourly", zone: berlin, hours: always, start: day(22), end: day(25), when: everyHours(1, 0)}},
		{name: "quarters", rule: rule{cron: "*/15 * * * *", zone: newYork, hours: always, start: day(30), end: day(31),
			when: func(r time.Time) bool { return r.Minute()%15 == 0 }}},
		{name: "quarters of march", rule: rule{cron: "*/15 0-3 * * *", zone: newYork, hours: some, start: day(2), end: day(4),
			when: func(r time.Time) bool { return r.Minute()%15 == 0 && r.Hour() <= 3 }}},
		{name: "some hours", rule: rule{cron: "*/30 1-2 * * *", zone: berlin, hours: some, start: day(20),
			when: func(r time.Time) bool { return r.Minute()%30 == 0 && (r.Hour() == 1 || r.Hour() == 2) }}},
		{name: "every six hours", rule: rule{cron: "@every 6h", zone: berlin, every: 6 * time.Hour}},
		{name: "with seconds", rule: rule{cron: "15 30 4 * * *", zone: kathmandu, jitter: 20 * time.Minute, when: daily(4, 30), second: 15}},
		{name: "weekly", rule: rule{cron: "0 9 * * mon", zone: newYork, jitter: 3 * time.Hour,
			when: func(r time.Time) bool { return r.Weekday() == time.Monday && daily(9, 0)(r) }}},
		{name: "monthly", rule: rule{cron: "@monthly", zone: lordHowe, when: func(r time.Time) bool { return r.Day() == 1 && daily(0, 0)(r) }}},
		{name: "last of the month", rule: rule{cron: "59 23 L * *", zone: kathmandu,
			when: func(r time.Time) bool { return r.AddDate(0, 0, 1).Day() == 1 && daily(23, 59)(r) }}},
		{name: "slow, skip", overlap: "skip", rule: rule{cron: "0 */4 * * *", zone: berlin, start: day(5), end: day(9), when: everyHours(4, 0)}},
		{name: "slow, queue", overlap: "queue", rule: rule{cron: "10 */4 * * *", zone: newYork, start: day(5), end: day(9), when: everyHours(4, 10)}},
		{name: "slow, cancel", overlap: "cancel", rule: rule{cron: "20 */4 * * *", zone: kathmandu, start: day(5), end: day(9), when: everyHours(4, 20)}},
		{name: "missed is skipped", missed: "skip", rule: rule{cron: "0 */12 * * *", zone: newYork, when: everyHours(12, 0)}},
		{name: "paused", missed: "skip", rule: rule{cron: "40 */12 * * *", zone: berlin, when: everyHours(12, 40)}},
		{name: "changed", rule: rule{cron: "0 */12 * * *", zone: berlin, when: everyHours(12, 0)}},
		{name: "removed", missed: "skip", rule: rule{cron: "0 */12 * * *", zone: kathmandu, when: everyHours(12, 0)}},
	}
}

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

func (m *month) job(name string) *monthJob {
	return m.jobs[slices.IndexFunc(m.jobs, func(j *monthJob) bool { return j.name == name })]
}

// file writes the file of a job.
func (m *month) file(j *monthJob) {
	url := m.site.URL + "/" + strings.ReplaceAll(j.name, " ", "-")
	if j.overlap != "" {
		url = m.slow[j.overlap].URL + "/slow"
	}
	source := j.source(url)
	if j.overlap == "cancel" { // something is left when it is stopped
		source = strings.Replace(source, "pages: 1", "pages: 2", 1)
	}
	m.write(j.name+".yaml", source)
}

func (j *monthJob) source(url string) string {
	s := fmt.Sprintf("name: %q\nstart: [%q]\nlimits: {pages: 1}\npoliteness: {per_host: 8}\nschedule:\n  cron: %q\n  zone: %s\n", j.name, url, j.cron, j.zone)
	if j.jitter > 0 {
		s += fmt.Sprintf("  jitter: %s\n", j.jitter)
	}
	for _, key := range [][2]string{{"start", j.rule.start}, {"end", j.rule.end}, {"overlap", j.overlap}, {"missed", j.missed}} {
		if key[1] != "" {
			s += "  " + key[0] + ": " + key[1] + "\n"
		}
	}
	return s
}

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

// dueAfter lists the due times of a stretch of time that are not decided.
func (j *monthJob) dueAfter(t testing.TB, from, to time.Time) []time.Time {
	if j.absent {
		return nil
	}
	if j.considered.After(from) {
		from = j.considered
	}
	return j.due(t, from, to)
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

// reach sets the clock and waits until all runs have ended that can.
func (m *month) reach(t time.Time) {
	m.t.Helper()
	if t.Equal(m.sim.Now()) {
		return
	}
	m.at(t)
	m.settled()
}

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

// expect adds a verdict.
func (j *monthJob) expect(v verdict) {
	v.apart = v.clock || j.apart
	j.apart = v.clock
	j.want = append(j.want, v)
	if !v.clock {
		j.considered = v.nominal
	}
}

// happens tells what becomes of a due time while the daemon is up.
func (j *monthJob) happens(at time.Time, shut bool) {
	v := verdict{nominal: at, outcome: store.DueStarted, prompt: true}
	switch {
	case j.paused:
		v = verdict{nominal: at, outcome: store.DueSkipped, reason: "paused"}
	case shut:
		v.prompt = j.shut == 0
		switch {
		case j.overlap == "cancel" && j.shut == 0: // by the second, which waits until it has stopped
			v.reason = "overlap: cancelled for the due time "
		case j.shut > 0 && j.overlap == "skip", j.shut > 1:
			v = verdict{nominal: at, outcome: store.DueSkipped, reason: "overlap: run "}
		}
		j.shut++
	}
	j.expect(v)
}

// passes tells what becomes of due times that nobody looked at.
func (j *monthJob) passes(due []time.Time) {
	for i, at := range due {
		reason := fmt.Sprintf("missed: run once for %d due time", len(due))
		v := verdict{nominal: at, outcome: store.DueSkipped, reason: reason}
		switch {
		case j.paused:
			v.reason = "paused"
		case j.missed == "skip":
			v.reason = "missed: the daemon or the machine did not run"
		case i == len(due)-1:
			v.outcome = store.DueStarted
		}
		j.expect(v)
	}
}

func (m *month) pause(j *monthJob, paused bool) {
	m.t.Helper()
	j.paused = paused
	if err := m.d.Pause(j.name, paused); err != nil {
		m.t.Fatal(err)
	}
}

func (m *month) shutSlow() {
	for _, s := range m.slow {
		s.shut()
	}
	m.shut = true
	for _, j := range m.jobs {
		j.shut = 0
	}
}

func (m *month) openSlow() {
	m.t.Helper()
	for _, j := range m.jobs {
		if j.overlap != "" && j.shut < 3 {
			m.t.Fatalf("%s was due %d times while its site was shut", j.name, j.shut)
		}
	}
	m.shut = false
	for _, s := range m.slow {
		s.open()
	}
	m.settled()
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

// setBack puts the clock back, and starts the daemon if it was stopped. What is decided for more than a day ahead counts
// again; a row says so.
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

// rewrite changes a job's file, or puts it back.
func (m *month) rewrite(j *monthJob) {
	m.t.Helper()
	j.considered, j.absent, j.apart = m.now, false, true
	m.file(j)
	m.d.Rescan()
	if got, ok := m.d.Job(j.name); !ok || got.Fault != "" || got.Config == nil {
		m.t.Fatalf("%+v", got)
	}
}

func (m *month) remove(j *monthJob) {
	m.t.Helper()
	j.absent = true
	if err := os.Remove(filepath.Join(m.dir, j.name+".yaml")); err != nil {
		m.t.Fatal(err)
	}
	m.d.Rescan()
	if got, ok := m.d.Job(j.name); ok {
		m.t.Fatalf("%+v", got)
	}
}

// check compares what the database has with what was expected.
func (m *month) check() {
	runs, skipped := 0, 0
	for _, j := range m.jobs {
		m.t.Run(j.name, func(t *testing.T) {
			for _, v := range j.want {
				if v.outcome == store.DueSkipped && !v.clock {
					skipped++
				}
			}
			if len(j.want) == 0 {
				t.Fatal("it was never due")
			}
			m.checkRows(t, j, dueRows(t, m.db, j.name))
			runs += m.checkRuns(t, j, dueRows(t, m.db, j.name))
		})
	}
	open, err := m.db.OpenDue(m.t.Context())
	if err != nil || len(open) > 0 {
		m.t.Errorf("open: %+v, %v", open, err)
	}
	m.t.Logf("%d jobs, %d runs, %d due times skipped", len(m.jobs), runs, skipped)
}

// dueRows lists the rows of a job, the first first.
func dueRows(t testing.TB, db *store.DB, job string) (rows []store.DueRun) {
	t.Helper()
	for r, err := range db.Due(context.Background(), job) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	slices.Reverse(rows)
	return rows
}

// checkRows checks that the rows have the due times that were expected: each
// once, in their order, and no others.
func (m *month) checkRows(t *testing.T, j *monthJob, rows []store.DueRun) {
	want := j.want
	ran := map[int]bool{}
	for _, r := range rows {
		n := max(1, r.Count)
		if n > len(want) {
			t.Fatalf("too much: %+v", r)
		}
		first, last := want[0], want[n-1]
		if !first.nominal.Equal(r.Nominal) || !last.nominal.Equal(r.Until) || first.clock != (r.Count == 0) {
			t.Fatalf("%d due times from %v to %v (%s, %q), want from %v to %v (%s, %q)",
				r.Count, r.Nominal, r.Until, r.Outcome, r.Reason, first.nominal.UTC(), last.nominal.UTC(), first.outcome, first.reason)
		}
		for i, v := range want[:n] {
			if v.any > 0 {
				ran[v.any] = ran[v.any] || r.Outcome == store.DueStarted || j.missed == "skip"
				skipped := strings.HasPrefix(r.Reason, "missed: ") || strings.HasPrefix(r.Reason, "overlap: ")
				if r.Outcome != store.DueStarted && !skipped {
					t.Errorf("due at %v: %s, %q", v.nominal.UTC(), r.Outcome, r.Reason)
				}
				continue
			}
			if v.outcome != r.Outcome || !strings.HasPrefix(r.Reason, v.reason) || v.reason == "" && r.Reason != "" {
				t.Errorf("due at %v: %s, %q, want %s, %q", v.nominal.UTC(), r.Outcome, r.Reason, v.outcome, v.reason)
			}
			if i > 0 && v.apart {
				t.Errorf("due at %v: shares a row with what was due at %v, but was not due in between", v.nominal.UTC(), want[i-1].nominal.UTC())
			}
		}
		if late := r.At.Sub(r.Nominal); late < 0 || late > 0 && late >= j.jitter {
			t.Errorf("due at %v: to start %v later", r.Nominal, late)
		}
		if late := r.Decided.Sub(r.At); r.Count == 1 && first.prompt && (late < 0 || late > time.Second) {
			t.Errorf("due at %v: decided %v later", r.Nominal, late)
		}
		want = want[n:]
	}
	for kill, ok := range ran {
		if !ok {
			t.Errorf("nothing ran for what was due at kill %d", kill)
		}
	}
	if len(want) > 0 {
		t.Errorf("%d due times are missing, the first at %v: %+v", len(want), want[0].nominal.UTC(), want[0])
	}
}

// checkRuns checks that each due time that was started has a run of its own,
// which began on time, and that there are no other runs.
func (m *month) checkRuns(t *testing.T, j *monthJob, rows []store.DueRun) int {
	m.mu.Lock()
	begun := m.begun[j.name]
	m.mu.Unlock()
	numbers := map[int]bool{}
	i := 0 // of the row's first due time in j.want
	for _, r := range rows {
		v := j.want[i]
		i += max(1, r.Count)
		if r.Outcome != store.DueStarted {
			continue
		}
		state := store.RunFinished
		if strings.HasPrefix(r.Reason, "overlap: cancelled") {
			state = store.RunAbandoned
		}
		if r.Run == 0 || numbers[r.Run] || r.RunState != state {
			t.Errorf("due at %v: run %d, %s", r.Nominal, r.Run, r.RunState)
		}
		numbers[r.Run] = true
		if late := begun[r.Run].Sub(r.At); late < 0 && v.reason == "" || late > time.Second && v.prompt {
			t.Errorf("due at %v: run %d began %v late", r.Nominal, r.Run, late)
		}
	}
	runs := 0
	for r, err := range m.db.Runs(t.Context(), j.name) {
		if runs++; err != nil || !numbers[r.Number] {
			t.Errorf("run %d was begun for no due time: %v", r.Number, err)
		}
	}
	if runs != len(numbers) || len(begun) != runs {
		t.Errorf("%d runs, %d were begun, for %d due times", runs, len(begun), len(numbers))
	}
	return runs
}
