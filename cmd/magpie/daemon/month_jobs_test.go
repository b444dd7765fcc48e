package daemon

import (
	"fmt"
	"testing"
	"time"

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

// source is the text of the job's file.
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

// expect adds a verdict.
func (j *monthJob) expect(v verdict) {
	v.apart = v.clock || j.apart
	j.apart = v.clock
	j.want = append(j.want, v)
	if !v.clock {
		j.considered = v.nominal
	}
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
