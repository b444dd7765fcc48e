package extract

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

var (
	errNoTime   = errors.New("has no time of day: type date reads the day alone")
	errTwoTimes = errors.New("has more than one time: say which with a regex or a closer selector")
	errDateTime = errors.New("is no date with a time of day")
)

// parseDateTime reads a date with a time of day and returns it as RFC 3339
// has it: 2006-01-02T15:04:05+01:00. The date is one that parseDate reads, or
// one that counts from now, the time when the page was fetched; a zero now
// reads nothing of the kind. The time has 24 hours or am and pm, or is what
// counts from now: 5 minutes ago. Figures alone are seconds or milliseconds
// since 1970 (10 or 13 of them), or year to second (14).
//
// The offset is the text's (Z, +01:00, GMT+1, CET), else that of zone, or of
// UTC where zone is nil. Abbreviations count in capitals, and with those that
// several zones have, the language of the element decides.
//
// A date without a time is none, and so is text with two times.
//
// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
func parseDateTime(s string, language func() string, now time.Time, zone *time.Location) (string, error) {
	if zone == nil {
		zone = time.UTC
	}
	if t, ok := machineTime(strings.TrimSpace(s), zone); ok {
		return rfc3339(t)
	}
	p, err := findDates(s, language)
	if err != nil {
		return "", err
	}
	clock, err := p.theClock()
	if err != nil {
		return "", err
	}
	date, err := p.theDate()
	switch {
	case err == errDate && !now.IsZero():
		return p.relativeDateTime(clock, now.In(zone))
	case err == errDate:
		return "", errDateTime
	case err != nil:
		return "", err
	case clock == nil:
		return "", errNoTime
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return "", err
	}
	return rfc3339(clock.on(day, zone))
}

// relativeDateTime reads a time that counts from now.
func (p *dateParser) relativeDateTime(c *clock, now time.Time) (string, error) {
	r, err := p.relative()
	if err == errDate {
		return "", errDateTime
	} else if err != nil {
		return "", err
	}
	t, precise := r.from(now)
	switch {
	case precise && c == nil:
		return rfc3339(t.Truncate(time.Second))
	case precise:
		return "", errTwoTimes
	case c == nil:
		return "", errNoTime
	}
	return rfc3339(c.on(t, now.Location()))
}

// rfc3339 writes t as long as its year has four digits.
func rfc3339(t time.Time) (string, error) {
	if t.Year() < 0 || t.Year() > 9999 {
		return "", errDateTime
	}
	return t.Format(time.RFC3339Nano), nil
}

// machineTime reads a time of figures alone: Unix time in seconds or
// milliseconds, and 20060102150405.
func machineTime(s string, zone *time.Location) (time.Time, bool) {
	if strings.Trim(s, "0123456789") != "" || len(s) > 14 {
		return time.Time{}, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	switch len(s) {
	case 10:
		return time.Unix(n, 0).In(zone), true
	case 13:
		return time.UnixMilli(n).In(zone), true
	case 14:
		t, err := time.ParseInLocation("20060102150405", s, zone)
		return t, err == nil && t.Year() >= 1800 && t.Year() <= 2200
	}
	return time.Time{}, false
}
