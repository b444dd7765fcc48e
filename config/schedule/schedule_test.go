package schedule

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// zone loads the zone of that name.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// newSchedule makes a schedule of options that are right.
func newSchedule(t testing.TB, o Options) *Schedule {
	t.Helper()
	s, err := New(o, "shop")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stamp is how times are written in these tests: with their offset.
const stamp = "2006-01-02 15:04:05 -0700"

func parseTime(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(stamp, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// checkDue compares the due times after a time with those wanted. A "-" stands
// for the end.
func checkDue(t *testing.T, s *Schedule, after time.Time, want []string) {
	t.Helper()
	for i, w := range want {
		due, ok := s.Next(after)
		got := due.Nominal.Format(stamp)
		if !ok {
			got = "-"
		}
		if got != w {
			t.Fatalf("%d: after %s: %s, want %s", i, after.Format(stamp), got, w)
		}
		after = due.Nominal
	}
}

func TestCron(t *testing.T) {
	for _, test := range []struct {
		name, cron string
		want       []string // from Thursday 2026-01-01 00:00:00 on, in UTC, without their +0000
	}{
		{"each minute", "* * * * *", []string{"2026-01-01 00:01:00", "2026-01-01 00:02:00"}},
		{"each second", "* * * * * *", []string{"2026-01-01 00:00:01", "2026-01-01 00:00:02"}},
		{"with seconds", "30 0 3 * * *", []string{"2026-01-01 03:00:30", "2026-01-02 03:00:30"}},
		{"a list", "0 3,9,21 * * *", []string{"2026-01-01 03:00:00", "2026-01-01 09:00:00", "2026-01-01 21:00:00", "2026-01-02 03:00:00"}},
		{"a range with a step", "0 8-18/5 * * *", []string{"2026-01-01 08:00:00", "2026-01-01 13:00:00", "2026-01-01 18:00:00", "2026-01-02 08:00:00"}},
		{"a step", "*/25 * * * *", []string{"2026-01-01 00:25:00", "2026-01-01 00:50:00", "2026-01-01 01:00:00"}},
		{"a step from a number", "5/30 * * * *", []string{"2026-01-01 00:05:00", "2026-01-01 00:35:00", "2026-01-01 01:05:00"}},
		{"names", "0 0 1 FEB,nov *", []string{"2026-02-01 00:00:00", "2026-11-01 00:00:00", "2027-02-01 00:00:00"}},
		{"names of days", "0 0 * * THU-sat", []string{"2026-01-02 00:00:00", "2026-01-03 00:00:00", "2026-01-08 00:00:00"}},
		{"a range that goes around", "0 0 * * sat-mon", []string{"2026-01-03 00:00:00", "2026-01-04 00:00:00", "2026-01-05 00:00:00", "2026-01-10 00:00:00"}},
		{"hours that go around", "0 23-1 * * *", []string{"2026-01-01 01:00:00", "2026-01-01 23:00:00", "2026-01-02 00:00:00"}},
		{"Sunday as 0", "0 0 * * 0", []string{"2026-01-04 00:00:00", "2026-01-11 00:00:00"}},
		{"Sunday as 7", "0 0 * * 7", []string{"2026-01-04 00:00:00", "2026-01-11 00:00:00"}},
		{"day or weekday", "0 0 13 * fri", []string{"2026-01-02 00:00:00", "2026-01-09 00:00:00", "2026-01-13 00:00:00", "2026-01-16 00:00:00"}},
		{"day and weekday, where one begins with a star", "0 0 */2 * fri", []string{"2026-01-09 00:00:00", "2026-01-23 00:00:00", "2026-02-13 00:00:00"}},
		{"question marks", "0 0 ? * fri", []string{"2026-01-02 00:00:00", "2026-01-09 00:00:00"}},
		{"day 31", "0 0 31 * *", []string{"2026-01-31 00:00:00", "2026-03-31 00:00:00", "2026-05-31 00:00:00", "2026-07-31 00:00:00"}},
		{"leap day", "0 0 29 2 *", []string{"2028-02-29 00:00:00", "2032-02-29 00:00:00"}},
		{"last day", "0 0 L * *", []string{"2026-01-31 00:00:00", "2026-02-28 00:00:00", "2026-03-31 00:00:00"}},
		{"days before the last", "0 0 L-2 * *", []string{"2026-01-29 00:00:00", "2026-02-26 00:00:00"}},
		{"nearest weekday", "0 0 1W * *", []string{"2026-02-02 00:00:00", "2026-03-02 00:00:00", "2026-04-01 00:00:00"}},
		{"last weekday", "0 0 LW * *", []string{"2026-01-30 00:00:00", "2026-02-27 00:00:00"}},
		{"second Friday", "0 0 * * fri#2", []string{"2026-01-09 00:00:00", "2026-02-13 00:00:00"}},
		{"last Friday", "0 0 * * fri#L", []string{"2026-01-30 00:00:00", "2026-02-27 00:00:00"}},
		{"blanks", "  0\t3  * * * ", []string{"2026-01-01 03:00:00"}},
		{"yearly", "@yearly", []string{"2027-01-01 00:00:00"}},
		{"annually", "@annually", []string{"2027-01-01 00:00:00"}},
		{"monthly", "@monthly", []string{"2026-02-01 00:00:00"}},
		{"weekly", "@weekly", []string{"2026-01-04 00:00:00"}},
		{"daily", "@Daily", []string{"2026-01-02 00:00:00"}},
		{"midnight", "@midnight", []string{"2026-01-02 00:00:00"}},
		{"hourly", "@hourly", []string{"2026-01-01 01:00:00"}},
		{"every", "@every 90m", []string{"2026-01-01 01:30:00", "2026-01-01 03:00:00"}},
		{"every week of the epoch", "@every 7d", []string{"2026-01-08 00:00:00"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range test.want {
				test.want[i] += " +0000"
			}
			checkDue(t, newSchedule(t, Options{Cron: test.cron, Zone: time.UTC}), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), test.want)
		})
	}
}

// TestLeapDayPastACentury: 2100 has none, so eight years pass between two.
func TestLeapDayPastACentury(t *testing.T) {
	s := newSchedule(t, Options{Cron: "0 0 29 2 *", Zone: zone(t, "Europe/Berlin")})
	checkDue(t, s, parseTime(t, "2096-02-29 00:00:00 +0100"), []string{"2104-02-29 00:00:00 +0100"})
}

// TestRare: each 28 years, where no century comes between.
func TestRare(t *testing.T) {
	s := newSchedule(t, Options{Cron: "0 0 29 2 */7", Zone: time.UTC}) // a leap day that is a Sunday
	checkDue(t, s, parseTime(t, "2026-01-01 00:00:00 +0000"), []string{"2032-02-29 00:00:00 +0000", "2060-02-29 00:00:00 +0000", "2088-02-29 00:00:00 +0000", "2128-02-29 00:00:00 +0000"})
}

func TestWrong(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 1, d, 0, 0, 0, 0, time.UTC) }
	for _, test := range []struct {
		name    string
		o       Options
		key     string
		message string // what it contains; "": no mistake
	}{
		{"nothing", Options{}, "cron", "write minute, hour"},
		{"four fields", Options{Cron: "0 3 * *"}, "cron", "write minute, hour"},
		{"seven fields", Options{Cron: "0 0 3 * * * 2027"}, "cron", "write minute, hour"},
		{"minute 60", Options{Cron: "60 3 * * *"}, "cron", `"60" is no minute: minutes are 0 to 59`},
		{"hour 24", Options{Cron: "0 24 * * *"}, "cron", `"24" is no hour`},
		{"day 0", Options{Cron: "0 0 0 * *"}, "cron", `"0" is no day`},
		{"day 32", Options{Cron: "0 0 32 * *"}, "cron", `"32" is no day`},
		{"month 13", Options{Cron: "0 0 1 13 *"}, "cron", `"13" is no month`},
		{"weekday 8", Options{Cron: "0 0 * * 8"}, "cron", `"8" is no weekday`},
		{"second 60", Options{Cron: "60 0 0 * * *"}, "cron", `"60" is no second`},
		{"names in full", Options{Cron: "0 0 * * monday"}, "cron", `"monday" is no weekday`},
		{"step of zero", Options{Cron: "*/0 * * * *"}, "cron", `"*/0" is no minute`},
		{"step that is too long", Options{Cron: "*/90 * * * *"}, "cron", `write "@every 90m"`},
		{"hours that are too long", Options{Cron: "0 */36 * * *"}, "cron", `write "@every 36h"`},
		{"step from beyond", Options{Cron: "222/3 * * * * *"}, "cron", `"222/3" is no second`},
		{"star in a range", Options{Cron: "*-5 * * * *"}, "cron", `"*-5" is no minute`},
		{"range without end", Options{Cron: "5- * * * *"}, "cron", `"5-" is no minute`},
		{"range of three", Options{Cron: "1-2-3 * * * *"}, "cron", `"1-2-3" is no minute`},
		{"empty entry", Options{Cron: "1,,2 * * * *"}, "cron", `"1,,2" is no minute`},
		{"a comma alone", Options{Cron: ", * * * *"}, "cron", `"," is no minute`},
		{"a negative number", Options{Cron: "-5 * * * *"}, "cron", `"-5" is no minute`},
		{"sixth Friday", Options{Cron: "0 0 * * fri#6"}, "cron", `"fri#6" is no weekday`},
		{"a hash", Options{Cron: "H 3 * * *"}, "cron", `"h" is no minute`},
		{"a zone in front", Options{Cron: "CRON_TZ=UTC 0 3 * * *"}, "cron", "zone: Europe/Berlin"},
		{"a zone alone", Options{Cron: "TZ="}, "cron", "zone: Europe/Berlin"},
		{"another tag", Options{Cron: "@reboot"}, "cron", "write minute, hour"},
		{"very long", Options{Cron: fmt.Sprintf("%0300d * * * *", 1)}, "cron", "longer than 256"},
		{"February 30", Options{Cron: "0 0 30 2 *"}, "cron", "never due"},
		{"February 30W", Options{Cron: "0 0 30W 2 *"}, "cron", "never due"},
		{"April 31", Options{Cron: "0 0 31 4,6,9,11 *"}, "cron", "never due"},
		{"every nothing", Options{Cron: "@every"}, "cron", `such as "@every 90m"`},
		{"every day", Options{Cron: "@every day"}, "cron", `such as "@every 90m"`},
		{"every 0s", Options{Cron: "@every 0s"}, "cron", "at least 1s"},
		{"every -1h", Options{Cron: "@every -1h"}, "cron", "at least 1s"},
		{"every half second", Options{Cron: "@every 500ms"}, "cron", "at least 1s"},
		{"every 1.5s", Options{Cron: "@every 1.5s"}, "cron", "whole seconds"},
		{"every second", Options{Cron: "@every 1s"}, "", ""},
		{"every day and a half", Options{Cron: "@every 1d12h"}, "", ""},
		{"every so many days", Options{Cron: "@every 99999999999d"}, "cron", "is not valid"},
		{"jitter as long as the distance", Options{Cron: "@hourly", Jitter: time.Hour}, "jitter", "which is 1h"},
		{"jitter below the distance", Options{Cron: "@hourly", Jitter: time.Hour - 1}, "", ""},
		{"jitter above the shortest distance", Options{Cron: "0 0,12,13 * * *", Jitter: 2 * time.Hour}, "jitter", "which is 1h"},
		{"jitter above a distance that comes once a year", Options{Cron: "0 0 31,1 1,12 *", Jitter: 25 * time.Hour}, "jitter", "which is 24h"},
		{"end before start", Options{Cron: "@daily", Start: day(2), End: day(1)}, "end", "after start"},
		{"end at start", Options{Cron: "@daily", Start: day(2), End: day(2)}, "end", "after start"},
		{"end after start", Options{Cron: "@daily", Start: day(2), End: day(3)}, "", ""},
		{"not due until the end", Options{Cron: "@monthly", Start: day(2), End: day(31)}, "end", "between start and end"},
		{"ended long ago", Options{Cron: "@monthly", End: day(2)}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.o.Zone == nil {
				test.o.Zone = time.UTC
			}
			_, err := New(test.o, "shop")
			var mistake *Error
			switch {
			case test.message == "" && err != nil:
				t.Fatal(err)
			case test.message == "":
			case !errors.As(err, &mistake), mistake.Key != test.key, !strings.Contains(mistake.Message, test.message):
				t.Fatalf("%v, want one of %s that says %s", err, test.key, test.message)
			}
		})
	}
}

