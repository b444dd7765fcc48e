package crawl

// Wait says in a word why a host is not asked for anything right now.
type Wait string

// Why a host waits.
const (
	WaitNothing    Wait = ""                   // it does not
	WaitDelay      Wait = "delay"              // between two requests, as the job says
	WaitCrawlDelay Wait = "crawl-delay"        // between two requests, as its robots.txt asks
	WaitSlow       Wait = "slow"               // between two requests: it is slow, or was overloaded
	WaitRetryAfter Wait = "retry-after"        // it asked to be left alone for so long
	WaitBackoff    Wait = "backoff"            // it failed
	WaitRobots     Wait = "robots-unreachable" // its robots.txt could not be had
	WaitKept       Wait = "kept"               // for one of these reasons, as an earlier process found
	WaitNeighbour  Wait = "neighbour"          // another crawl is at the host
	WaitInFlight   Wait = "in-flight"          // as many requests are in flight as may be
	WaitFirst      Wait = "first"              // for the answer to its first request
	WaitRetry      Wait = "retry"              // what is left of it failed, and is tried again then
	WaitSitemaps   Wait = "sitemaps"           // for what its sitemaps say of the pages that are left
	WaitWorkers    Wait = "workers"            // its turn has come: all of the crawl's requests are in flight
	WaitDown       Wait = "down"               // it is given up: its URLs fail without being asked for
)

// Text says it for people, as the end of "waits: ".
func (w Wait) Text() string { return waitTexts[w] }

var waitTexts = map[Wait]string{
	WaitDelay:      "the job's delay between two requests",
	WaitCrawlDelay: "the Crawl-delay of its robots.txt",
	WaitSlow:       "it is slow or was overloaded, so it is asked less often",
	WaitRetryAfter: "it asked to be left alone until then",
	WaitBackoff:    "a pause after failures",
	WaitRobots:     "its robots.txt could not be had",
	WaitKept:       "as an earlier process left it",
	WaitNeighbour:  "another job is at the same host",
	WaitInFlight:   "as many requests are in flight as may be",
	WaitFirst:      "the answer to its first request",
	WaitRetry:      "until failed URLs are tried again",
	WaitSitemaps:   "until its sitemaps are read",
	WaitWorkers:    "its turn has come, all of the crawl's requests are in flight",
	WaitDown:       "given up after too many failures",
}
