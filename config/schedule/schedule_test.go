package schedule

import (
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

// stamp is how due times are written in tests: with the offset.
const stamp = "2006-01-02 15:04:05 -0700"

// TestDue lists the due times after a time, which is by the zone's clock.
func TestDue(t *testing.T) {
	for _, test := range []struct {
		name, zone, cron, after string
		want                    []string
	}{
		{"a fixed time that is leapt over", "Europe/Berlin", "30 2 * * *", "2026-03-28 12:00:00 +0100",
			[]string{"2026-03-29 03:00:00 +0200", "2026-03-30 02:30:00 +0200"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := New(Options{Cron: test.cron, Zone: zone(t, test.zone)}, "")
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(stamp, test.after)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range test.want {
				due, ok := s.Next(at)
				if got := due.Nominal.Format(stamp); !ok || got != want {
					t.Fatalf("after %s: %s, %v, want %s", at, got, ok, want)
				}
				at = due.Nominal
			}
		})
	}
}
