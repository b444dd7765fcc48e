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
// is the target, so scope, robots.txt and deduplication hold for every hop.
//
// # Where to change what
//
//   - which links are taken from a page: links.go
//   - which of them are fetched: scope.go, and verdict in links.go
//   - what a status means, what is tried again: fetcher.go
//   - how hard a host is asked: host.go, throttle.go
//   - when a page is visited again, and what is gone: recrawl.go
//   - conditional requests and 304: conditional.go
//   - what is kept from visit to visit: memory.go
//   - how one exchange is made, its limits and faults: package fetch
//   - robots.txt: robots_file.go (fetching), robots_cache.go (keeping), package
//     robots (meaning)
package crawl
