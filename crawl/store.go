package crawl

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// Store keeps jobs and their runs. Every implementation passes the contract
// suite in crawl/storetest.
type Store interface {
	// Begin takes hold of the job's unfinished run, or starts a new one when
	// there is none or job.Fresh is set. It returns an error that wraps
	// ErrHeld while another process works on the job.
	Begin(ctx context.Context, job Job) (Run, error)
}

// ErrHeld says that another crawl holds the job; the error that wraps it
// names the holder.
var ErrHeld = errors.New("job is being crawled by another process")

// ErrLost is returned by Run's methods once another crawl has taken the job
// over: nothing more is written by this one.
var ErrLost = errors.New("hold on the job was lost")

// Job is what a store needs to know of a job to begin a run.
type Job struct {
	Name   string       // identifies the job in the store
	Source string       // the job file's text, kept with the run
	Items  extract.Spec // item types: a store shows each as a table of its own
	Seeds  []Link       // where a new run starts; a resumed run has its own frontier
	Fresh  bool         // start a new run even if one is unfinished, which is then marked abandoned
	Plan   string       // what decides which URLs links lead to, see Run.Recall
	Keep   Keep         // what is kept of bodies

	Health Health   // when the run's figures count as drift; see Options
	Notify []Notice // messages that are to be due once the run is finished, as one with that

	Continue bool  // go on with the last run if a limit ended it and it has URLs left; limits then count anew
	Due      int64 // what in the store the run is begun for, such as a due time; it is linked to the run as that is begun; 0: nothing
}

// Notice is a message that somebody outside wants of each finished run.
type Notice struct {
	Hook  string // who wants it: a name that the sender knows
	Event string // about what: one of the Event constants
}

// What a notice can be about.
const (
	EventFinish  = "finish"  // the run has finished
	EventDrift   = "drift"   // its figures have drifted
	EventChanges = "changes" // it found records to be new, changed or gone
)

// Run is a crawl's hold on one run of a job. Its methods are safe for
// concurrent use; Commit has one caller at a time.
type Run interface {
	// Info tells what is known of the run as of the last Commit.
	Info() RunInfo

	// Hosts calls yield for each host with pending URLs until it returns false.
	Hosts(ctx context.Context, yield func(HostQueue) bool) error

	// Window returns up to limit pending requests of a host that are due at
	// now, in the order they should go out, without those whose ID is in
	// skip (in flight: nothing is claimed in the store). next is when the
	// first of those not yet due will be; zero: none is waiting.
	Window(ctx context.Context, host string, now time.Time, limit int, skip []int64) (due []Request, next time.Time, err error)

	// Commit records visits in one transaction, each whole or not at all,
	// and returns what became of each. A visit whose URL is no longer
	// pending changes nothing. The hold on the job is checked and renewed.
	Commit(ctx context.Context, visits []*Visit) ([]Committed, error)

	// Memory is what earlier visits left for later ones.
	Memory

	// Renew keeps the hold while there is nothing to commit. A hold that is
	// not renewed for a minute may be taken over: renew it every 20 seconds.
	Renew(ctx context.Context) error

	// Finish marks the run as finished. reason is "" when the frontier is
	// empty, else the limit that ended it. It ends the records that the run
	// did not see although it looked: those whose page is gone, or was read
	// whole. One that comes back later is new.
	Finish(ctx context.Context, reason string) error

	// Close lets go of the job. A run that is not finished can be resumed.
	Close() error
}

// RunInfo describes a run.
type RunInfo struct {
	ID       int64
	Number   int       // from 1 within the job
	Resumed  bool      // continues an earlier process's work
	Started  time.Time // when the run was first begun
	Counters Counters
}

// Counters add up what a run has committed.
type Counters struct {
	Pages     int64            // pages fetched: visits that ended Done, without redirects and sitemaps
	Redirects int64            // URLs that answered with a redirect (Done, Page.Location set)
	Sitemaps  int64            // sitemaps read
	Failed    int64            // URLs given up
	Retries   int64            // failed tries that were put back
	Skipped   map[Reason]int64 // URLs never fetched, by reason
	Failures  map[Reason]int64 // Failed, by reason
	Bytes     int64            // body bytes after content-coding
	New       int64            // records seen for the first time, or again after they were gone
	Changed   int64            // records that differ from the run before
	Unchanged int64            // records that do not
	Rejects   int64            // records set aside: a required value is absent
	Problems  int64            // values that failed, in records and rejects

	NotModified int64 // of Pages and Sitemaps, those that the server said have not changed
	Gone        int64 // pages whose absence was confirmed
	RecordsGone int64 // records whose absence was confirmed, known once the run is finished
}

// HostQueue is a host with pending URLs.
type HostQueue struct {
	Host    string
	Pending int64
	Due     time.Time // when the first of them is due; zero: some are due in any case
}

// Kind is what a URL is fetched for.
type Kind uint8

const (
	PageKind    Kind = iota // a page: links and records are taken from it
	SitemapKind             // a sitemap: links alone
)

