package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/crawl/robots"
	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/weburl"
)

// MaxRedirects is how many hops are followed from one link.
const MaxRedirects = 10

// fetcher is a fetch worker: it asks robots.txt and sends one request at a
// time. It belongs to one goroutine.
type fetcher struct {
	*session
	worker   *fetch.Worker
	sitemaps *fetch.Worker     // with the limit of their protocol
	rules    *fetch.Worker     // for robots.txt, likewise
	lesson   chan *HostState   // see answer.lesson
	last     exchange          // the last request
	response *fetch.Response   // its answer, if that is one of a page
	asides   []*fetch.Response // answers to be archived besides
}

func (s *session) newFetcher(t *http.Transport) *fetcher {
	return &fetcher{
		session:  s,
		worker:   s.newWorker(t, s.opts.Limits.Body),
		sitemaps: s.newWorker(t, max(s.opts.Limits.Body, sitemap.MaxSize)),
		rules:    s.newWorker(t, robots.MaxSize+1), // the parser sees that there was more
		lesson:   make(chan *HostState, 1),
	}
}

func (s *session) newWorker(t *http.Transport, bodyLimit int64) *fetch.Worker {
	return fetch.NewWorker(t, fetch.Options{
		UserAgent: s.opts.Politeness.UserAgent,
		BodyLimit: bodyLimit,

		LargeBodies: s.largeBodies,
		KeepRaw:     s.archive != nil,
	})
}

// fetchLoop works on jobs until there are no more.
func (s *session) fetchLoop(ctx context.Context, f *fetcher) {
	for {
		s.idle <- struct{}{}
		j, ok := <-s.jobs
		if !ok {
			return
		}
		s.inFlight.Add(1)
		f.last, f.response, f.asides = exchange{delay: j.delay}, nil, nil
		v, a := f.guardedVisit(ctx, j)
		v.asides = f.asides
		s.inFlight.Add(-1)
		if ctx.Err() != nil {
			return // what was in flight stays pending
		}
		a.host, a.turn, a.grant, a.lesson = j.Host, j.turn, j.grant, f.lesson
		a.sent, a.took, a.size = f.last.sent, f.last.took, f.last.size
		select {
		case s.answers <- a:
			v.Host = <-f.lesson
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
			if f.response != nil {
				f.response.Release()
			}
			v = &Visit{Request: j.Request}
			v.failPanic(p)
		}
	}()
	return f.visit(ctx, j)
}

// visit makes of a job what can be made without looking into the body.
func (f *fetcher) visit(ctx context.Context, j job) (*Visit, answer) {
	v := &Visit{Request: j.Request}
	if f.settled(ctx, j, v) {
		return v, answer{unsent: true}
	}
	verdict := f.robots.ask(ctx, f.getRobots, j.URL)
	v.Robots = verdict.fetched
	a := answer{ruled: verdict.err == nil, crawlDelay: verdict.crawlDelay}
	switch {
	case verdict.err != nil:
		a.failed, a.unsent, a.closed = true, verdict.fetched == nil, verdict.retryAt
		a.private = !verdict.fetched.hostFailed()
		f.budgets.pass(&j.Request)
		f.retry(v, ReasonRobotsUnreachable, verdict.err.Error(), verdict.retryAt.Sub(f.now()))
		return v, a
	case !verdict.allowed:
		v.State, v.Reason, v.Detail = Skipped, ReasonRobots, "robots.txt: "+verdict.rule
		a.unsent = verdict.fetched == nil
		return v, a
	case verdict.fetched != nil && max(j.delay, verdict.crawlDelay) > 0:
		return v, a // the delay comes first
	}
	header, send := f.onRequest(v)
	if !send {
		a.unsent = verdict.fetched == nil
		return v, a
	}
	if limit := f.budgets.take(&j.Request); limit != "" {
		v.State, v.Reason, v.Detail = Skipped, ReasonBudget, limit
		a.unsent = verdict.fetched == nil
		return v, a
	}
	if j.Depth == 0 && j.Kind == PageKind && f.opts.Sitemaps.FromRobots {
		v.Links = f.sitemapLinks(verdict.sitemaps)
	}
	if f.login != nil && f.login.expired.Load() {
		if err := f.logIn(ctx); err != nil {
			f.retry(v, ReasonLoggedOut, err.Error(), 0)
			return v, a
		}
	}
	return v, f.exchange(ctx, j, v, a, header)
}

