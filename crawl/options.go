package crawl

import (
	"time"

	"github.com/magpie-crawl/magpie/extract"
)

// Options say what to crawl and how. Start is all that is needed.
type Options struct {
	Start        []string           // URLs, http or https
	Sitemaps     Sitemaps           // default: none
	Scope        Scope              // default: the hosts of the start URLs
	Follow       []string           // CSS of the links to follow; nil: every link; empty: none
	Links        Links              // default: see its fields
	Limits       Limits             // default: none but the body's size
	Politeness   Politeness         // default: see its fields
	Retry        Retry              // default: see its fields
	Recrawl      Recrawl            // default: see its fields
	Traps        Traps              // default: see its fields
	Priorities   []Priority         // default: none
	Health       Health             // default: see its fields
	Requests     Requests           // default: see its fields
	Login        *Login             // default: none
	Keep         Keep               // default: every body
	WARC         string             // folder that exchanges are archived in, see package warc; default: none
	Hosts        *Hosts             // shared with other crawls of the process, which are polite together; default: none
	AllowPrivate bool               // loopback and private addresses may be connected to; those of start URLs always may
	Extractor    *extract.Extractor // nil: pages are kept, nothing is extracted
	Items        []extract.Item     // types of the records that OnPage saves, beside the Extractor's; selectors in them don't count

	// Hooks, see the package documentation for what they may do and who calls
	// them. Default: none.
	OnRequest func(*Outgoing) error       // before each request for a page or sitemap that robots.txt allows
	OnPage    func(*PageVisit) error      // with each page that was fetched, or is as it was, of whatever type, after the Extractor
	OnRecord  func(*extract.Record) error // with each record, extracted or saved, before it is stored: it may change the fields
	OnError   func(*Visit)                // when a try failed: State is Failed, or Pending where there is another try at RetryAt
	OnVisit   func(*Visit)                // when a visit is stored
}

// Sitemaps are read for links to pages.
type Sitemaps struct {
	FromRobots bool     // those that robots.txt of the start URLs' hosts names
	URLs       []string // these
}

// Scope tells which links belong to the crawl.
type Scope struct {
	Within Within   // default: WithinHost
	Allow  []string // patterns (extract.Pattern) of which a link must match one; empty: all do. Start URLs are always allowed
	Deny   []string // patterns of which a link must match none
	Strip  []string // query parameters that are taken off links, "*" stands for any characters; default: DefaultStrip, empty: none
}

// Links say which elements lead to other pages, beside those that always do.
type Links struct {
	Forms bool // forms that are sent by GET, as they stand
}

// Within is how far from the start URLs a crawl goes.
type Within uint8

const (
	WithinHost   Within = iota // the hosts of the start URLs, port included
	WithinDomain               // their registrable domains, by the public suffix list
	WithinAny                  // any host
)

// Limits end a crawl or cut what it keeps. Zero: no limit, unless noted.
type Limits struct {
	Pages    int           // responses kept in the run
	Bytes    int64         // of bodies in the run, after content-coding; exceeded by what is in flight then
	Records  int           // kept in the run, exceeded by what is in flight then
	PerHost  int           // pages asked for of each host
	Paths    []Budget      // pages asked for of each of these patterns; a URL counts for all that it matches
	Depth    int           // links from a start URL; 1: the start pages and what they link to
	Duration time.Duration // of one process's work on the run
	Memory   int64         // bytes of bodies above 1 MiB that are held at once, over all requests; default 512 MiB. One of Body's size is held in any case
	Links    int           // taken from one page, in the order of the page; default 10,000
	Body     int64         // bytes of a body after content-coding; default 32 MiB. Sitemaps may have sitemap.MaxSize in any case
}

// Politeness is what a host has to bear.
type Politeness struct {
	Concurrency int            // requests in flight over all hosts; default 16
	PerHost     int            // requests in flight to one host; default 2
	Delay       time.Duration  // between the starts of two requests to one host; its robots.txt may ask for more
	Adaptive    AdaptivePolicy // default: AdaptiveOn
	MaxDelay    time.Duration  // the longest that robots.txt and adaptive throttling may make of Delay; default 1m
	Robots      RobotsPolicy   // default: RobotsObey
	Nofollow    NofollowPolicy // default: NofollowObey
	Noindex     NoindexPolicy  // default: NoindexIgnore
	UserAgent   string         // default: DefaultUserAgent; its first product token is looked up in robots.txt
}

// RobotsPolicy is what robots.txt means to a crawl.
type RobotsPolicy uint8

const (
	RobotsObey   RobotsPolicy = iota // RFC 9309
	RobotsIgnore                     // not fetched
)

// AdaptivePolicy is whether the delay of a host follows how it is doing.
type AdaptivePolicy uint8

const (
	AdaptiveOn  AdaptivePolicy = iota // raised by 429 and 503, and by latency above half a second; never below Delay
	AdaptiveOff                       // a host is left alone for as long as it asks, and then asked as before
)

// Retry is what happens to requests that failed for a passing reason:
// network errors, 429 and 5xx.
type Retry struct {
	Times int           // further tries; default 2, negative: none
	Delay time.Duration // before the first of them, doubled for each next; default 1s. Retry-After may ask for more
}

// Defaults of Options.
const (
	DefaultUserAgent   = "magpie (+https://github.com/magpie-crawl/magpie)"
	DefaultBody        = 32 << 20
	DefaultLinks       = 10_000
	DefaultMemory      = 512 << 20
	DefaultConcurrency = 16
	DefaultPerHost     = 2
	DefaultRetries     = 2
	DefaultRetryDelay  = time.Second
	DefaultMaxDelay    = time.Minute
)
