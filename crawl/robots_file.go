package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
)

// Bounds of RFC 9309: https://www.rfc-editor.org/rfc/rfc9309#section-2.3
const (
	maxRobotsRedirects = 5
	maxRobotsLifetime  = 24 * time.Hour
)

// minRobotsLifetime is for servers that forbid caching: nobody wants
// robots.txt to be asked for before each page.
const minRobotsLifetime = 5 * time.Minute

// getter sends a request, see fetch.Worker.Get. led says that a redirect leads
// to the URL, perhaps one of another origin.
type getter func(ctx context.Context, url string, led bool) (*fetch.Response, error)

// fetchRobots gets a robots.txt as RFC 9309 reads its answers: 2xx is parsed,
// 4xx allows all, anything else is an error, which disallows all.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
func fetchRobots(ctx context.Context, get getter, origin string) *RobotsFile {
	f := &RobotsFile{Origin: origin}
	at := origin + "/robots.txt"
	for hop := range maxRobotsRedirects + 1 {
		resp, err := get(ctx, at, hop > 0)
		if e, ok := errors.AsType[*fetch.Error](err); ok && e.Reason == fetch.ReasonRedirect {
			f.Expires = time.Now().Add(maxRobotsLifetime)
			return f // to nowhere: there is none
		}
		if err != nil {
			f.Status, f.Err = 0, fmt.Sprintf("get %s: %v", at, err)
			return f
		}
		f.Status = resp.Status
		f.Expires = resp.FetchedAt.Add(robotsLifetime(resp.Header))
		switch {
		case resp.Status >= 200 && resp.Status < 300:
			f.Body = resp.Body
			return f
		case redirects(resp.Status) && resp.Location != "":
			at = resp.Location
		case resp.Status >= 300 && resp.Status < 500 && !overloaded(resp.Status):
			return f
		default:
			f.Err = fmt.Sprintf("get %s: status %d", at, resp.Status)
			wait, _ := fetch.RetryAfter(resp.Header, time.Now())
			f.Expires = resp.FetchedAt.Add(min(wait, MaxRetryAfter))
			return f
		}
	}
	return f // more redirects than that count as unavailable
}

// robotsLifetime is how long an answer is good for: a day, or for as long as
// its Cache-Control says if that is less.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.4
func robotsLifetime(h http.Header) time.Duration {
	for directive := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return minRobotsLifetime
		case "max-age":
			seconds, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 31)
			if err == nil {
				return min(max(time.Duration(seconds)*time.Second, minRobotsLifetime), maxRobotsLifetime)
			}
		}
	}
	return maxRobotsLifetime
}

// expire sets when the file is to be asked for again, given what it was
// before.
func (f *RobotsFile) expire(last *RobotsFile, now time.Time, first time.Duration) {
	if f.Err == "" {
		f.Expires = now.Add(min(max(f.Expires.Sub(now), minRobotsLifetime), maxRobotsLifetime))
		return
	}
	f.Failures = 1
	if last != nil {
		f.Failures += last.Failures
	}
	f.Expires = latest(f.Expires, now.Add(backoff(first, f.Failures, maxBackoff)))
}

// fresh says that a stored file need not be asked for at now. One that was
// fetched in the future or is good for too long was written by a clock that
// was wrong.
func (f *RobotsFile) fresh(now time.Time) bool {
	longest := maxRobotsLifetime
	if f.Err != "" {
		longest = MaxRetryAfter
	}
	left := f.Expires.Sub(now)
	return left > 0 && left <= longest && !f.FetchedAt.After(now.Add(time.Minute))
}

// hostFailed says that it could not be had because the host is not there, or
// has too much to do; what else went wrong is about this file. f may be nil.
func (f *RobotsFile) hostFailed() bool {
	return f != nil && f.Err != "" && (f.Status == 0 || overloaded(f.Status))
}

// unreachable is why the file could not be had, nil if it could.
func (f *RobotsFile) unreachable() error {
	if f.Err == "" {
		return nil
	}
	return errors.New(f.Err)
}
