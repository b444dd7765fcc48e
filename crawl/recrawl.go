package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/weburl"
)

// Recrawl says what a run does with pages that earlier runs of the job have
// fetched. Whatever the policy, new URLs are visited, and what a page that is
// not fetched again links to and holds is taken from its stored body.
type Recrawl struct {
	Policy RecrawlPolicy // default: RecrawlAll
	Min    time.Duration // RecrawlAdaptive: the shortest interval between two visits of a page; default DefaultRecrawlMin
	Max    time.Duration // the longest; default DefaultRecrawlMax
}

// RecrawlPolicy is which pages are visited again.
type RecrawlPolicy uint8

const (
	// RecrawlAll asks for every page, on the condition that it has changed
	// where its last answer allows for that.
	RecrawlAll RecrawlPolicy = iota
	// RecrawlAdaptive asks likewise for the start URLs, for the sitemaps, and
	// for pages that are due. A page's interval shrinks when its content has
	// changed since the last visit and grows when it has not; what a sitemap
	// says of it counts for more. A host's sitemaps are read before its pages
	// are judged, but for those that are slow or fail.
	RecrawlAdaptive
	// RecrawlFull asks for every page without condition.
	RecrawlFull
)

// Defaults of Recrawl.
const (
	DefaultRecrawlMin = time.Hour
	DefaultRecrawlMax = 30 * 24 * time.Hour
)

// firstInterval is the interval of a page that was seen once.
const firstInterval = 24 * time.Hour

// goneAfter is in how many runs in a row a page has to answer 404 to count as
// gone. One that answers 410 says itself that it is.
const goneAfter = 2

// ReasonNotDue is for pages that were left alone by RecrawlAdaptive.
const ReasonNotDue Reason = "not-due"

// recallLimit is how many pages are put back into the frontier at a time.
const recallLimit = 10_000

// recall puts pages of earlier runs that no link led to into the frontier once
// it is empty: they are asked whether they are still there. It reports whether
// there were any.
func (s *session) recall(ctx context.Context, sched *scheduler) (bool, error) {
	if s.run.Info().Number == 1 {
		return false, nil
	}
	added, err := s.run.Recall(ctx, recallLimit)
	sched.add(added)
	return len(added) > 0, err
}

// unwanted is why a page that an earlier run found is not to be visited by
// this one, "" if it is: the job may have changed meanwhile.
func (s *session) unwanted(r Request) Reason {
	if r.Past == nil || r.Depth == 0 || r.Kind != PageKind {
		return ""
	}
	u, err := weburl.Parse(r.URL)
	if err != nil {
		return ""
	}
	return s.verdict(u, r.Kind, r.Depth)
}

// due says whether a request is to be sent, or its page can be left alone.
func (s *session) due(r Request, now time.Time) bool {
	p := r.Past
	if s.opts.Recrawl.Policy != RecrawlAdaptive || p == nil || r.Kind != PageKind ||
		r.Depth == 0 || r.Attempts > 0 || p.Missing > 0 || p.Gone || p.Interval == 0 {
		return true
	}
	// A time that is far in the future is as good a sign as an old one that
	// a clock was set.
	age := now.Sub(p.FetchedAt).Abs()
	if changed, ok := p.changedSince(now); ok {
		return changed || age >= s.opts.Recrawl.Max
	}
	return age >= p.Interval
}

// changedSince tells what a sitemap says of a page: whether it has changed
// since it was fetched; ok is false if it says nothing that can be true.
func (p *Revisit) changedSince(now time.Time) (changed, ok bool) {
	if p.LastMod.IsZero() || p.LastMod.After(now) {
		return false, false
	}
	last := p.LastMod
	if last.Equal(last.Truncate(24 * time.Hour)) {
		last = last.Add(24 * time.Hour) // a date alone: any time of that day
	}
	return last.After(p.FetchedAt), true
}

// rest makes a visit of a page that is left alone. It reports false if what is
// stored of it cannot be had, so that it has to be fetched after all.
func (f *fetcher) rest(ctx context.Context, v *Visit) bool {
	stored, err := f.run.StoredPage(ctx, v.Request.ID)
	if err != nil {
		return false
	}
	p := v.Request.Past
	v.State, v.Reason = Skipped, ReasonNotDue
	v.Detail = fmt.Sprintf("fetched on %s, its interval is %v", p.FetchedAt.UTC().Format(time.RFC3339), p.Interval.Round(time.Second))
	v.stored = stored
	return true
}

// readStored takes links and records from the stored response of a page that
// is left alone.
func (s *session) readStored(v *Visit) {
	rested := *v
	v.State, v.Page = Done, v.stored
	s.readPage(v)
	if v.State != Done {
		v.Links, v.Records, v.Rejects = nil, nil, nil
	}
	v.State, v.Reason, v.Detail, v.Page = rested.State, rested.Reason, rested.Detail, nil
}

// remember notes what the next visit of the URL is to know.
func (s *session) remember(v *Visit) {
	if v.Page == nil || v.Page.Location != "" {
		return
	}
	switch past := v.Request.Past; {
	case v.State == Done:
		s.planVisit(v)
	case v.State != Failed || past == nil || v.Request.Kind != PageKind:
	case v.Page.Status == http.StatusNotFound:
		missing := past.Missing + 1
		v.Revisit = &Revisit{Missing: missing, Gone: past.Gone || missing >= goneAfter}
	case v.Page.Status == http.StatusGone:
		v.Revisit = &Revisit{Missing: past.Missing + 1, Gone: true}
	}
}

// planVisit sets when a page that answered well is to be visited again.
func (s *session) planVisit(v *Visit) {
	p, past := v.Page, v.Request.Past
	r := &Revisit{ETag: v.etag, LastModified: v.lastModified, FetchedAt: p.FetchedAt, ChangedAt: p.FetchedAt, Content: content(v)}
	v.Revisit = r
	if s.opts.Recrawl.Policy == RecrawlAdaptive {
		r.Interval = firstInterval
	}
	if past != nil {
		same := p.NotModified || slices.Equal(r.Content, past.Content)
		if same {
			r.ChangedAt = past.ChangedAt
		}
		if r.Interval > 0 && past.Interval > 0 {
			r.Interval = nextInterval(past.Interval, p.FetchedAt.Sub(past.FetchedAt), same)
		}
	}
	if r.Interval > 0 {
		r.Interval = min(max(r.Interval, s.opts.Recrawl.Min), s.opts.Recrawl.Max)
	}
}

// nextInterval adapts a page's interval to what was found after the time age:
// content that stayed the same for that long may be left alone for half as
// long again, content that changed is asked for twice as often.
func nextInterval(interval, age time.Duration, same bool) time.Duration {
	age = max(age, 0) // a clock was set back: nothing is known
	if same {
		longest := max(interval, age)
		return longest + longest/2
	}
	if age > 0 {
		interval = min(interval, age)
	}
	return interval / 2
}

// plan identifies what decides which URLs the job's links lead to, see Job.
func (c *Crawler) plan() string {
	o := c.opts
	text := fmt.Sprintf("%q %v %q %v %q %v %d %v %v", o.Start, o.Sitemaps.FromRobots, o.Sitemaps.URLs, o.Scope, o.Follow, o.Links,
		o.Limits.Depth, o.Politeness.Nofollow, o.Traps)
	if o.Follow == nil {
		text += " every link"
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
