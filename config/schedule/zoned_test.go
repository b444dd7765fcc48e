package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTransitions goes through clocks that were put forward and back.
func TestTransitions(t *testing.T) {
	for _, test := range []struct {
		name, zone, cron, after string
		want                    []string
	}{
		// Berlin: 2026-03-29 02:00 becomes 03:00, 2026-10-25 03:00 becomes 02:00.
		{"leapt over", "Europe/Berlin", "30 2 * * *", "2026-03-28 12:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-03-30 02:30:00 +0200"}},
		{"leapt over, several", "Europe/Berlin", "0,20,40 2 * * *", "2026-03-28 12:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-03-30 02:00:00 +0200"}},
		{"leapt over, and one at the end of the leap", "Europe/Berlin", "0,30 2-3 * * *", "2026-03-28 12:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-03-29 03:30:00 +0200", "2026-03-30 02:00:00 +0200"}},
		{"leapt over, asked in the hour before", "Europe/Berlin", "30 2 * * *", "2026-03-29 01:59:59 +0100",
			[]string{"2026-03-29 03:00:00 +0200"}},
		{"leapt over, asked at the end of the leap", "Europe/Berlin", "30 2 * * *", "2026-03-29 03:00:00 +0200",
			[]string{"2026-03-30 02:30:00 +0200"}},
		{"leapt over, weekly", "Europe/Berlin", "30 2 * * sun", "2026-03-28 12:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-04-05 02:30:00 +0200"}},
		{"beside the leap", "Europe/Berlin", "59 1 * * *", "2026-03-28 12:00:00 +0100",
			[]string{"2026-03-29 01:59:00 +0100", "2026-03-30 01:59:00 +0200"}},
		{"each hour over the leap", "Europe/Berlin", "30 * * * *", "2026-03-29 00:00:00 +0100",
			[]string{"2026-03-29 00:30:00 +0100", "2026-03-29 01:30:00 +0100", "2026-03-29 03:30:00 +0200", "2026-03-29 04:30:00 +0200"}},
		{"each minute over the leap", "Europe/Berlin", "* * * * *", "2026-03-29 01:58:00 +0100",
			[]string{"2026-03-29 01:59:00 +0100", "2026-03-29 03:00:00 +0200", "2026-03-29 03:01:00 +0200"}},
		{"each second over the leap", "Europe/Berlin", "* * * * * *", "2026-03-29 01:59:58 +0100",
			[]string{"2026-03-29 01:59:59 +0100", "2026-03-29 03:00:00 +0200"}},
		{"each second hour over the leap", "Europe/Berlin", "0 */2 * * *", "2026-03-29 00:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-03-29 04:00:00 +0200"}},
		{"minutes of an hour that is leapt over", "Europe/Berlin", "*/20 2 * * *", "2026-03-28 12:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-03-30 02:00:00 +0200", "2026-03-30 02:20:00 +0200"}},
		{"shown twice", "Europe/Berlin", "30 2 * * *", "2026-10-24 12:00:00 +0200",
			[]string{"2026-10-25 02:30:00 +0200", "2026-10-26 02:30:00 +0100"}},
		{"shown twice, at the beginning", "Europe/Berlin", "0 2 * * *", "2026-10-24 12:00:00 +0200",
			[]string{"2026-10-25 02:00:00 +0200", "2026-10-26 02:00:00 +0100"}},
		{"shown after the second time", "Europe/Berlin", "0 3 * * *", "2026-10-24 12:00:00 +0200",
			[]string{"2026-10-25 03:00:00 +0100", "2026-10-26 03:00:00 +0100"}},
		{"shown twice, asked between", "Europe/Berlin", "30 2 * * *", "2026-10-25 02:15:00 +0100",
			[]string{"2026-10-26 02:30:00 +0100"}},
		{"each hour, shown twice", "Europe/Berlin", "30 * * * *", "2026-10-25 01:00:00 +0200",
			[]string{"2026-10-25 01:30:00 +0200", "2026-10-25 02:30:00 +0200", "2026-10-25 02:30:00 +0100", "2026-10-25 03:30:00 +0100"}},
		{"each hour by a list", "Europe/Berlin", "0 0-23 * * *", "2026-10-25 01:00:00 +0200",
			[]string{"2026-10-25 02:00:00 +0200", "2026-10-25 02:00:00 +0100", "2026-10-25 03:00:00 +0100"}},
		{"minutes of an hour that is shown twice", "Europe/Berlin", "*/30 2 * * *", "2026-10-24 12:00:00 +0200",
			[]string{"2026-10-25 02:00:00 +0200", "2026-10-25 02:30:00 +0200", "2026-10-25 02:00:00 +0100", "2026-10-25 02:30:00 +0100", "2026-10-26 02:00:00 +0100"}},
		{"some minutes of an hour that is shown twice", "Europe/Berlin", "0,30 2 * * *", "2026-10-24 12:00:00 +0200",
			[]string{"2026-10-25 02:00:00 +0200", "2026-10-25 02:30:00 +0200", "2026-10-26 02:00:00 +0100"}},
		{"a duration does not look at the clock", "Europe/Berlin", "@every 1h", "2026-03-29 01:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-03-29 04:00:00 +0200"}},

		{"New York, leapt over", "America/New_York", "15 2 * * *", "2026-03-07 12:00:00 -0500",
			[]string{"2026-03-08 03:00:00 -0400", "2026-03-09 02:15:00 -0400"}},
		{"New York, shown twice", "America/New_York", "15 1 * * *", "2026-10-31 12:00:00 -0400",
			[]string{"2026-11-01 01:15:00 -0400", "2026-11-02 01:15:00 -0500"}},
		{"New York, a Saturday before", "America/New_York", "0 2 * * 6", "2026-10-31 02:00:00 -0400",
			[]string{"2026-11-07 02:00:00 -0500"}},

		// Lord Howe: 2026-10-04 02:00 becomes 02:30, 2026-04-05 02:00 becomes 01:30.
		{"half an hour is leapt over", "Australia/Lord_Howe", "15 2 * * *", "2026-10-03 12:00:00 +1030",
			[]string{"2026-10-04 02:30:00 +1100", "2026-10-05 02:15:00 +1100"}},
		{"half an hour is left", "Australia/Lord_Howe", "45 2 * * *", "2026-10-03 12:00:00 +1030",
			[]string{"2026-10-04 02:45:00 +1100"}},
		{"half an hour is shown twice", "Australia/Lord_Howe", "45 1 * * *", "2026-04-04 12:00:00 +1100",
			[]string{"2026-04-05 01:45:00 +1100", "2026-04-06 01:45:00 +1030"}},
		{"each hour, half a one is leapt over", "Australia/Lord_Howe", "0 * * * *", "2026-10-04 00:30:00 +1030",
			[]string{"2026-10-04 01:00:00 +1030", "2026-10-04 03:00:00 +1100"}},
		{"each hour, half a one is shown twice", "Australia/Lord_Howe", "45 * * * *", "2026-04-05 01:00:00 +1100",
			[]string{"2026-04-05 01:45:00 +1100", "2026-04-05 01:45:00 +1030", "2026-04-05 02:45:00 +1030"}},

		// São Paulo: 2018-11-04 00:00 became 01:00, 2019-02-17 00:00 became 02-16 23:00.
		{"midnight is leapt over", "America/Sao_Paulo", "0 0 * * *", "2018-11-03 12:00:00 -0300",
			[]string{"2018-11-04 01:00:00 -0200", "2018-11-05 00:00:00 -0200"}},
		{"the midnight of a Sunday is leapt over", "America/Sao_Paulo", "@weekly", "2018-11-03 12:00:00 -0300",
			[]string{"2018-11-04 01:00:00 -0200", "2018-11-11 00:00:00 -0200"}},
		{"the hour before midnight is shown twice", "America/Sao_Paulo", "30 23 * * *", "2019-02-16 12:00:00 -0200",
			[]string{"2019-02-16 23:30:00 -0200", "2019-02-17 23:30:00 -0300"}},
		{"midnight after an hour that is shown twice", "America/Sao_Paulo", "0 0 * * *", "2019-02-16 12:00:00 -0200",
			[]string{"2019-02-17 00:00:00 -0300", "2019-02-18 00:00:00 -0300"}},

		// Samoa: 2011-12-29 24:00 became 2011-12-31 00:00.
		{"a day is leapt over", "Pacific/Apia", "0 3 * * *", "2011-12-28 12:00:00 -1000",
			[]string{"2011-12-29 03:00:00 -1000", "2011-12-31 00:00:00 +1400", "2011-12-31 03:00:00 +1400"}},
		{"a weekly day is leapt over", "Pacific/Apia", "0 3 * * fri", "2011-12-28 12:00:00 -1000",
			[]string{"2011-12-31 00:00:00 +1400", "2012-01-06 03:00:00 +1400"}},
		{"each hour, a day is leapt over", "Pacific/Apia", "0 * * * *", "2011-12-29 22:30:00 -1000",
			[]string{"2011-12-29 23:00:00 -1000", "2011-12-31 00:00:00 +1400"}},
		// Kwajalein: 1969-09-30 was shown twice.
		{"a day is shown nearly twice", "Pacific/Kwajalein", "0 12 * * *", "1969-09-30 00:00:00 +1100",
			[]string{"1969-09-30 12:00:00 +1100", "1969-10-01 12:00:00 -1200"}},

		{"an offset of three quarters", "Asia/Kathmandu", "0 3 * * *", "2026-01-01 00:00:00 +0545",
			[]string{"2026-01-01 03:00:00 +0545", "2026-01-02 03:00:00 +0545"}},
		{"the offset became one of three quarters", "Asia/Kathmandu", "10 0 1 1 *", "1985-12-31 12:00:00 +0530",
			[]string{"1986-01-01 00:15:00 +0545", "1987-01-01 00:10:00 +0545"}},
		{"the last day of a leap year to come", "Europe/Berlin", "0 0 1 1 *", "2040-12-31 12:00:00 +0100",
			[]string{"2041-01-01 00:00:00 +0100"}},
		{"a leap to come", "Europe/Berlin", "30 2 * * *", "2096-03-24 12:00:00 +0100",
			[]string{"2096-03-25 03:00:00 +0200", "2096-03-26 02:30:00 +0200"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkDue(t, newSchedule(t, Options{Cron: test.cron, Zone: zone(t, test.zone)}), parseTime(t, test.after), test.want)
		})
	}
}

