package sitemap

import (
	"strings"
	"time"
)

// timeLayouts are W3C Datetime (https://www.w3.org/TR/NOTE-datetime), the
// dates of RSS without the day of the week (RFC 822, section 5), and what else
// is often found.
var timeLayouts = []string{
	time.RFC3339, "2006-01-02", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
	"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 Z07:00", "2006-01", "2006",
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04 -0700", "2 Jan 06 15:04:05 -0700", "2 Jan 06 15:04 -0700",
}

// zones are the names of time zones (RFC 822, section 5.1). Any other stands
// for UTC, as RFC 5322, section 4.3, asks: package time would take it for what
// it means where the program runs.
var zones = map[string]string{
	"EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600", "PST": "-0800", "PDT": "-0700",
}

// parseTime reads a date, in UTC where it states no zone; zero: not readable.
func parseTime(s string) time.Time {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 64 {
		return time.Time{}
	}
	if day, date, found := strings.Cut(s, ", "); found && isName(day) {
		s = date
	}
	if i := strings.LastIndexByte(s, ' '); isName(s[i+1:]) {
		offset := zones[strings.ToUpper(s[i+1:])]
		if offset == "" {
			offset = "+0000"
		}
		s = s[:i+1] + offset
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// isName tells whether s has nothing but ASCII letters.
func isName(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}