// Request is a URL of the frontier.
type Request struct {
	ID        int64  // the store's key of the URL within its job
	URL       string // canonical, absolute, without fragment
	Host      string // unit of politeness, see Link.Host
	Kind      Kind
	Depth     int      // links from a start URL
	Redirects int      // hops that led here from the link
	Away      bool     // those hops went over another origin: no credentials are sent
	Attempts  int      // failed tries so far in this run
	Past      *Revisit // what earlier visits left; nil: it never answered well
}

// Link is a URL that was found, with the verdict on it.
type Link struct {
	URL       string // canonical, absolute, without fragment
	Host      string // lower-case host name, with the port where it is not the scheme's default
	Kind      Kind
	Depth     int
	Redirects int
	Away      bool      // see Request.Away
	Rank      int       // its place in its host's queue: lower ones go first
	Skip      Reason    // "": to be fetched; else recorded as skipped for this reason
	LastMod   time.Time // as a sitemap says; zero: not stated
}

// State is what a visit leaves its URL in.
type State uint8

const (
	Pending State = iota // to be fetched, now or at Visit.RetryAt
	Done                 // fetched
	Failed               // given up after the last retry
	Skipped              // not fetched, by rule
)

// Reason says why a URL was skipped or failed, in one word for counting.
type Reason string

// Reasons for skipping. A URL skipped for its depth, for too many redirects or
// as nofollow becomes pending when a better way to it is found.
const (
	ReasonScope     Reason = "scope"     // outside of the job's scope
	ReasonRobots    Reason = "robots"    // forbidden by robots.txt
	ReasonNofollow  Reason = "nofollow"  // the page, or the link, says that it is not to be followed
	ReasonDepth     Reason = "depth"     // further from the start than limits.depth
	ReasonRedirects Reason = "redirects" // more than MaxRedirects hops
)

// Reasons for giving up, besides those of fetch.Error and "http-404" and the
// like.
const (
	ReasonBadRedirect       Reason = "redirect"           // to nowhere, to itself, or to what is not http
	ReasonRobotsUnreachable Reason = "robots-unreachable" // robots.txt could not be had, so all is forbidden
	ReasonHostDown          Reason = "host-down"          // the host failed too often in a row
	ReasonParse             Reason = "parse"              // the body could not be read as what it is said to be
	ReasonPanic             Reason = "panic"              // the program failed on this page
	ReasonHook              Reason = "hook"               // a hook of the program returned an error; of skipped URLs: asked so
	ReasonStore             Reason = "store"              // the store could not keep what came of it
)

// Visit is everything that one request brought. It becomes visible whole or
// not at all. Of one whose State is Pending, nothing is kept but when and why
// it is tried again, its Lessons, and the counters; without a Reason it was put
// off before it was tried, which is no failed try.
type Visit struct {
	Request  Request
	State    State     // Pending means: try again at RetryAt; Request.Attempts then goes up by one
	Reason   Reason    // why, unless Done
	Detail   string    // Reason, for people
	RetryAt  time.Time // when State is Pending
	Page     *Page     // the response; nil: there was none
	Links    []Link    // to be recorded with the page; each URL at most once
	Records  []extract.Record
	Rejects  []extract.Record
	Archived *Archived // nil: it is not
	Outline  *Outline  // of the page's elements; nil: it was not parsed
	Lessons

	stored             *Page             // the response of an earlier run, to be read though nothing was fetched
	text               [16]byte          // fingerprint of what the page says, where it has no records
	etag, lastModified string            // validators of Page
	response           *fetch.Response   // whose body Page has, to be released once it is stored
	asides             []*fetch.Response // answers for robots.txt, to be archived
}

// Archived is where a visit stands in a web archive.
type Archived struct {
	File   string // path
	Offset int64  // of the response's record; -1: it has none, only what was asked besides is archived
	End    int64  // of the file, behind all that is archived of this visit
}

// Page is a response as it was received.
type Page struct {
	FetchedAt   time.Time
	Duration    time.Duration // from the request to the last byte of the body
	Status      int
	Header      http.Header        // as sent
	ContentType string             // the Content-Type field as sent
	Body        []byte             // after content-coding
	Truncated   bool               // Body is not whole: it was cut at the size limit, or Warnings say what else
	Canonical   string             // the address that the page gives itself, absolute; "" if it gives none or its own
	Location    string             // where a redirect points, absolute; "" otherwise
	Encoding    htmlparse.Encoding // how the body was decoded; zero when it was not parsed
	Warnings    []string           // faults that did not cost the page, such as a broken gzip trailer
	NotModified bool               // the answer was 304: Body is what the store had, Header brought up to date
}

// Committed is what became of a visit.
type Committed struct {
	Stored bool             // false: the URL was no longer pending, nothing changed
	Added  map[string]int64 // pending URLs that the visit's links added, by host
	Err    error            // why the visit could not be kept: its URL has Failed for ReasonStore instead
}
