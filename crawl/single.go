package crawl

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/weburl"
)

// Single is a page that was fetched by itself.
type Single struct {
	URL       string // where it was found in the end
	Redirects []string
	Page
}

// RobotsError says that robots.txt keeps a page from being fetched.
type RobotsError struct {
	URL  string
	Rule string // the line of robots.txt; "": it could not be had, which forbids all
	Err  error  // why it could not be had; nil: it could
}

func (e *RobotsError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: robots.txt could not be had, which forbids all: %s", e.URL, e.Err)
	}
	return fmt.Sprintf("%s is forbidden by robots.txt: %s", e.URL, e.Rule)
}

func (e *RobotsError) Unwrap() error { return e.Err }

// Single fetches one page as the crawl would, wherever it is: asked for from
// robots.txt first, where Politeness.Robots says so, with the same user agent,
// fields, proxies and addresses that may be connected to, and after the login
// if there is one. Redirects are followed, each as a page of its own.
//
// Whatever the server answers is a page; all else is an error, a *RobotsError
// where robots.txt forbids it.
func (c *Crawler) Single(ctx context.Context, rawURL string) (*Single, error) {
	u, err := weburl.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", rawURL, err)
	}
	transport := c.transport()
	defer transport.CloseIdleConnections()
	f := c.singleFetcher().newFetcher(transport)
	p := &Single{URL: u.String()}
	away := false // another origin led here: it is not told who asks
	for loggedIn := false; ; loggedIn = true {
		if err := f.mayFetch(ctx, p.URL); err != nil {
			return nil, err
		}
		if f.login != nil && !loggedIn {
			if err := f.submitLogin(ctx); err != nil {
				return nil, fmt.Errorf("log in at %s: %w", f.login.url, err)
			}
		}
		r, err := f.worker.Get(ctx, p.URL, f.headerOf(Request{URL: p.URL, Away: away}, nil))
		if err != nil {
			return nil, fmt.Errorf("fetch %s: %w", p.URL, err)
		}
		f.takeCookies(u, r.Header)
		if r.Location == "" || r.Location == p.URL {
			p.Page = Page{FetchedAt: r.FetchedAt, Duration: r.Duration, Status: r.Status, Header: r.Header, ContentType: r.ContentType,
				Body: r.Body, Truncated: r.Truncated, Warnings: r.Warnings}
			return p, nil
		}
		r.Release()
		p.Redirects = append(p.Redirects, p.URL)
		if len(p.Redirects) > singleRedirects {
			return nil, fmt.Errorf("fetch %s: it led through more than %d redirects", rawURL, singleRedirects)
		}
		if u, err = weburl.Parse(r.Location); err != nil {
			return nil, fmt.Errorf("fetch %s: redirect to %q: %w", rawURL, r.Location, err)
		}
		away = away || !sameOrigin(p.URL, u)
		p.URL = u.String()
	}
}

// singleRedirects is how many redirects lead to a page at most.
const singleRedirects = 10

// singleFetcher is a session that knows nothing of a run, for a page alone.
func (c *Crawler) singleFetcher() *session {
	s := &session{Crawler: c, began: time.Now()}
	s.robots = newRobotsCache(c.opts, noMemory{}, s.now)
	if c.opts.Requests.Cookies == CookiesOn {
		s.cookies = newCookieJar()
	}
	return s
}

// mayFetch asks robots.txt.
func (f *fetcher) mayFetch(ctx context.Context, url string) error {
	var failed error // of the request
	get := func(ctx context.Context, url string, led bool) (r *fetch.Response, err error) {
		r, failed = f.getRobots(ctx, url, led)
		return r, failed
	}
	switch v := f.robots.ask(ctx, get, url); {
	case ctx.Err() != nil:
		return fmt.Errorf("fetch %s: %w", url, context.Cause(ctx))
	case v.err != nil:
		return &RobotsError{URL: url, Err: cmp.Or(failed, v.err)}
	case !v.allowed:
		return &RobotsError{URL: url, Rule: v.rule}
	}
	return nil
}

// noMemory is the memory of one that has none.
type noMemory struct{ Memory }

func (noMemory) RobotsFile(context.Context, string) (*RobotsFile, error) { return nil, nil }
