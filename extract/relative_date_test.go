package extract

import (
	"strings"
	"testing"
	"time"
)

func TestRelative(t *testing.T) {
	check(t, "relative", func(f found) (string, error) {
		v, precise, ok := parseRelative(f.text, fetched)
		switch {
		case !ok:
			return "", errDate
		case precise:
			return v.Format("2006-01-02T15:04:05"), nil
		}
		return "day " + v.Format(time.DateOnly), nil
	})
}

// TestDateAt checks that the date of what counts from now is its day, and
// that a date is read as without now.
func TestDateAt(t *testing.T) {
	for _, c := range textCases(t, "relative") {
		if c.want == "problem" {
			continue
		}
		want, _, _ := strings.Cut(strings.TrimPrefix(c.want, "day "), "T")
		if got, err := parseDateAt(c.text, func() string { return c.lang }, fetched); err != nil || got != want {
			t.Errorf("%q: got %s, %v, want %s", c.text, got, err, want)
		}
	}
	for _, c := range textCases(t, "date") {
		if c.want == "problem" {
			continue
		}
		if got, err := parseDateAt(c.text, func() string { return c.lang }, fetched); err != nil || got != c.want {
			t.Errorf("%q: got %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}

func TestRelativeByLanguage(t *testing.T) {
	for _, c := range []struct{ text, lang, want string }{
		{"hier um drei", "de", ""}, {"publié hier par Jean", "fr", "2026-11-03"}, {"ma 10:00", "hu", "2026-11-04"}, {"ma non troppo", "it", ""},
		{"Morgen geht es los", "de", "2026-11-05"}, {"heute Morgen 9 Uhr", "de", "2026-11-04"}, {"om 2 timmar", "sv", "2026-11-04"}, {"pre 2 godine", "sr", "2024-11-04"},
	} {
		t.Run(c.lang+"/"+c.text, func(t *testing.T) {
			got, err := parseDateAt(c.text, func() string { return c.lang }, fetched)
			if got != c.want {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

// TestRelativeMonthEnd checks that a day that a month doesn't have is its
// last.
func TestRelativeMonthEnd(t *testing.T) {
	for _, c := range []struct{ now, text, want string }{
		{"2026-03-31", "1 month ago", "2026-02-28"}, {"2024-02-29", "1 year ago", "2023-02-28"}, {"2026-05-31", "in 1 month", "2026-06-30"}, {"2026-01-01", "yesterday", "2025-12-31"},
	} {
		t.Run(c.text+" from "+c.now, func(t *testing.T) {
			now, _ := time.Parse(time.DateOnly, c.now)
			if got, _, ok := parseRelative(c.text, now); !ok || got.Format(time.DateOnly) != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}

// TestUnitWords checks that no word is listed for two units.
func TestUnitWords(t *testing.T) {
	seen := map[string]timeUnit{}
	for u, words := range unitWords {
		for w := range strings.FieldsSeq(words) {
			if other, ok := seen[w]; ok && other != u {
				t.Errorf("%s is of two units", w)
			}
			seen[w] = u
		}
	}
}
