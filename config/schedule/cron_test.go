package schedule

import (
	"fmt"
	"testing"

	"github.com/netresearch/go-cron"
)

// TestRanges reads each range of each field, with steps.
func TestRanges(t *testing.T) {
	for _, field := range []struct {
		name        string
		cron        string
		least, most int
		bits        func(*cron.SpecSchedule) uint64
	}{
		{"second", "%s * * * * *", 0, 59, func(s *cron.SpecSchedule) uint64 { return s.Second }},
		{"minute", "%s * * * *", 0, 59, func(s *cron.SpecSchedule) uint64 { return s.Minute }},
		{"hour", "* %s * * *", 0, 23, func(s *cron.SpecSchedule) uint64 { return s.Hour }},
		{"day", "* * %s * *", 1, 31, func(s *cron.SpecSchedule) uint64 { return s.Dom }},
		{"month", "* * * %s *", 1, 12, func(s *cron.SpecSchedule) uint64 { return s.Month }},
		{"weekday", "* * * * %s", 0, 6, func(s *cron.SpecSchedule) uint64 { return s.Dow }},
	} {
		t.Run(field.name, func(t *testing.T) {
			for from := field.least; from <= field.most; from += 1 + field.most/30 {
				for to := field.least; to <= field.most; to++ {
					for step := 1; step < 4; step++ {
						var want uint64
						n := field.most - field.least + 1
						length := (to-from+n)%n + 1
						for i := 0; i < length; i += step {
							want |= 1 << ((from-field.least+i)%n + field.least)
						}
						text := fmt.Sprintf("%d-%d/%d", from, to, step)
						e, err := newExpression(fmt.Sprintf(field.cron, text))
						refused := step > 1 && step >= length || field.name == "weekday" && from > to
						switch {
						case err != nil && !refused:
							t.Fatalf("%s: %s", text, err)
						case err == nil && refused:
							t.Fatalf("%s is not refused", text)
						case err == nil && field.bits(&e.readings) != want:
							t.Fatalf("%s: %b, want %b", text, field.bits(&e.readings), want)
						}
					}
				}
			}
		})
	}
}

// TestSunday is both 0 and 7, in ranges too.
func TestSunday(t *testing.T) {
	for text, want := range map[string]uint64{
		"7": 1, "0": 1, "sun": 1, "5-7": 0b1100001, "7-1": 0b11, "sat-sun": 0b1000001, "0-7": 0b1111111, "fri-mon": 0b1100011, "4-7/3": 0b10001,
	} {
		t.Run(text, func(t *testing.T) {
			e, err := newExpression("0 0 * * " + text)
			if err != nil {
				t.Fatal(err)
			}
			if e.readings.Dow != want {
				t.Errorf("%b, want %b", e.readings.Dow, want)
			}
		})
	}
}
