// Command compare measures the crawler against its peers on a site of its own,
// in turn and on one machine, and prints the ratios as a table:
//
//	cd crawl/_compare && go run . [-pages 20000] [-rounds 3] [-only REGEXP]
//
// The site is served by another process on loopback: 4 KB and 20 links a page.
// The peers are a bare loop of net/http, which is told all URLs, reads the
// bodies and keeps nothing, and Colly as in its examples, which keeps nothing
// either. It is a module of its own, so that measuring needs no dependency of
// magpie's.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		serve(os.Args[2])
		return
	}
	pages := flag.Int("pages", 20_000, "pages of the site")
	workers := flag.Int("workers", 64, "requests at a time")
	rounds := flag.Int("rounds", 3, "how often each is measured; the median counts")
	only := flag.String("only", "", "measure those alone whose name matches this `regexp`")
	profile := flag.String("cpuprofile", "", "write a profile of this process to this `file`")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	s := startSite(*pages)
	defer s.stop()
	fmt.Printf("%d pages, %d workers, %s, %d cores, %d rounds\n", *pages, *workers, runtime.Version(), runtime.NumCPU(), *rounds)
	if slices.ContainsFunc(contenders, func(c contender) bool { return wanted.MatchString(c.name) }) {
		compare(s, *workers, *rounds, wanted)
	}
	for _, m := range []struct {
		name string
		run  func(*site, int)
	}{
		{"waiting hosts", waitingHosts},
		{"polite", polite},
		{"1 million known URLs", func(s *site, workers int) { known(s, workers, 1_000_000) }},
		{"10 million known URLs", func(s *site, workers int) { known(s, workers, 10_000_000) }},
	} {
		// Those that take long are measured when they are asked for.
		if *only != "" && wanted.MatchString(m.name) {
			m.run(s, *workers)
		}
	}
}

// crawled is what a crawl of the site came to.
type crawled struct {
	time     time.Duration
	cpu      time.Duration // of this process
	pages    int           // of the site, each counted once
	requests int           // that the site saw for them
}

func (c crawled) rate() float64 { return float64(c.pages) / c.time.Seconds() }

type contender struct {
	name string
	run  func(s *site, workers int)
}

var contenders = []contender{
	{"bare net/http loop", bareLoop},
	{"colly, as in its examples", collyExample},
	{"magpie", func(s *site, workers int) { crawlSite(s, workers) }},
	{"magpie, sharing hosts", sharingSite},
	{"magpie, watched", watchedSite},
}

// compare lets the contenders crawl the site in turn.
func compare(s *site, workers, rounds int, wanted *regexp.Regexp) {
	results := map[string][]crawled{}
	for range rounds {
		for _, c := range contenders {
			if wanted.MatchString(c.name) {
				results[c.name] = append(results[c.name], measure(s, workers, c.run))
			}
		}
	}
	bare := median(results[contenders[0].name])
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tpages/s\tof the bare loop\tCPU a page\tpages\trequests for them\t")
	for _, c := range contenders {
		if r := median(results[c.name]); r.pages > 0 {
			ratio := "-"
			if bare.pages > 0 {
				ratio = fmt.Sprintf("%.2f", r.rate()/bare.rate())
			}
			fmt.Fprintf(out, "%s\t%.0f\t%s\t%v\t%d\t%d\t\n", c.name, r.rate(), ratio, (r.cpu / time.Duration(r.pages)).Round(time.Microsecond), r.pages, r.requests)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func measure(s *site, workers int, run func(*site, int)) crawled {
	runtime.GC()
	s.forget()
	before, cpu, start := s.count(), cpuTime(), time.Now()
	run(s, workers)
	return crawled{time: time.Since(start), cpu: cpuTime() - cpu, pages: s.distinct(), requests: s.count() - before}
}

func median(list []crawled) crawled {
	if len(list) == 0 {
		return crawled{}
	}
	slices.SortFunc(list, func(a, b crawled) int { return int(a.rate() - b.rate()) })
	return list[len(list)/2]
}
