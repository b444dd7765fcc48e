package article

import (
	"strings"
	"time"
)

// layouts of dates that machines write, and whether they tell a moment: a time with its zone.
var layouts = []struct {
	layout string
	moment bool
}{
	{"2006-01-02T15:04:05Z07:00", true},
	{"2006-01-02T15:04:05Z0700", true},
	{"2006-01-02T15:04:05Z07", true},
	{"2006-01-02T15:04Z07:00", true},
	{"2006-01-02T15:04Z0700", true},
	{"2006-01-02 15:04:05Z07:00", true},
	{"2006-01-02 15:04:05 Z07:00", true},
	{"2006-01-02 15:04:05Z0700", true},
	{"2006-01-02 15:04:05 Z0700", true},
	{time.RFC1123Z, true},
	{time.RFC1123, false}, // a zone's name tells nothing for sure
	{"2006-01-02", false},
	{"2006/01/02", false},
	{"2006/1/2", false},
	{"20060102", false},
	{"02.01.2006", false}, // a day goes before a month where a dot parts them
	{"2.1.2006", false},
	{"January 2, 2006", false},
	{"Jan 2, 2006", false},
	{"Jan. 2, 2006", false},
	{"2 January 2006", false},
	{"2 Jan 2006", false},
	{"Mon, 02 Jan 2006", false},
}

// formatDate writes a moment as RFC 3339 and any other date as 2006-01-02. It
// returns "" for what is neither.
//
// https://www.rfc-editor.org/rfc/rfc3339
func formatDate(s string) string {
	if s = strings.TrimSpace(s); len(s) < 8 || len(s) > 64 {
		return ""
	}
	for _, l := range layouts {
		if t, err := time.Parse(l.layout, s); err == nil {
			return writeDate(t, l.moment)
		}
	}
	// A time without a zone tells the day.
	if len(s) > 10 && (s[10] == 'T' || s[10] == ' ' || s[10] == ',') {
		for _, layout := range []string{"2006-01-02", "2006/01/02", "02.01.2006"} {
			if t, err := time.Parse(layout, s[:10]); err == nil {
				return writeDate(t, false)
			}
		}
	}
	return ""
}

func writeDate(t time.Time, moment bool) string {
	switch {
	case t.Year() < 1000:
		return ""
	case moment:
		return t.Format(time.RFC3339)
	}
	return t.Format(time.DateOnly)
}
