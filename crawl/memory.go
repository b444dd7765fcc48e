package crawl

import (
	"context"
	"time"
)

// Memory is what a store remembers from visit to visit and from run to run,
// so that a crawl that was killed keeps its promises, and the next run knows
// what it can leave alone. Visits teach it: see Lessons.
type Memory interface {
	// StoredPage returns the response that Request.Past speaks of, by the
	// request's ID.
	StoredPage(ctx context.Context, id int64) (*Page, error)

	// HostState returns what was learned of a host; the zero HostState if
	// nothing was. Failures are those of this run.
	HostState(ctx context.Context, host string) (HostState, error)

	// RobotsFile returns the robots.txt of an origin as the job last asked
	// for it, nil if it never did.
	RobotsFile(ctx context.Context, origin string) (*RobotsFile, error)

	// Recall puts up to limit pages into the frontier that answered well in
	// earlier runs of the same Job.Plan and that no link of this run led to,
	// but for those that are gone. It returns how many pending URLs that
	// added to each host; none: there are no more such pages.
	Recall(ctx context.Context, limit int) (map[string]int64, error)

	// AddArchive notes that the job is about to write to a file, of which
	// nothing is committed yet. It has one caller at a time, as Commit has.
	AddArchive(ctx context.Context, file string) error

	// Archives calls yield for each file of a web archive that this job wrote
	// to, with the offset up to which it is committed, until it returns false.
	Archives(ctx context.Context, yield func(file string, end int64) bool) error

	// Traps calls yield for each shape of URLs that was learned in this run
	// until it returns false.
	Traps(ctx context.Context, yield func(Trap) bool) error

	// Asked calls yield for the URL and host of each page that was asked for
	// in this run, if without success, until it returns false.
	Asked(ctx context.Context, yield func(url, host string) bool) error

	// MovedStarts calls yield for each URL that a start URL of this run
	// redirected to, over other redirects or not, until it returns false.
	MovedStarts(ctx context.Context, yield func(url string) bool) error
}

// Lessons are what a visit teaches for later ones. They are kept whatever the
// visit's State. Each may be nil: nothing new.
type Lessons struct {
	Revisit *Revisit    // of the URL
	Host    *HostState  // of its host
	Robots  *RobotsFile // of its origin
	Trap    *Trap       // of URLs like it
}

// Revisit is what is to be known of a URL that once answered well when it is
// visited again.
type Revisit struct {
	ETag         string        // of the stored response; "": none
	LastModified string        // the header field of the stored response; "": none
	FetchedAt    time.Time     // when it last answered well
	ChangedAt    time.Time     // when its content was last found to differ
	Content      []byte        // fingerprint of the content; empty: not taken
	Interval     time.Duration // from FetchedAt to the next visit; 0: not known
	Missing      int           // runs in a row in which it answered 404
	Gone         bool          // its absence is confirmed
	LastMod      time.Time     // what a sitemap said since; zero: nothing. Only read
}

// HostState is what was learned of a host.
type HostState struct {
	NotBefore  time.Time     // no request before; zero: any time
	CrawlDelay time.Duration // as its robots.txt asks
	Slow       time.Duration // delay learned from 429 and 503
	Failures   int           // in a row
}

// RobotsFile is the answer to a request for a robots.txt.
type RobotsFile struct {
	Origin    string // scheme, host and port
	FetchedAt time.Time
	Expires   time.Time // to be asked for again from then on
	Status    int       // after redirects; 0: there was no answer
	Err       string    // why it could not be had: everything is disallowed; "": it could
	Failures  int       // in a row
	Body      []byte    // the rules; empty: none
}

// putOff says that a visit ended before its URL was tried.
func (v *Visit) putOff() bool { return v.State == Pending && v.Reason == "" }