// settled tells whether nothing is to be asked for the job, and makes of the
// visit what it is then.
func (f *fetcher) settled(ctx context.Context, j job, v *Visit) bool {
	if j.down {
		v.fail(ReasonHostDown, fmt.Sprintf("no good answer from %s in %d tries, the next run asks again", j.Host, deadAfter))
		return true
	}
	if reason := f.unwanted(j.Request); reason != "" {
		v.State, v.Reason = Skipped, reason
		return true
	}
	if reason, detail := f.trapped(&j.Request); reason != "" {
		v.State, v.Reason, v.Detail = Skipped, reason, detail
		return true
	}
	return !f.due(j.Request, f.now()) && f.rest(ctx, v)
}

// exchange sends the job's request and makes of the response a visit. It adds
// to a what the host taught.
func (f *fetcher) exchange(ctx context.Context, j job, v *Visit, a answer, header http.Header) answer {
	condition := f.condition(j.Request)
	worker := f.worker
	if j.Kind == SitemapKind {
		worker = f.sitemaps
	}
	resp, err := f.send(ctx, worker, j.URL, withHeader(f.headerOf(j.Request, condition), header))
	if err != nil {
		a.failed = f.failed(v, err)
		return a
	}
	v.response, f.response = resp, resp
	v.Page = &Page{
		FetchedAt:   resp.FetchedAt,
		Duration:    resp.Duration,
		Status:      resp.Status,
		Header:      resp.Header,
		ContentType: resp.ContentType,
		Body:        resp.Body,
		Truncated:   resp.Truncated || resp.Broken,
		Warnings:    resp.Warnings,
	}
	if resp.Status == http.StatusPartialContent {
		v.Page.Truncated = true
		v.Page.Warnings = append(v.Page.Warnings, "206 Partial Content: a part of the page, which nobody asked for")
	}
	f.received(j.Request, v.Page)
	if overloaded(resp.Status) {
		a.failed, a.overloaded = true, true
		a.retryAfter, _ = fetch.RetryAfter(resp.Header, time.Now())
	}
	if resp.Status == http.StatusNotModified {
		f.notModified(ctx, v, condition)
	}
	v.etag, v.lastModified = validators(v.Page, len(resp.Warnings) == 0)
	f.judge(v, resp, a.retryAfter)
	return a
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
	case status >= 200 && status < 300, v.Page.NotModified:
		v.State = Done
	case status == http.StatusNotModified:
		f.retry(v, reason, "304 Not Modified where that cannot be", 0)
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
	case u.String() == r.URL && f.cookies != nil && !r.Away && len(resp.Header["Set-Cookie"]) > 0:
		f.retry(v, ReasonBadRedirect, fmt.Sprintf("%d points to the page itself, with a cookie", resp.Status), 0)
		return
	case u.String() == r.URL:
		v.fail(ReasonBadRedirect, fmt.Sprintf("%d points to the page itself", resp.Status))
		return
	}
	if r.Kind == PageKind && r.Depth == 0 {
		f.scope.extend(u)
	}
	target := f.exactLink(u, r.Kind, r.Depth)
	target.Redirects = r.Redirects + 1
	target.Away = r.Away || !sameOrigin(r.URL, u)
	if target.Redirects > MaxRedirects && target.Skip == "" {
		target.Skip = ReasonRedirects
	}
	v.State = Done
	v.Page.Location = target.URL
	v.Links = append(v.Links, target)
}

// retry puts the visit's URL back, or gives it up once it was tried often
// enough. after is the least time to wait.
func (s *session) retry(v *Visit, reason Reason, detail string, after time.Duration) {
	if v.Request.Attempts >= s.opts.Retry.Times {
		v.fail(reason, detail)
		return
	}
	pause := backoff(s.opts.Retry.Delay, v.Request.Attempts+1, maxBackoff)
	v.State, v.Reason, v.Detail = Pending, reason, detail
	v.RetryAt = s.now().Add(max(pause, min(after, MaxRetryAfter)))
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
