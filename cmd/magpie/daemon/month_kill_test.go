package daemon

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// killMonth is a month in which the daemon is killed again and again.
type killMonth struct {
	month
	child  *child
	random *rand.Rand
	struck map[string]int // how often it was killed at what
	kills  int
}

// TestMonthOfKills kills the daemon's process at random moments of a month,
// while it decides, before runs begin, amid them and after them, and starts it
// again some time later, or at an earlier time.
func TestMonthOfKills(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 3, 5, 0, 0, 30, 0, time.UTC)
	days, each := 33, 10 // of so many times that something is due, one ends with a kill
	if testing.Short() || raceEnabled {
		days, each = 10, 16
	}
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("MAGPIE_TEST_SEED"), 10, 64); err == nil {
		seed = given // of a month that failed
	}
	t.Logf("seed %d", seed)
	m := newKillMonth(t, first, seed)
	m.startChild()
	m.answer()
	for end := m.day(days, "00:00"); ; {
		next := m.nextDue(end)
		if next.IsZero() {
			break
		}
		if m.random.IntN(each) == 0 {
			m.killedAt(next)
		} else {
			m.expectAt(next, false)
			m.now = next
			m.command("at", next)
			m.answer()
		}
	}
	m.command("quit", m.now)
	if err := m.child.Wait(); err != nil {
		t.Errorf("the daemon ended with %v:\n%s", err, &m.child.errors)
	}
	m.checkKilled()
}