func TestMidnight(t *testing.T) {
	for _, test := range []struct {
		name, zone, day, want string
	}{
		{"as others", "Europe/Berlin", "2026-03-29", "2026-03-29 00:00:00 +0100"},
		{"leapt over", "America/Sao_Paulo", "2018-11-04", "2018-11-04 01:00:00 -0200"},
		{"after an hour that is shown twice", "America/Sao_Paulo", "2019-02-17", "2019-02-17 00:00:00 -0300"},
		{"a day that there is not", "Pacific/Apia", "2011-12-30", "2011-12-31 00:00:00 +1400"},
		{"far from UTC", "Pacific/Kiritimati", "2026-01-01", "2026-01-01 00:00:00 +1400"},
		{"of UTC", "UTC", "2026-01-01", "2026-01-01 00:00:00 +0000"},
		{"shown twice", "America/Havana", "2026-11-01", "2026-11-01 00:00:00 -0400"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := time.Parse(time.DateOnly, test.day)
			if err != nil {
				t.Fatal(err)
			}
			if got := Midnight(d.Year(), d.Month(), d.Day(), zone(t, test.zone)).Format(stamp); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestAgainstEachMinute compares the due times of random expressions around
// transitions with those that come out when each minute is looked at alone.
func TestAgainstEachMinute(t *testing.T) {
	for _, place := range []struct{ zone, around string }{
		{"Europe/Berlin", "2026-03-29 00:00:00 +0000"},
		{"Europe/Berlin", "2026-10-25 00:00:00 +0000"},
		{"America/New_York", "2026-03-08 00:00:00 +0000"},
		{"America/New_York", "2026-11-01 00:00:00 +0000"},
		{"Australia/Lord_Howe", "2026-10-04 00:00:00 +0000"},
		{"Australia/Lord_Howe", "2026-04-05 00:00:00 +0000"},
		{"America/Sao_Paulo", "2018-11-04 00:00:00 +0000"},
		{"America/Sao_Paulo", "2019-02-17 00:00:00 +0000"},
		{"Pacific/Apia", "2011-12-30 00:00:00 +0000"},
		{"Pacific/Kwajalein", "1969-10-01 00:00:00 +0000"},
		{"Asia/Kathmandu", "1986-01-01 00:00:00 +0000"},
		{"Africa/Casablanca", "2026-02-15 00:00:00 +0000"},
		{"Europe/Dublin", "2060-03-28 00:00:00 +0000"},
		{"Europe/Berlin", "2040-12-31 00:00:00 +0000"},
	} {
		t.Run(place.zone+place.around[:10], func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 40 {
				f := randomFields(r)
				s, err := New(Options{Cron: f.text(), Zone: zone(t, place.zone)}, "")
				if err != nil {
					continue // never due
				}
				from := parseTime(t, place.around).AddDate(0, 0, -2)
				compareMinutes(t, s, f, from, from.AddDate(0, 0, 4))
			}
		})
	}
}

// fields are the values of an expression of five; nil is a star.
type fields [5][]int

func randomFields(r *rand.Rand) fields {
	var f fields
	for i, b := range [5]struct{ least, most int }{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}} {
		if i < 2 || r.IntN(3) == 0 {
			for range r.IntN(6) {
				f[i] = append(f[i], b.least+r.IntN(b.most-b.least+1))
			}
			if i < 2 && f[i] != nil && r.IntN(2) == 0 { // near to where clocks are changed
				f[i] = append(f[i], 0, 1, 2)
			}
		}
	}
	return f
}

func (f fields) text() string {
	var words [5]string
	for i, values := range f {
		words[i] = strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ","), "[]")
		if values == nil {
			words[i] = "*"
		}
	}
	return strings.Join(words[:], " ")
}

