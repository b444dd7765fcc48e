package structured

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// dateValue reads a dt- property.
//
// https://microformats.org/wiki/microformats2-parsing#parsing_a_dt-_property
func (m *microformats) dateValue(n *html.Node) string {
	f := m.top()
	s, ok := m.patternDate(n)
	if !ok {
		s, ok = m.datetime(n)
	}
	if !ok && n.Data != "link" {
		s, ok = m.textAttr(n)
	}
	if !ok {
		s = m.text(n, true)
	}
	if date := datePart.FindString(s); date != "" {
		f.date = strings.Clone(date)
	} else if clock, ok := clockTime(s); ok && f.date != "" {
		return f.date + " " + clock // https://microformats.org/wiki/value-class-pattern#microformats2_parsers
	}
	return s
}

// datetime reads the attribute of the elements that have it.
func (m *microformats) datetime(n *html.Node) (string, bool) {
	switch n.Data {
	case "time", "ins", "del":
		if hasAttr(n, "datetime") {
			return attrText(n, "datetime", &m.budget), true
		}
	}
	return "", false
}

// patternDate joins a date, a time and a time zone that are parts of a value,
// the first of each.
//
// https://microformats.org/wiki/value-class-pattern#Date_and_time_parsing
func (m *microformats) patternDate(n *html.Node) (string, bool) {
	parts := m.pattern(n)
	if len(parts) == 0 {
		return "", false
	}
	var date, clock, zone string
	for _, p := range parts {
		s, ok := m.datetime(p)
		if !ok {
			s = m.part(p)
		}
		if d := datePart.FindString(s); d == s && date == "" {
			date = s
		} else if c, ok := clockTime(s); ok && clock == "" {
			clock = c
		} else if zonePart.MatchString(s) && zone == "" {
			zone = s
		} else if d != "" && d != s {
			return s, true // all in one
		}
	}
	if clock != "" {
		if date == "" {
			date = m.top().date
		}
		clock += zone
	}
	s := strings.Trim(date+" "+clock, " ")
	return s, s != ""
}

var (
	datePart = regexp.MustCompile(`^\d{4}-(?:\d{2}-\d{2}|\d{3}|\d{2})`)
	zonePart = regexp.MustCompile(`^(?:Z|[+-]\d{1,2}:?(?:\d{2})?)$`)
	timePart = regexp.MustCompile(`(?i)^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*([ap])?\.?(m)?\.?(Z|[+-]\d{1,2}:?(?:\d{2})?)?$`)
)

// clockTime reads a time of day, and returns that of 24 hours.
func clockTime(s string) (string, bool) {
	const longest = 24 // of what can be a time
	if len(s) > longest {
		return "", false
	}
	part := timePart.FindStringSubmatch(s)
	if part == nil || part[2] == "" && part[4] == "" || (part[4] == "") != (part[5] == "") {
		return "", false
	}
	hour, _ := strconv.Atoi(part[1])
	switch strings.ToLower(part[4]) {
	case "a":
		hour %= 12
	case "p":
		hour = hour%12 + 12
	}
	minute := part[2]
	if minute == "" {
		minute = "00"
	}
	clock := fmt.Sprintf("%02d:%s", hour, minute)
	if part[3] != "" {
		clock += ":" + part[3]
	}
	return clock + part[6], true
}
