package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/crawl/weburl"
)

// MaxRedirects is how many hops are followed from one link.
const MaxRedirects = 10

// fetcher is a fetch worker: it asks robots.txt and sends one request at a
// time. It belongs to one goroutine.
type fetcher struct {
	*session
	worker *fetch.Worker
}

func (s *session) newFetcher(t *http.Transport) *fetcher {
	return &fetcher{s, fetch.NewWorker(t, fetch.Options{
		UserAgent: s.opts.Politeness.UserAgent,
		BodyLimit: s.opts.Limits.Body,
	})}
}

// fetchLoop works on jobs until there are no more.
func (s *session) fetchLoop(ctx context.Context, f *fetcher) {
	for j := range s.jobs {
		s.inFlight.Add(1)
		v, a := f.guardedVisit(ctx, j)
		s.inFlight.Add(-1)
		if ctx.Err() != nil {
			return // what was in flight stays pending
		}
		a.host = j.Host
		select {
		case s.answers <- a:
		case <-ctx.Done():
			return
		}
		select {
		case s.responses <- v:
		case <-ctx.Done():
			return
		}
	}
}

// guardedVisit is visit; a panic costs the URL and no more.
func (f *fetcher) guardedVisit(ctx context.Context, j job) (v *Visit, a answer) {
	defer func() {
		if p := recover(); p != nil {
			v = &Visit{Request: j.Request}
			v.failPanic(p)
		}
	}()
	return f.visit(ctx, j)
}

// visit makes of a job what can be made without looking into the body.
func (f *fetcher) visit(ctx context.Context, j job) (*Visit, answer) {
	v := &Visit{Request: j.Request}
	if j.down {
		v.fail(ReasonHostDown, fmt.Sprintf("no good answer from %s in %d tries, the next run asks again", j.Host, deadAfter))
		return v, answer{unsent: true}
	}
	verdict := f.robots.ask(ctx, f.worker, j.URL)
	a := answer{crawlDelay: verdict.crawlDelay}
	switch {
	case verdict.err != nil:
		a.failed = true
		f.retry(v, ReasonRobotsUnreachable, verdict.err.Error(), time.Until(verdict.retryAt))
		return v, a
	case !verdict.allowed:
		v.State, v.Reason, v.Detail = Skipped, ReasonRobots, "robots.txt: "+verdict.rule
		a.unsent = !verdict.fetched
		return v, a
	}
	if j.Depth == 0 && j.Kind == PageKind && f.opts.Sitemaps.FromRobots {
		v.Links = f.sitemapLinks(verdict.sitemaps)
	}
	header, send := f.onRequest(v)
	if !send {
		a.unsent = !verdict.fetched
		return v, a
	}
	resp, err := f.worker.Get(ctx, j.URL, header)
	if err != nil {
		a.failed = f.failed(v, err)
		return v, a
	}
	v.Page = &Page{
		FetchedAt:   resp.FetchedAt,
		Duration:    resp.Duration,
		Status:      resp.Status,
		Header:      resp.Header,
		ContentType: resp.ContentType,
		Body:        resp.Body,
		Truncated:   resp.Truncated,
		Warnings:    resp.Warnings,
	}
	if overloaded(resp.Status) {
		a.failed, a.overloaded = true, true
		a.retryAfter, _ = fetch.RetryAfter(resp.Header, time.Now())
	}
	f.judge(v, resp, a.retryAfter)
	return v, a
}

// failed makes of a failed exchange a retry or a failure. It reports whether
// the host is to blame.
func (f *fetcher) failed(v *Visit, err error) bool {
	reason, passing := Reason("network"), true
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		reason, passing = Reason(e.Reason), e.Temporary
	}
	if passing {
		f.retry(v, reason, err.Error(), 0)
	} else {
		v.fail(reason, err.Error())
	}
	return passing
}

// judge decides by the status what becomes of a response.
func (f *fetcher) judge(v *Visit, resp *fetch.Response, retryAfter time.Duration) {
	status := resp.Status
	reason := Reason(fmt.Sprintf("http-%d", status))
	detail := fmt.Sprintf("%d %s", status, http.StatusText(status))
	switch {
	case status >= 200 && status < 300:
		v.State = Done
	case redirects(status):
		f.redirect(v, resp)
	case overloaded(status) || status == http.StatusRequestTimeout || status >= 500:
		f.retry(v, reason, detail, retryAfter)
	default:
		v.fail(reason, detail)
	}
}

// redirect turns a hop into a link of its own, so that scope, robots.txt and
// what is known already are asked about each.
func (f *fetcher) redirect(v *Visit, resp *fetch.Response) {
	r := v.Request
	if resp.Location == "" {
		v.fail(ReasonBadRedirect, fmt.Sprintf("%d points to %q, which is no http or https URL", resp.Status, resp.Header.Get("Location")))
		return
	}
	u, err := weburl.Parse(resp.Location)
	switch {
	case err != nil:
		v.fail(ReasonBadRedirect, fmt.Sprintf("%d points to %q: %v", resp.Status, resp.Location, err))
		return
	case u.String() == r.URL:
		v.fail(ReasonBadRedirect, fmt.Sprintf("%d points to the page itself", resp.Status))
		return
	}
	target := f.link(u, r.Kind, r.Depth)
	target.Redirects = r.Redirects + 1
	if target.Redirects > MaxRedirects && target.Skip == "" {
		target.Skip = ReasonRedirects
	}
	v.State = Done
	v.Page.Location = target.URL
	v.Links = append(v.Links, target)
}

// retry puts the visit's URL back, or gives it up once it was tried often
// enough. after is the least time to wait.
func (f *fetcher) retry(v *Visit, reason Reason, detail string, after time.Duration) {
	if v.Request.Attempts >= f.opts.Retry.Times {
		v.fail(reason, detail)
		return
	}
	pause := backoff(f.opts.Retry.Delay, v.Request.Attempts+1, maxBackoff)
	v.State, v.Reason, v.Detail = Pending, reason, detail
	v.RetryAt = time.Now().Add(max(pause, min(after, maxRetryAfter)))
	v.Links = nil
}

// fail gives the visit's URL up.
func (v *Visit) fail(reason Reason, detail string) {
	v.State, v.Reason, v.Detail = Failed, reason, detail
}

// redirects says that a status points elsewhere.
// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
func redirects(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// overloaded says that a status asks to slow down.
func overloaded(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}
