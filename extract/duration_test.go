package extract

import (
	"strings"
	"testing"
)

func TestDuration(t *testing.T) {
	check(t, "duration", func(f found) (string, error) { return parseDuration(f.text) })
}

// TestDurationTwice checks that a duration read is read as itself.
func TestDurationTwice(t *testing.T) {
	for _, c := range textCases(t, "duration") {
		if c.want == "problem" {
			continue
		}
		if again, err := parseDuration(c.want); err != nil || again != c.want {
			t.Errorf("%s became %s, %v", c.want, again, err)
		}
	}
}

// FuzzDuration checks that every duration read is one of ISO 8601, and is
// read as itself.
func FuzzDuration(f *testing.F) {
	for _, c := range textCases(f, "duration") {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDuration(text)
		if err != nil {
			return
		}
		if !isoDuration.MatchString(d) || strings.HasSuffix(d, "T") {
			t.Fatalf("%q: %s", text, d)
		}
		if again, err := parseDuration(d); err != nil || again != d {
			t.Fatalf("%q: %s became %s, %v", text, d, again, err)
		}
	})
}
