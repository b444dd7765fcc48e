package fetch

import (
	"net/http"
	"strings"
	"time"
)

// MaxRetryAfter is the longest time that RetryAfter tells.
const MaxRetryAfter = 24 * time.Hour

// RetryAfter reads the Retry-After field of a response that came at now: how
// long the server wants to be left alone (RFC 9110, section 10.2.3), between 0
// and MaxRetryAfter. ok is false if there is no such field or it has no
// meaning.
//
// A date is taken against the response's own Date, where it has one: the
// server's clock may be wrong, but it is the same clock.
func RetryAfter(h http.Header, now time.Time) (wait time.Duration, ok bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if strings.Trim(value, "0123456789") == "" {
		for i := range len(value) {
			if wait = wait*10 + time.Duration(value[i]-'0')*time.Second; wait >= MaxRetryAfter {
				return MaxRetryAfter, true
			}
		}
		return wait, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), 0), MaxRetryAfter), true
}
