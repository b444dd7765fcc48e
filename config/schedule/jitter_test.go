package schedule

import (
	"fmt"
	"testing"
	"time"
)

// dues are the next n due times after a time.
func dues(t testing.TB, s *Schedule, after time.Time, n int) []Due {
	t.Helper()
	var list []Due
	for range n {
		d, ok := s.Next(after)
		if !ok {
			t.Fatalf("not due after %s", after)
		}
		list = append(list, d)
		after = d.Nominal
	}
	return list
}

func TestJitter(t *testing.T) {
	const jitter = 10 * time.Minute
	o := Options{Cron: "0 3 * * *", Zone: time.UTC, Jitter: jitter}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	list := dues(t, newSchedule(t, o), start, 1000)
	parts := [10]int{} // of the jitter
	for i, d := range list {
		delay := d.At.Sub(d.Nominal)
		if delay < 0 || delay >= jitter || delay%time.Millisecond != 0 {
			t.Fatalf("%s is put off by %s", d.Nominal, delay)
		}
		parts[delay*10/jitter]++
		if again := dues(t, newSchedule(t, o), d.Nominal.Add(-1), 1)[0]; again != d {
			t.Fatalf("%d: %v, and again %v", i, d, again)
		}
	}
	for i, n := range parts {
		if n < 60 || n > 140 {
			t.Errorf("part %d of the jitter is taken %d times of 1000", i, n)
		}
	}
	other, err := New(o, "another job")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := list[0], dues(t, other, start, 1)[0]; a.Nominal != b.Nominal || a.At == b.At {
		t.Errorf("jobs are due at %v and %v", a, b)
	}
}

// TestNoJitter starts when it is due.
func TestNoJitter(t *testing.T) {
	for _, d := range dues(t, newSchedule(t, Options{Cron: "@hourly"}), time.Now(), 100) {
		if d.At != d.Nominal {
			t.Fatalf("due %s, starts %s", d.Nominal, d.At)
		}
	}
}

// TestJitterOverTheLeap: the due time that is leapt over comes closer to the
// next one than it is on other days.
func TestJitterOverTheLeap(t *testing.T) {
	for seed := range 50 {
		s, err := New(Options{Cron: "0 2 * * *", Zone: zone(t, "Europe/Berlin"), Jitter: 23*time.Hour + 30*time.Minute}, fmt.Sprint(seed))
		if err != nil {
			t.Fatal(err)
		}
		list := dues(t, s, parseTime(t, "2026-03-27 12:00:00 +0100"), 4)
		for i, d := range list[1:] {
			if before := list[i]; !before.At.Before(d.Nominal) {
				t.Errorf("the run due %s starts %s, after the next was due", before.Nominal, before.At)
			}
		}
	}
}
