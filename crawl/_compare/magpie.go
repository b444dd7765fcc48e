package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// options crawl the site and take five fields of each page.
func options(s *site, workers int) crawl.Options {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
		{Name: "title", CSS: "h1", Required: true},
		{Name: "price", CSS: ".price", As: extract.PriceType},
		{Name: "sku", CSS: ".sku"},
		{Name: "text", CSS: ".text"},
		{Name: "image", CSS: "img", Attr: "src", As: extract.URL},
	}}}})
	if err != nil {
		log.Fatal(err)
	}
	return crawl.Options{
		Start:      []string{"http://" + s.host + page(0)},
		Politeness: crawl.Politeness{Concurrency: workers, PerHost: workers},
		Extractor:  x,
	}
}

// database opens a store in a folder of its own. remove deletes it.
func database() (db *store.DB, remove func()) {
	dir, err := os.MkdirTemp("", "magpie-compare")
	if err != nil {
		log.Fatal(err)
	}
	db, err = store.Open(filepath.Join(dir, "magpie.db"), store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return db, func() {
		db.Close()
		os.RemoveAll(dir)
	}
}

// crawlSite crawls the site into a database, links, records and bodies
// committed durably.
func crawlSite(s *site, workers int) {
	db, remove := database()
	defer remove()
	crawlWith(context.Background(), db, options(s, workers))
}

// sharingSite is crawlSite by a crawl that shares its politeness with others,
// none of which is there.
func sharingSite(s *site, workers int) {
	db, remove := database()
	defer remove()
	o := options(s, workers)
	o.Hosts = new(crawl.Hosts)
	crawlWith(context.Background(), db, o)
}

// watchedSite is sharingSite with all figures asked for four times a second, as
// by a dashboard.
func watchedSite(s *site, workers int) {
	db, remove := database()
	defer remove()
	o := options(s, workers)
	o.Hosts = new(crawl.Hosts)
	c, err := crawl.New(o)
	if err != nil {
		log.Fatal(err)
	}
	defer watch(c)()
	if _, err := c.Crawl(context.Background(), db, crawl.Job{Name: "compare"}); err != nil {
		log.Fatal(err)
	}
}

// watch asks for a crawl's figures until it is stopped.
func watch(c *crawl.Crawler) (stop func()) {
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-time.After(time.Second / 4):
				c.Progress()
				c.Figures()
				c.Hosts(100)
				if err := crawl.WriteMetrics(io.Discard, map[string]*crawl.Crawler{"compare": c}); err != nil {
					log.Fatal(err)
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

func crawlWith(ctx context.Context, db *store.DB, o crawl.Options) *crawl.Summary {
	c, err := crawl.New(o)
	if err != nil {
		log.Fatal(err)
	}
	sum, err := c.Crawl(ctx, db, crawl.Job{Name: "compare"})
	if err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
	return sum
}

// fill gives the job's run many URLs, by visits of pages that nobody serves.
// Each visit brings links, and ends in the state that settle gives it.
func fill(db *store.DB, o crawl.Options, links func(visit int) []crawl.Link, visits int, host string) {
	run, err := db.Begin(context.Background(), crawl.Job{Name: "compare", Seeds: []crawl.Link{
		{URL: o.Start[0], Host: host}, {URL: "http://filler.invalid/", Host: "filler.invalid", Depth: 1}}})
	if err != nil {
		log.Fatal(err)
	}
	defer run.Close()
	for i := range visits {
		due, _, err := run.Window(context.Background(), "filler.invalid", time.Now(), 1, nil)
		if err != nil || len(due) == 0 {
			log.Fatal("nothing to fill from: ", err)
		}
		more := links(i)
		if i < visits-1 {
			more = append(more, crawl.Link{URL: fmt.Sprintf("http://filler.invalid/%d", i), Host: "filler.invalid", Depth: 1})
		}
		if _, err := run.Commit(context.Background(), []*crawl.Visit{{Request: due[0], State: crawl.Failed, Reason: "filler", Links: more}}); err != nil {
			log.Fatal(err)
		}
	}
}

// waitingHosts crawls the site while 100,000 other hosts are in the frontier
// whose turn has not come, and without them, and while its figures are asked
// for.
func waitingHosts(s *site, workers int) {
	const hosts, batch = 100_000, 1000
	rate := func(waiting, watched bool) float64 {
		db, remove := database()
		defer remove()
		o := options(s, workers)
		o.Scope.Within = crawl.WithinAny
		if waiting {
			fillWaiting(db, o, hosts, batch, s.host)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var start, end time.Time // of the pages: the hosts are loaded once
		pages := 0
		o.OnVisit = func(v *crawl.Visit) {
			if v.Request.Host != s.host {
				return
			}
			if pages++; pages == 1 {
				start = time.Now()
			}
			if pages == s.pages {
				end = time.Now()
				cancel()
			}
		}
		c, err := crawl.New(o)
		if err != nil {
			log.Fatal(err)
		}
		if watched {
			defer watch(c)()
		}
		if _, err := c.Crawl(ctx, db, crawl.Job{Name: "compare"}); err != nil && ctx.Err() == nil {
			log.Fatal(err)
		}
		return float64(pages) / end.Sub(start).Seconds()
	}
	without, with, watched := rate(false, false), rate(true, false), rate(true, true)
	fmt.Printf("%d waiting hosts: %.0f pages/s, without them %.0f: %.2f; watched %.0f: %.2f\n", hosts, with, without, with/without, watched, watched/with)
}

// fillWaiting puts hosts into the frontier whose URLs are due in an hour.
func fillWaiting(db *store.DB, o crawl.Options, hosts, batch int, host string) {
	name := func(i int) string { return fmt.Sprintf("h%d.invalid", i) }
	fill(db, o, func(visit int) (links []crawl.Link) {
		for i := range batch {
			n := name(visit*batch + i)
			links = append(links, crawl.Link{URL: "http://" + n + "/", Host: n, Depth: 1})
		}
		return links
	}, hosts/batch, host)
	run, err := db.Begin(context.Background(), crawl.Job{Name: "compare"})
	if err != nil {
		log.Fatal(err)
	}
	defer run.Close()
	var visits []*crawl.Visit
	for i := range hosts {
		due, _, err := run.Window(context.Background(), name(i), time.Now(), 1, nil)
		if err != nil || len(due) == 0 {
			log.Fatal("no such host: ", err)
		}
		visits = append(visits, &crawl.Visit{Request: due[0], State: crawl.Pending, Reason: "http-503", RetryAt: time.Now().Add(time.Hour)})
		if len(visits) == batch {
			if _, err := run.Commit(context.Background(), visits); err != nil {
				log.Fatal(err)
			}
			visits = nil
		}
	}
}

// known crawls the site among many URLs that are known of it already.
func known(s *site, workers, urls int) {
	const batch = 10_000
	db, remove := database()
	defer remove()
	o := options(s, workers)
	fill(db, o, func(visit int) (links []crawl.Link) {
		for i := range batch {
			links = append(links, crawl.Link{URL: "http://" + s.host + page(visit*batch+i+1), Host: s.host, Depth: 1})
		}
		return links
	}, urls/batch, s.host)
	resetPeak()
	o.Limits.Pages = s.pages
	before, start := s.count(), time.Now()
	crawlWith(context.Background(), db, o)
	fmt.Printf("%d known URLs: %.0f pages/s, %d MB resident at most\n", urls, float64(s.count()-before)/time.Since(start).Seconds(), peakMemory()>>20)
}

// polite asks each of 500 hosts for a page a second.
func polite(s *site, _ int) {
	const hosts, lasts = 500, 30 * time.Second
	db, remove := database()
	defer remove()
	o := options(s, 256)
	o.Start = nil
	for i := range hosts {
		o.Start = append(o.Start, fmt.Sprintf("http://127.0.%d.%d:%s%s", i/250, i%250+1, s.port, page(0)))
	}
	o.Politeness = crawl.Politeness{Concurrency: 256, PerHost: 1, Delay: time.Second, Robots: crawl.RobotsIgnore}
	early, before := s.tooEarly(), s.count()
	ctx, cancel := context.WithTimeout(context.Background(), lasts)
	defer cancel()
	crawlWith(ctx, db, o)
	got, ideal := s.count()-before, hosts*int(lasts/time.Second)
	fmt.Printf("polite: %d pages of %d hosts in %v, %.3f of the ideal rate, %d requests too early\n", got, hosts, lasts, float64(got)/float64(ideal), s.tooEarly()-early)
}
