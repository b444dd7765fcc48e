// Package crawl visits the pages of sites, politely and durably, and hands
// what they hold to a [Store].
//
// A [Crawler] is made of [Options] and works on a run of a job in a store:
//
//	crawler, err := crawl.New(crawl.Options{Start: []string{"https://example.com/"}, Extractor: extractor})
//	…
//	summary, err := crawler.Crawl(ctx, store, crawl.Job{Name: "example"})
//
// # The stages of a request
//
//	          ┌─ 1 scheduler (scheduler.go, host.go, schedule.go): whose turn is it? ─┐
//	Store ──► │  a window of due requests for each host, a heap of hosts by time      │
//	          └──────▲──────────────────────▲──────────────────────┬──────────────────┘
//	                 │ answers              │ outcomes             │ jobs
//	                 │                      │                      ▼
//	                 └──────────────────────┼─── 2 fetch workers (fetcher.go): robots.txt, request, status
//	                                        │                      │ responses
//	                                        │                      ▼
//	                                        │    3 page workers (page.go): parse, links, records
//	                                        │                      │ visits
//	                                        │                      ▼
//	Store ◄─────────────────────────────────┴─── 4 committer (committer.go): the only writer
//
// Nothing is claimed: a URL stays pending in the store until its [Visit] is
// committed, and what is in flight is known to the scheduler alone. A process
// that is killed leaves URLs that are simply still pending; they are requested
// again and their effects recorded once.
//
// What a visit teaches of its URL, its host and its origin is committed with
// it ([Lessons]): a crawl that was killed still knows which host wants to be
// left alone until when. A page that answers 304, or that is not due, is read
// from the store as if it had been fetched, so that its links and records are
// the run's like those of any other.
//
// Redirects are not followed by a fetch worker. Each hop is a visit whose link
// is the target, so scope, robots.txt and deduplication hold for every hop. No
// credentials are sent to a URL that redirects over another origin led to. A
// start URL's redirects extend the scope to where they lead.
//
// Cookies live as long as the process: a crawl that is resumed begins without
// any, and logs in again.
//
// Crawls that share [Hosts] are polite together: before the scheduler hands out
// a request it takes a turn at the host from them. It gives the turn back when
// the answer is there, with what it has learned of the host.
//
// # Hooks
//
// A program shapes a crawl by functions of its own, the hooks of [Options]:
//
//	OnRequest  called by fetch workers   may set header fields, or keep the request from being sent
//	OnPage     called by page workers    has the page with its document; follows links, saves records
//	OnRecord   called by page workers    may change a record's fields, or refuse it
//	OnError    called by page workers    is told of each try that failed
//	OnVisit    called by the committer   is told what has been stored
//
// Workers are many: what calls of the first four share needs a lock. They are
// called before the page is stored, so what they bring is in the store with the
// page or not at all; a page that was in flight when the process was killed is
// visited again, and its hooks are called again. OnVisit is called by one
// goroutine after the other, once for each visit, when it is stored for good.
// While it runs nothing else is stored; it must not keep or change the visit.
//
// A page that has not changed, or that is not due in this run, is read from
// the store and shown to OnPage and OnRecord like one that was sent.
//
// An error from OnRequest or OnPage, or a panic in any of the first four, costs
// the page and no other: its URL has failed for [ReasonHook] or [ReasonPanic],
// with the error's text or the stack as its detail, and nothing that came of
// the page is kept but the response. An error from OnRecord makes the record a
// reject. A panic in OnVisit ends the crawl with an error.
//
// # Where to change what
//
//   - which elements are links: link_elements.go, form_links.go
//   - which of them are fetched: scope.go, strip.go, robots_directives.go, and
//     verdict in links.go
//   - what looks like a trap: traps.go (by the URL), trap_watch.go (by what
//     pages say)
//   - who goes first, and how many: priority.go, budget.go
//   - headers, credentials and proxies: requests.go; cookies.go; the login:
//     login.go, login_form.go
//   - web archives: archive.go, package warc
//   - what a status means, what is tried again: fetcher.go
//   - how hard a host is asked: host.go, throttle.go
//   - what crawls of one process owe a host together: hosts.go (what all know),
//     neighbours.go (what one does about it)
//   - when a page is visited again, and what is gone: recrawl.go; for which
//     sitemaps it waits: recrawl_sitemaps.go
//   - conditional requests and 304: conditional.go
//   - what is kept from visit to visit: memory.go
//   - when a run ends: limits.go
//   - what is told while it goes on: progress.go, host_progress.go, wait.go,
//     figures.go, metrics.go
//   - what hooks are given: hooks.go, selection.go
//   - how one exchange is made, its limits and faults: package fetch
//   - robots.txt: robots_file.go (fetching), robots_cache.go (keeping), package
//     robots (meaning)
package crawl
