package crawl

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/crawl/robots"
	"github.com/magpie-crawl/magpie/crawl/weburl"
)

// Bounds of RFC 9309: https://www.rfc-editor.org/rfc/rfc9309#section-2.3
const (
	maxRobotsRedirects = 5
	robotsLifetime     = 24 * time.Hour
)

// maxRobots is how many origins' rules are kept in memory.
const maxRobots = 10_000

// robotsCache fetches the robots.txt of each origin once, whoever asks first.
type robotsCache struct {
	ignore  bool
	agent   string
	backoff time.Duration

	mu      sync.Mutex
	origins map[string]*robotsEntry
}

// robotsEntry is what is known of one origin's robots.txt.
type robotsEntry struct {
	done     chan struct{} // closed once the fields below are set
	rules    *robots.Robots
	err      error // it could not be had: everything is disallowed until expires
	expires  time.Time
	failures int // in a row
}

// verdict is what robots.txt says of one URL.
type verdict struct {
	allowed    bool
	rule       string // the line that forbids
	crawlDelay time.Duration
	sitemaps   []string
	fetched    bool      // a request was sent to find out
	err        error     // robots.txt could not be had
	retryAt    time.Time // when to ask again after err
}

func newRobotsCache(o Options) *robotsCache {
	return &robotsCache{
		ignore:  o.Politeness.Robots == RobotsIgnore,
		agent:   o.Politeness.UserAgent,
		backoff: o.Retry.Delay,
		origins: map[string]*robotsEntry{},
	}
}

// ask returns what the robots.txt of rawURL's origin says of it, fetching it
// with w where nobody has yet.
func (c *robotsCache) ask(ctx context.Context, w *fetch.Worker, rawURL string) verdict {
	if c.ignore {
		return verdict{allowed: true}
	}
	u, err := weburl.Parse(rawURL)
	if err != nil {
		return verdict{err: err}
	}
	e, mine := c.entry(u.Origin())
	if mine {
		e.rules, e.err = fetchRobots(ctx, w, u.Origin()+"/robots.txt")
		e.expires = time.Now().Add(robotsLifetime)
		if e.err != nil {
			e.failures++
			e.expires = time.Now().Add(backoff(c.backoff, e.failures, maxBackoff))
		}
		close(e.done)
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		return verdict{err: ctx.Err()}
	}
	if e.err != nil {
		return verdict{err: e.err, retryAt: e.expires, fetched: mine}
	}
	group := e.rules.Group(c.agent)
	allowed, rule := group.Allowed(u.RequestURI())
	return verdict{allowed: allowed, rule: rule, crawlDelay: group.CrawlDelay(), sitemaps: e.rules.Sitemaps, fetched: mine}
}

// entry returns the origin's entry; mine says that the caller has to fill it.
func (c *robotsCache) entry(origin string) (e *robotsEntry, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.origins[origin]
	if old != nil && !old.expired() {
		return old, false
	}
	e = &robotsEntry{done: make(chan struct{})}
	if old != nil {
		e.failures = old.failures
	} else if len(c.origins) >= maxRobots {
		c.evict()
	}
	c.origins[origin] = e
	return e, true
}

// expired says that the entry was filled and has had its time.
func (e *robotsEntry) expired() bool {
	select {
	case <-e.done:
		return time.Now().After(e.expires)
	default:
		return false
	}
}

// evict drops one entry that nobody waits for.
func (c *robotsCache) evict() {
	for origin, e := range c.origins {
		select {
		case <-e.done:
			delete(c.origins, origin)
			return
		default:
		}
	}
}

// fetchRobots gets a robots.txt as RFC 9309 reads its answers: 2xx is parsed,
// 4xx allows all, anything else is an error, which disallows all.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
func fetchRobots(ctx context.Context, w *fetch.Worker, url string) (*robots.Robots, error) {
	at := url
	for range maxRobotsRedirects + 1 {
		resp, err := w.Get(ctx, at, nil)
		switch {
		case err != nil:
			return nil, fmt.Errorf("get %s: %w", at, err)
		case resp.Status >= 200 && resp.Status < 300:
			return robots.Parse(resp.Body), nil
		case redirects(resp.Status) && resp.Location != "":
			at = resp.Location
		case resp.Status >= 300 && resp.Status < 500 && !overloaded(resp.Status):
			return robots.AllowAll, nil
		default:
			return nil, fmt.Errorf("get %s: status %d", at, resp.Status)
		}
	}
	return robots.AllowAll, nil // more redirects than that count as unavailable
}