func TestStartAndEnd(t *testing.T) {
	start, end := parseTime(t, "2026-01-10 00:00:00 +0000"), parseTime(t, "2026-01-13 00:00:00 +0000")
	for _, test := range []struct {
		name  string
		after string
		want  []string
	}{
		{"start belongs to it, end does not", "2020-01-01 00:00:00 +0000", []string{"2026-01-10 00:00:00 +0000", "2026-01-11 00:00:00 +0000", "2026-01-12 00:00:00 +0000", "-"}},
		{"after the start", "2026-01-10 00:00:00 +0000", []string{"2026-01-11 00:00:00 +0000"}},
		{"at no time at all", "0001-01-01 00:00:00 +0000", []string{"2026-01-10 00:00:00 +0000"}},
		{"after the end", "2030-01-10 00:00:00 +0000", []string{"-"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkDue(t, newSchedule(t, Options{Cron: "@daily", Zone: time.UTC, Start: start, End: end}), parseTime(t, test.after), test.want)
		})
	}
}

// TestLastYear: nothing is due later, and that is found at once.
func TestLastYear(t *testing.T) {
	for _, cron := range []string{"@daily", "@every 24h"} {
		s := newSchedule(t, Options{Cron: cron, Zone: time.UTC})
		checkDue(t, s, parseTime(t, "9999-12-30 12:00:00 +0000"), []string{"9999-12-31 00:00:00 +0000", "-"})
		checkDue(t, s, time.Unix(1<<60, 0), []string{"-"})
	}
}