// due tells whether a clock that shows these is a time of the expression.
func (f fields) due(clock time.Time) bool {
	has := func(i, value int) bool { return f[i] == nil || slices.Contains(f[i], value) }
	day, weekday := has(2, clock.Day()), has(4, int(clock.Weekday()))
	onDay := day && weekday
	if f[2] != nil && f[4] != nil {
		onDay = day || weekday
	}
	return has(0, clock.Minute()) && has(1, clock.Hour()) && has(3, int(clock.Month())) && onDay
}

// compareMinutes looks at each minute from one time to another.
func compareMinutes(t *testing.T, s *Schedule, f fields, from, to time.Time) {
	t.Helper()
	zone := s.options.Zone
	reading := func(at time.Time) time.Time {
		at = at.In(zone)
		_, offset := at.Zone()
		return at.UTC().Add(time.Duration(offset) * time.Second)
	}
	shown := map[time.Time]bool{} // from two days before
	var want []time.Time
	for at := from.AddDate(0, 0, -2); at.Before(to); at = at.Add(time.Minute) {
		now := reading(at)
		due := f.due(now) && (!shown[now] || f[1] == nil || f[0] == nil)
		for leapt := reading(at.Add(-time.Minute)).Add(time.Minute); leapt.Before(now); leapt = leapt.Add(time.Minute) {
			due = due || f[1] != nil && f.due(leapt)
		}
		shown[now] = true
		if due && at.After(from) {
			want = append(want, at)
		}
	}
	var got []time.Time
	for at := from; ; {
		due, ok := s.Next(at)
		if !ok || !due.Nominal.Before(to) {
			break
		}
		at = due.Nominal
		got = append(got, at)
	}
	if !slices.EqualFunc(got, want, time.Time.Equal) {
		t.Fatalf("%s: %v, want %v", f.text(), got, want)
	}
}
