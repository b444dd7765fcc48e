package daemon

import (
	"testing"
	"time"
	_ "time/tzdata"
)

// rule says when a job is due, without config/schedule: which readings of a
// zone's clock it means, or a distance from the Unix epoch.
type rule struct {
	cron   string // as the job file has it
	zone   string
	jitter time.Duration // as the job file has it
	start  string        // and these: a day
	end    string

	when   func(reading time.Time) bool // of a clock, as a time in UTC; asked once a minute
	second int                          // at this second of the minutes
	every  time.Duration                // instead of when
	hours  hours
}

// hours says what an expression has in its hour field, and with that what
// becomes of times that the clock leaps over or shows twice.
type hours int

const (
	fixed  hours = iota // hours and minutes: after the leap, and the first time
	some                // hours, and a star for the minute: after the leap, and both times
	always              // every hour: not due if leapt over, and both times
)

// daily is a reading a day.
func daily(hour, minute int) func(time.Time) bool {
	return func(r time.Time) bool { return r.Hour() == hour && r.Minute() == minute }
}

func everyHours(n, minute int) func(time.Time) bool {
	return func(r time.Time) bool { return r.Hour()%n == 0 && r.Minute() == minute }
}

// due lists the times after from and up to to, by looking at the clock once a
// minute.
func (r rule) due(t testing.TB, from, to time.Time) (list []time.Time) {
	t.Helper()
	zone, err := time.LoadLocation(r.zone)
	if err != nil {
		t.Fatal(err)
	}
	add := func(at time.Time) {
		if at.After(from) && !at.After(to) && r.within(t, at, zone) {
			list = append(list, at)
		}
	}
	// What the clock showed in the day before may be shown again.
	at := from.Add(-24 * time.Hour).Truncate(time.Minute).Add(time.Duration(r.second) * time.Second)
	last := reading(at.In(zone))
	for highest := last; at.Before(to); {
		at = at.Add(time.Minute)
		if r.every > 0 {
			if at.Unix()%int64(r.every.Seconds()) == 0 {
				add(at)
			}
			continue
		}
		now := reading(at.In(zone))
		leapt := false
		for skipped := last.Add(time.Minute); skipped.Before(now); skipped = skipped.Add(time.Minute) {
			leapt = leapt || r.when(skipped)
		}
		switch {
		case leapt && r.hours != always:
			add(at.Truncate(time.Minute)) // the first instant after the leap
			if r.when(now) && r.second > 0 {
				add(at)
			}
		case r.when(now) && (now.After(highest) || r.hours != fixed):
			add(at)
		}
		if now.After(highest) {
			highest = now
		}
		last = now
	}
	return list
}

// within tells whether at is not before the rule's start, and before its end.
func (r rule) within(t testing.TB, at time.Time, zone *time.Location) bool {
	bound := func(day string) time.Time {
		b, err := time.ParseInLocation(time.DateOnly, day, zone)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return (r.start == "" || !at.Before(bound(r.start))) && (r.end == "" || at.Before(bound(r.end)))
}

// reading is what a clock shows at t.
func reading(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// TestOracle holds the rule of the tests against days that were looked up by
// hand: https://www.timeanddate.com/time/change/germany/berlin?year=2026 and
// .../australia/lord-howe-island?year=2026.
func TestOracle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		rule rule
		day  string // in UTC
		want []string
	}{
		{"in the gap", rule{zone: "Europe/Berlin", when: daily(2, 30)}, "2026-03-29", []string{"01:00:00"}},
		{"in the gap, with seconds", rule{zone: "Europe/Berlin", when: daily(2, 30), second: 15}, "2026-03-29", []string{"01:00:00"}},
		{"twice", rule{zone: "Europe/Berlin", when: daily(2, 30)}, "2026-10-25", []string{"00:30:00"}},
		{"in a gap of half an hour", rule{zone: "Australia/Lord_Howe", when: daily(2, 15)}, "2026-10-03", []string{"15:30:00"}},
		{"twice within half an hour", rule{zone: "Australia/Lord_Howe", when: daily(1, 45)}, "2026-04-04", []string{"14:45:00"}},
		{"some hours, twice", rule{zone: "Europe/Berlin", when: func(r time.Time) bool { return r.Hour() == 2 && r.Minute()%30 == 0 }, hours: some}, "2026-10-25",
			[]string{"00:00:00", "00:30:00", "01:00:00", "01:30:00"}},
		{"some hours, leapt over", rule{zone: "Europe/Berlin", when: func(r time.Time) bool { return r.Hour() == 2 && r.Minute()%30 == 0 }, hours: some}, "2026-03-29", []string{"01:00:00"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			day, err := time.Parse(time.DateOnly, tt.day)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, at := range tt.rule.due(t, day.Add(-time.Second), day.AddDate(0, 0, 1).Add(-time.Second)) {
				got = append(got, at.UTC().Format(time.TimeOnly))
			}
			if len(got) != len(tt.want) {
				t.Fatalf("got %v, want %v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("got %v, want %v", got, tt.want)
				}
			}
		})
	}
}