func TestEvery(t *testing.T) {
	for _, test := range []struct {
		name, cron, start, after string
		want                     []string
	}{
		{"from the epoch", "@every 7h", "", "1970-01-01 00:00:00 +0000", []string{"1970-01-01 07:00:00 +0000", "1970-01-01 14:00:00 +0000", "1970-01-01 21:00:00 +0000", "1970-01-02 04:00:00 +0000"}},
		{"the same at any time", "@every 7h", "", "1970-01-02 03:59:59 +0000", []string{"1970-01-02 04:00:00 +0000"}},
		{"before the epoch", "@every 7h", "", "1969-12-31 16:00:00 +0000", []string{"1969-12-31 17:00:00 +0000", "1970-01-01 00:00:00 +0000"}},
		{"from start", "@every 7h", "2026-01-01 00:30:00 +0000", "2025-01-01 00:00:00 +0000", []string{"2026-01-01 00:30:00 +0000", "2026-01-01 07:30:00 +0000"}},
		{"in 400 years", "@every 24h", "2026-01-01 00:30:00 +0000", "2426-01-01 00:00:00 +0000", []string{"2426-01-01 00:30:00 +0000"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := Options{Cron: test.cron, Zone: time.UTC}
			if test.start != "" {
				o.Start = parseTime(t, test.start)
			}
			checkDue(t, newSchedule(t, o), parseTime(t, test.after), test.want)
		})
	}
}

