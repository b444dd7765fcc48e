package crawl

import (
	"context"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/crawl/robots"
	"github.com/magpie-crawl/magpie/weburl"
)

// maxRobots is how many origins' rules are kept in memory, and
// maxRobotsBytes how long their files may be in all. Others are read from the
// store again.
const (
	maxRobots      = 10_000
	maxRobotsBytes = 64 << 20
)

// robotsCache knows the robots.txt of each origin: from memory, else from the
// store, else by asking for it, once, whoever wants to know first.
type robotsCache struct {
	ignore  bool
	agent   string
	backoff time.Duration
	store   Memory
	now     func() time.Time

	mu      sync.Mutex
	origins map[string]*robotsEntry
	bytes   int
}

// robotsEntry is what is known of one origin's robots.txt.
type robotsEntry struct {
	done    chan struct{} // closed once the fields below are set
	file    *RobotsFile
	rules   *robots.Robots
	expires time.Time
	bytes   int // of the file, once it is counted
}

// verdict is what robots.txt says of one URL.
type verdict struct {
	allowed    bool
	rule       string // the line that forbids
	crawlDelay time.Duration
	sitemaps   []string
	fetched    *RobotsFile // what a request brought that was sent to find out; nil: none was
	err        error       // robots.txt could not be had
	retryAt    time.Time   // when to ask again after err
}

func newRobotsCache(o Options, store Memory, now func() time.Time) *robotsCache {
	return &robotsCache{
		ignore:  o.Politeness.Robots == RobotsIgnore,
		agent:   o.Politeness.UserAgent,
		backoff: o.Retry.Delay,
		store:   store,
		now:     now,
		origins: map[string]*robotsEntry{},
	}
}

// ask returns what the robots.txt of rawURL's origin says of it, fetching it
// by get where nobody has yet.
func (c *robotsCache) ask(ctx context.Context, get getter, rawURL string) verdict {
	if c.ignore {
		return verdict{allowed: true}
	}
	u, err := weburl.Parse(rawURL)
	if err != nil {
		return verdict{err: err}
	}
	var fetched *RobotsFile
	e, last, mine := c.entry(u.Origin())
	if mine {
		fetched = c.fill(ctx, get, e, u.Origin(), last)
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		return verdict{err: ctx.Err()}
	}
	if err := e.file.unreachable(); err != nil {
		return verdict{err: err, retryAt: e.expires, fetched: fetched}
	}
	group := e.rules.Group(c.agent)
	allowed, rule := group.Allowed(u.RequestURI())
	return verdict{allowed: allowed, rule: rule, crawlDelay: group.CrawlDelay(), sitemaps: e.rules.Sitemaps, fetched: fetched}
}

// entry returns the origin's entry; mine says that the caller has to fill it,
// and last what the file was before, if that is in memory.
func (c *robotsCache) entry(origin string) (e *robotsEntry, last *RobotsFile, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.origins[origin]; old != nil {
		if !old.filled() || c.now().Before(old.expires) {
			return old, nil, false
		}
		last = old.file
		c.drop(origin, old)
	}
	c.evict()
	e = &robotsEntry{done: make(chan struct{})}
	c.origins[origin] = e
	return e, last, true
}

// fill sets an entry from the store or by a request. It returns the file if it
// took a request.
func (c *robotsCache) fill(ctx context.Context, get getter, e *robotsEntry, origin string, last *RobotsFile) (fetched *RobotsFile) {
	e.file = &RobotsFile{Origin: origin, Err: "asking for it failed"} // should this panic
	defer close(e.done)
	if last == nil {
		// What cannot be read is asked for again.
		last, _ = c.store.RobotsFile(ctx, origin)
	}
	now := c.now()
	if last != nil && last.fresh(now) {
		e.file, e.expires = last, now.Add(last.Expires.Sub(now))
	} else {
		fetched = fetchRobots(ctx, get, origin)
		fetched.FetchedAt = now
		fetched.expire(last, c.now(), c.backoff)
		e.file, e.expires = fetched, fetched.Expires
	}
	e.rules = robots.Parse(e.file.Body)
	c.count(e)
	return fetched
}

func (e *robotsEntry) filled() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// count adds an entry's size to that of all.
func (c *robotsCache) count(e *robotsEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.bytes = len(e.file.Body)
	c.bytes += e.bytes
}

// evict makes room by dropping entries that nobody waits for.
func (c *robotsCache) evict() {
	for origin, e := range c.origins {
		if len(c.origins) < maxRobots && c.bytes < maxRobotsBytes {
			return
		}
		if e.filled() {
			c.drop(origin, e)
		}
	}
}

func (c *robotsCache) drop(origin string, e *robotsEntry) {
	delete(c.origins, origin)
	c.bytes -= e.bytes
}
