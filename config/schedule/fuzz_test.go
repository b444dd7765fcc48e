package schedule

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// FuzzSchedule reads any text as an expression. What it is due at goes on,
// does not depend on when it is asked, and is found in a moment.
func FuzzSchedule(f *testing.F) {
	for _, cron := range []string{
		"0 3 * * *", "*/5 * * * *", "30 0 3 1-7 jan-mar sun", "@daily", "@every 1h30m", "@every 2d", "0 0 29 2 */7", "0 0 30 2 *", "0 0 31W 2,4 *",
		"0 0 L-30 2 *", "0 0 29 2 0#5", "0 2 * * fri#L", "TZ=UTC * * * * *", "CRON_TZ=", "1,,2 * * * *", "*/99999999999999999999 * * * *", "22-2/3 * * * * *", "? ? ? ? ?", "@every 9223372036s",
	} {
		f.Add(cron, int64(1774745999), uint8(0), uint32(60))
	}
	zones := []*time.Location{time.UTC, zone(f, "Europe/Berlin"), zone(f, "Australia/Lord_Howe"), zone(f, "Pacific/Apia"), zone(f, "Africa/Casablanca")}
	f.Fuzz(func(t *testing.T, cron string, from int64, z uint8, jitter uint32) {
		began := time.Now()
		s, err := New(Options{Cron: cron, Zone: zones[int(z)%len(zones)], Jitter: time.Duration(jitter) * time.Second}, "shop")
		if err != nil {
			var mistake *Error
			if !errors.As(err, &mistake) || mistake.Key == "" || len(mistake.Message) > 1000 {
				t.Fatalf("%v", err)
			}
		} else {
			_ = s.String()
			checkGoingOn(t, s, time.Unix(from%(300*365*24*3600), 0))
		}
		if took := time.Since(began); took > time.Minute { // a moment, where nothing is wrong
			t.Fatalf("took %s", took)
		}
	})
}

// checkGoingOn asks for due times from t on.
func checkGoingOn(t *testing.T, s *Schedule, at time.Time) {
	t.Helper()
	var before Due
	for range 5 {
		due, ok := s.Next(at)
		if !ok {
			return
		}
		switch between := at.Add(due.Nominal.Sub(at) / 2); {
		case !due.Nominal.After(at):
			t.Fatalf("after %s: due %s", at, due.Nominal)
		case due.At.Before(due.Nominal), due.At.Sub(due.Nominal) >= max(1, s.options.Jitter):
			t.Fatalf("due %s, starts %s", due.Nominal, due.At)
		case !before.At.Before(due.Nominal):
			t.Fatalf("starts %s, but is due again %s", before.At, due.Nominal)
		default:
			for _, asked := range []time.Time{due.Nominal.Add(-1), between} {
				if again, ok := s.Next(asked); !ok || again != due {
					t.Fatalf("after %s: %v, but after %s: %v", at, due, asked, again)
				}
			}
		}
		at, before = due.Nominal, due
	}
}

// TestNeverIsFoundSoon: the calendar is gone through once.
func TestNeverIsFoundSoon(t *testing.T) {
	for _, cron := range []string{"0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30W,31W,30W,31W,30W,31W,30W,31W,30W,31W,30W,31W,30W,31W,30W,31W,30W,31W 2 *", "0 0 31W,31W,31W,31W,31W,31W,31W,31W,31W,31W,31W,31W 2,4,6,9,11 *"} {
		t.Run(cron, func(t *testing.T) {
			began := time.Now()
			if _, err := New(Options{Cron: cron, Zone: zone(t, "Africa/Casablanca")}, ""); err == nil {
				t.Error("it is due")
			}
			if took := time.Since(began); took > time.Minute { // a moment, where nothing is wrong
				t.Errorf("took %s", took)
			}
		})
	}
}

// BenchmarkNext asks 1,000 schedules for their next due times.
func BenchmarkNext(b *testing.B) {
	for _, bench := range []struct {
		name string
		o    Options
	}{
		{"daily", Options{Cron: "%d 3 * * *"}},
		{"daily with jitter", Options{Cron: "%d 3 * * *", Jitter: time.Hour}},
		{"monthly", Options{Cron: "%d 3 1 * *"}},
		{"leap day", Options{Cron: "%d 3 29 2 *"}},
		{"every", Options{Cron: "@every 1%dm"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var all [1000]*Schedule
			for i := range all {
				o := bench.o
				o.Cron, o.Zone = fmt.Sprintf(o.Cron, i%60), zone(b, "Europe/Berlin")
				all[i] = newSchedule(b, o)
			}
			now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range all {
					if _, ok := s.Next(now); !ok {
						b.Fatal("not due")
					}
				}
			}
		})
	}
}

// BenchmarkNew reads a schedule, as for each job file.
func BenchmarkNew(b *testing.B) {
	o := Options{Cron: "0 3 * * mon-fri", Zone: zone(b, "Europe/Berlin"), Jitter: time.Hour}
	b.ReportAllocs()
	for b.Loop() {
		newSchedule(b, o)
	}
}
