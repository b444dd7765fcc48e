package schedule

import (
	"strconv"
	"strings"
	"time"
)

// every is the multiples of a duration of whole seconds, from origin.
type every struct {
	interval time.Duration
	origin   time.Time
}

func (e every) next(t time.Time) (time.Time, bool) {
	// In seconds: in nanoseconds, 300 years would not fit.
	interval := int64(e.interval / time.Second)
	passed := t.Unix() - e.origin.Unix()
	n := passed / interval
	if passed%interval < 0 {
		n--
	}
	next := time.Unix(e.origin.Unix()+n*interval, int64(e.origin.Nanosecond()))
	for !next.After(t) {
		next = next.Add(e.interval)
	}
	return next, true
}

// parseEvery reads what follows "@every": a duration such as 90m, 1h30m or 2d.
func parseEvery(text string) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	days, rest, found := strings.Cut(text, "d")
	if !found {
		d, err := time.ParseDuration(text)
		return d, err == nil
	}
	n, err := strconv.ParseUint(days, 10, 16)
	d := time.Duration(n) * 24 * time.Hour
	if err != nil || rest == "" {
		return d, err == nil
	}
	more, err := time.ParseDuration(rest)
	return d + more, err == nil && more >= 0 && d+more >= d
}
