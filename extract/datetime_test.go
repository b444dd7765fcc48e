package extract

import (
	"strings"
	"testing"
	"time"
)

// fetched is the time from which the cases count: a Wednesday.
var fetched = time.Date(2026, 11, 4, 12, 0, 0, 0, time.FixedZone("", 3600))

var india = time.FixedZone("", 5*3600+1800)

func TestDateTime(t *testing.T) {
	check(t, "datetime", func(f found) (string, error) { return parseDateTime(f.text, f.language, fetched, india) })
}

func TestDateTimeWithoutOptions(t *testing.T) {
	noLanguage := func() string { return "" }
	got, err := parseDateTime("2026-11-03 16:05", noLanguage, time.Time{}, nil)
	if want := "2026-11-03T16:05:00Z"; err != nil || got != want {
		t.Errorf("no zone: got %s, %v, want %s", got, err, want)
	}
	if got, err := parseDateTime("5 minutes ago", noLanguage, time.Time{}, nil); err == nil {
		t.Errorf("no now: got %s", got)
	}
	if got, err := parseDateTime("2026-11-03 16:05"+strings.Repeat(" ", longestWriting), noLanguage, time.Time{}, nil); err == nil {
		t.Errorf("too long: got %s", got)
	}
}

// TestDateTimeAgreesWithDate checks that a text with a date and a time keeps
// its date, for all cases of both.
func TestDateTimeAgreesWithDate(t *testing.T) {
	for _, c := range textCases(t, "datetime") {
		language := func() string { return c.lang }
		day, err := parseDate(c.text, language)
		if err != nil || c.want == "problem" || strings.Contains(c.text, "T24:") {
			continue
		}
		if !strings.HasPrefix(c.want, day) {
			t.Errorf("%q: date %s, time %s", c.text, day, c.want)
		}
	}
}

// FuzzDateTime checks that every time read is one of RFC 3339.
func FuzzDateTime(f *testing.F) {
	for _, folder := range []string{"datetime", "date", "relative"} {
		for _, c := range textCases(f, folder) {
			f.Add(c.text, c.lang)
		}
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		v, err := parseDateTime(text, func() string { return lang }, fetched, india)
		if err != nil {
			return
		}
		if d, err := time.Parse(time.RFC3339Nano, v); err != nil || d.Format(time.RFC3339Nano) != v {
			t.Fatalf("%q: %v, %v", text, v, err)
		}
	})
}