func newKillMonth(t *testing.T, first time.Time, seed uint64) *killMonth {
	m := &killMonth{random: rand.New(rand.NewPCG(seed, 0)), struck: map[string]int{}}
	m.month = month{world: &world{t: t, dir: t.TempDir(), site: newSite(t)}, first: first, now: first}
	if err := os.Mkdir(filepath.Join(m.dir, "jobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	const berlin, newYork, lordHowe, kathmandu = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"
	m.jobs = []*monthJob{
		{name: "skip", overlap: "skip", rule: rule{cron: "30 */8 * * *", zone: berlin, when: everyHours(8, 30)}},
		{name: "queue", overlap: "queue", rule: rule{cron: "@every 6h", zone: newYork, every: 6 * time.Hour}},
		{name: "cancel", overlap: "cancel", rule: rule{cron: "15 45 */6 * * *", zone: kathmandu, when: everyHours(6, 45), second: 15}},
		{name: "missed is skipped", overlap: "skip", missed: "skip", rule: rule{cron: "0 */12 * * *", zone: berlin, when: everyHours(12, 0)}},
		{name: "gap", overlap: "skip", rule: rule{cron: "30 2 * * *", zone: berlin, when: daily(2, 30)}},
		{name: "twice", overlap: "queue", rule: rule{cron: "45 1 * * *", zone: lordHowe, when: daily(1, 45)}},
		{name: "weekly", overlap: "cancel", rule: rule{cron: "0 9 * * mon", zone: newYork, when: func(r time.Time) bool { return r.Weekday() == time.Monday && daily(9, 0)(r) }}},
	}
	for _, j := range m.jobs {
		j.considered = first
		m.write(filepath.Join("jobs", j.name+".yaml"), strings.Replace(j.source(m.site.URL+"/"), "limits: {pages: 1}\n", "", 1))
	}
	return m
}

// nextDue is the next time at which something is due, also if that is decided.
func (m *killMonth) nextDue(end time.Time) (next time.Time) {
	for _, j := range m.jobs {
		for to := m.now.Add(48 * time.Hour); ; to = to.Add(7 * 24 * time.Hour) {
			if due := j.due(m.t, m.now, earlier(to, end)); len(due) > 0 {
				if next.IsZero() || due[0].Before(next) {
					next = due[0]
				}
				break
			}
			if to.After(end) {
				break
			}
		}
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// expectAt tells what becomes of what is due next, and lists those jobs whose
// state depends on when the daemon is killed.
func (m *killMonth) expectAt(next time.Time, killed bool) (struck []*monthJob) {
	for _, j := range m.jobs {
		for _, at := range j.dueAfter(m.t, m.now, next) {
			if killed {
				struck = append(struck, j)
				j.expect(verdict{nominal: at, any: m.kills})
				continue
			}
			j.happens(at, false)
		}
	}
	return struck
}

// killedAt kills the daemon when something is due, and starts it again.
func (m *killMonth) killedAt(next time.Time) {
	m.t.Helper()
	m.kills++
	struck := m.expectAt(next, true)
	m.now = next
	how := []string{"decide", "before", "amid", "after", "sometime"}[m.random.IntN(5)]
	m.strike(how)
	// No minute of the schedules is 8 after another: nothing is just due then.
	m.now = m.now.Add(time.Duration(m.random.IntN(40))*time.Hour + 8*time.Minute)
	if m.random.IntN(4) == 0 {
		m.now = next.Add(-time.Duration(m.random.IntN(20))*time.Hour - 8*time.Minute)
		// In all by less than what makes due times count again: see clockAhead.
		for _, j := range m.jobs {
			if furthest := j.considered.Add(8*time.Minute - 20*time.Hour); m.now.Before(furthest) {
				m.now = furthest
			}
		}
	}
	again := m.random.IntN(3) == 0
	for _, j := range m.jobs {
		due := j.dueAfter(m.t, j.considered, m.now)
		if !again && !slices.Contains(struck, j) {
			j.passes(due)
			continue
		}
		for _, at := range due {
			j.expect(verdict{nominal: at, any: m.kills})
		}
	}
	m.startChild()
	if again {
		m.struck["restart"]++
		time.Sleep(time.Duration(m.random.IntN(150)) * time.Millisecond)
		m.kill()
		m.startChild()
	}
	m.answer()
}

// strike has the daemon decide what is due, and kills it.
func (m *killMonth) strike(how string) {
	m.t.Helper()
	m.struck[how]++
	switch how {
	case "before", "after":
		m.command(how, m.now)
		m.answer() // idle, if nothing is begun
	case "amid":
		m.site.shut()
		defer m.site.open()
		m.command("at", m.now)
		time.Sleep(60 * time.Millisecond)
	case "sometime":
		m.command("at", m.now)
		time.Sleep(time.Duration(m.random.IntN(40)) * time.Millisecond)
	default:
		m.command("at", m.now)
		time.Sleep(time.Duration(m.random.IntN(3000)) * time.Microsecond)
	}
	m.kill()
}

// checkKilled compares what the database has with what was expected.
func (m *killMonth) checkKilled() {
	db, err := store.OpenReadOnly(filepath.Join(m.dir, "test.db"), store.Options{})
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	m.db = db
	for _, j := range m.jobs {
		m.t.Run(j.name, func(t *testing.T) {
			rows := dueRows(t, db, j.name)
			m.checkRows(t, j, rows)
			checkOneRunEach(t, db, j.name, rows)
		})
	}
	open, err := db.OpenDue(m.t.Context())
	if err != nil || len(open) > 0 {
		m.t.Errorf("open: %+v, %v", open, err)
	}
	m.t.Logf("killed: %v", m.struck)
}

// checkOneRunEach checks that each run was begun for one due time, and that it
// is whole: nothing of it was lost or fetched twice.
func checkOneRunEach(t *testing.T, db *store.DB, job string, rows []store.DueRun) {
	begunFor := map[int]store.DueRun{}
	started := 0
	for _, r := range rows {
		if r.Outcome == store.DueStarted {
			started++
			begunFor[r.Run] = r
		}
	}
	runs, abandoned := 0, 0
	for r, err := range db.Runs(t.Context(), job) {
		if err != nil {
			t.Fatal(err)
		}
		runs++
		due, ok := begunFor[r.Number]
		switch {
		case !ok:
			t.Errorf("run %d was begun for no due time", r.Number)
		case r.State == store.RunFinished && r.Counters.Pages != 5:
			t.Errorf("run %d has %d pages", r.Number, r.Counters.Pages)
		case r.State == store.RunAbandoned && strings.HasPrefix(due.Reason, "overlap: cancelled"):
			abandoned++
		case r.State != store.RunFinished:
			t.Errorf("run %d is %s: %s", r.Number, r.State, due.Reason)
		}
	}
	if runs != started || runs != len(begunFor) {
		t.Errorf("%d runs for %d due times", runs, started)
	}
	t.Logf("%d runs, %d of them cancelled, in %d rows", runs, abandoned, len(rows))
}