func TestString(t *testing.T) {
	for cron, want := range map[string]string{
		"0 3 * * *":        "every day at 03:00",
		"@daily":           "every day at 00:00",
		"@hourly":          "every hour",
		"15 * * * *":       "every hour at minute 15",
		"*/5 * * * *":      "every 5 minutes",
		"* * * * *":        "every minute",
		"*/7 * * * *":      "*/7 * * * *",
		"30 8 * * 1-5":     "Monday to Friday at 08:30",
		"30 8 * * sun":     "every Sunday at 08:30",
		"30 8 * * 7,1,wed": "every Monday, Wednesday and Sunday at 08:30",
		"30 8 * * fri#2":   "30 8 * * fri#2",
		"0 0 1 * *":        "on day 1 of every month at 00:00",
		"0 0 L * *":        "on the last day of every month at 00:00",
		"@yearly":          "every 1 January at 00:00",
		"0 0 13 * fri":     "0 0 13 * fri",
		"0  0,12 * * *":    "0 0,12 * * *",
		"30 0 3 * * *":     "30 0 3 * * *",
		"@every 90m":       "every 1h30m",
		"@every 24h":       "every 24h",
	} {
		t.Run(cron, func(t *testing.T) {
			zoned := newSchedule(t, Options{Cron: cron, Zone: zone(t, "Europe/Berlin")}).String()
			local := newSchedule(t, Options{Cron: cron}).String()
			wantZoned := want + " Europe/Berlin"
			if cron[:2] == "@e" { // a duration is the same in all zones
				wantZoned = want
			}
			if zoned != wantZoned || local != want {
				t.Errorf("%q and %q, want %q", zoned, local, want)
			}
		})
	}
}
