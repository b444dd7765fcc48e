// Command compare measures htmlparse against its peers on real pages, in turn
// and in one process, and prints the ratios as a table:
//
//	cd htmlparse/_compare && go run . [-rounds 5] [-only REGEXP] [-corpus FOLDER]
//
// The folder holds pages as NAME/source.html. It is a module of its own, so
// that the peers stay out of magpie's go.mod.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/tdewolff/parse/v2"
	tdewolff "github.com/tdewolff/parse/v2/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/magpie-crawl/magpie/htmlparse"
)

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 5, "how often each pair is measured; the median ratio counts")
	only := flag.String("only", "", "measure the pairs alone whose name matches this `regexp`")
	corpus := flag.String("corpus", "../../../shared/corpus/pages", "`folder` of pages, each NAME/source.html")
	flag.Parse()
	wanted, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	runtime.GOMAXPROCS(1)
	pages, err := readPages(*corpus)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d pages, %s, %d rounds\n", len(pages), runtime.Version(), *rounds)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tmagpie\tpeer\tratio\tallocations a page\tpeer\tKB a page\tpeer\t")
	for _, c := range comparisons {
		if wanted.MatchString(c.name) {
			c.prepare(pages).run(out, c.name, *rounds)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
	if wanted.MatchString("two cores") {
		compareCores(pages, *rounds)
	}
}

// compareCores parses the pages on one core and on two.
func compareCores(pages [][]byte, rounds int) {
	if runtime.NumCPU() < 2 {
		fmt.Println("two cores: this machine has one")
		return
	}
	var ratios []float64
	for range rounds {
		one := parseOn(1, pages)
		ratios = append(ratios, one.Seconds()/parseOn(2, pages).Seconds())
	}
	slices.Sort(ratios)
	fmt.Printf("two cores, pages in parallel: %.2f times one core\n", ratios[len(ratios)/2])
}

// parseOn gives what a pass over the pages takes on a number of cores.
func parseOn(cores int, pages [][]byte) time.Duration {
	runtime.GOMAXPROCS(cores)
	defer runtime.GOMAXPROCS(1)
	const passes = 10
	work := make(chan []byte, passes*len(pages))
	for range passes {
		for _, p := range pages {
			work <- p
		}
	}
	close(work)
	runtime.GC()
	start := time.Now()
	var workers sync.WaitGroup
	for range cores {
		workers.Go(func() {
			for p := range work {
				if err := parsePage(p); err != nil {
					log.Fatal(err)
				}
			}
		})
	}
	workers.Wait()
	return time.Since(start) / passes
}

// comparisons are what is measured. Each prepares its work when its turn comes, so that what the others keep in
// memory costs it nothing.
var comparisons = []struct {
	name    string
	prepare func(pages [][]byte) comparison
}{
	{"parse, x/net/html", parsing(parseXNet)},
	{"parse, goquery", parsing(parseGoquery)},
	{"parse 3 KB, x/net/html", parsingSmall},
	{"tokenize, x/net/html", func(pages [][]byte) comparison { return comparison{pages, tokenize, tokenizeXNet} }},
	{"tokenize, tdewolff/parse", func(pages [][]byte) comparison { return comparison{pages, tokenize, tokenizeTdewolff} }},
	{"render, x/net/html", rendering},
	{"parse windows-1251, x/net/html/charset", parsingEncoded("windows-1251")},
	{"parse Shift_JIS, x/net/html/charset", parsingEncoded("shift_jis")},
	{"parse GBK, x/net/html/charset", parsingEncoded("gbk")},
}

// comparison is the same work done by magpie and by a peer.
type comparison struct {
	pages      [][]byte
	ours, peer func(page []byte) error
}

func parsing(peer func([]byte) error) func([][]byte) comparison {
	return func(pages [][]byte) comparison { return comparison{pages, parsePage, peer} }
}

// parsingSmall parses the beginnings of the pages.
func parsingSmall(pages [][]byte) comparison {
	small := slices.Clone(pages)
	for i, p := range small {
		small[i] = p[:min(len(p), 3<<10)]
	}
	return comparison{small, parsePage, parseXNet}
}

// parsingEncoded parses the pages in another encoding than UTF-8.
func parsingEncoded(label string) func([][]byte) comparison {
	contentType := "text/html; charset=" + label
	ours := func(p []byte) error {
		_, err := htmlparse.ParseBytes(p, &htmlparse.Options{ContentType: contentType})
		return err
	}
	peer := func(p []byte) error {
		r, err := charset.NewReader(bytes.NewReader(p), contentType)
		if err != nil {
			return err
		}
		_, err = html.Parse(r)
		return err
	}
	return func(pages [][]byte) comparison { return comparison{transcode(pages, label), ours, peer} }
}

func parsePage(p []byte) error { _, err := htmlparse.ParseBytes(p, nil); return err }

func parseXNet(p []byte) error { _, err := html.Parse(bytes.NewReader(p)); return err }

func parseGoquery(p []byte) error {
	_, err := goquery.NewDocumentFromReader(bytes.NewReader(p))
	return err
}

func tokenize(p []byte) error {
	z := htmlparse.NewTokenizer(string(p), nil)
	for _, ok := z.Next(); ok; _, ok = z.Next() {
	}
	return nil
}

func tokenizeXNet(p []byte) error {
	z := html.NewTokenizer(bytes.NewReader(p))
	for z.Next() != html.ErrorToken {
		z.Token()
	}
	return nil
}

// tokenizeTdewolff cuts a page into the tokens of a lexer for minifiers, which knows neither character references nor
// most of the standard's states.
func tokenizeTdewolff(p []byte) error {
	l := tdewolff.NewLexer(parse.NewInputBytes(p))
	for {
		if kind, _ := l.Next(); kind == tdewolff.ErrorToken {
			return nil
		}
	}
}

// rendering writes the trees of the pages, which are parsed beforehand.
func rendering(pages [][]byte) comparison {
	trees := map[*byte]*html.Node{}
	for _, p := range pages {
		doc, err := htmlparse.ParseBytes(p, nil)
		if err != nil {
			log.Fatal(err)
		}
		trees[&p[0]] = doc.Root
	}
	return comparison{pages,
		func(p []byte) error { return htmlparse.Render(io.Discard, trees[&p[0]]) },
		func(p []byte) error { return html.Render(io.Discard, trees[&p[0]]) },
	}
}

// readPages reads the pages that are UTF-8.
func readPages(folder string) ([][]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "source.html"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no pages in %s: name the folder with -corpus", folder)
	}
	var pages [][]byte
	for _, f := range files {
		p, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		if htmlparse.Sniff(p, nil).Name == "UTF-8" {
			pages = append(pages, p)
		}
	}
	return pages, nil
}

// transcode writes pages in another encoding; characters that it lacks become
// question marks.
func transcode(pages [][]byte, label string) [][]byte {
	enc, err := htmlindex.Get(label)
	if err != nil {
		log.Fatal(err)
	}
	out := make([][]byte, len(pages))
	for i, p := range pages {
		e := enc.NewEncoder()
		var b strings.Builder
		for _, r := range string(p) {
			s, err := e.String(string(r))
			if err != nil {
				s = "?"
			}
			b.WriteString(s)
		}
		out[i] = []byte(b.String())
	}
	return out
}

// cost is what work on all pages took.
type cost struct {
	time   time.Duration
	allocs uint64
	bytes  uint64
}

func (c comparison) run(out io.Writer, name string, rounds int) {
	var ratios []float64
	var best, bestPeer cost
	for range rounds {
		ours, peer := measure(c.pages, c.ours), measure(c.pages, c.peer)
		ratios = append(ratios, float64(peer.time)/float64(ours.time))
		best, bestPeer = best.better(ours), bestPeer.better(peer)
	}
	slices.Sort(ratios)
	size := 0
	for _, p := range c.pages {
		size += len(p)
	}
	n := uint64(len(c.pages))
	rate := func(c cost) float64 { return float64(size) / 1e6 / c.time.Seconds() }
	fmt.Fprintf(out, "%s\t%.0f MB/s\t%.0f MB/s\t%.1f\t%d\t%d\t%d\t%d\t\n", name, rate(best), rate(bestPeer), ratios[len(ratios)/2],
		best.allocs/n, bestPeer.allocs/n, best.bytes/n/1000, bestPeer.bytes/n/1000)
}

// better is the cheaper of two; the zero cost stands for none.
func (c cost) better(d cost) cost {
	if c.time == 0 || d.time < c.time {
		return d
	}
	return c
}

// leastTime is how long a measurement goes on at least: collections of garbage
// have their share in it.
const leastTime = 300 * time.Millisecond

// measure gives what one pass over the pages costs, on average.
func measure(pages [][]byte, work func([]byte) error) cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	passes := 0
	for time.Since(start) < leastTime {
		for _, p := range pages {
			if err := work(p); err != nil {
				log.Fatal(err)
			}
			// A program that fetches waits between pages. Without that the
			// collector would have to wait on one core for the time slice to
			// end, while each pointer that is written costs more.
			runtime.Gosched()
		}
		passes++
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	n := uint64(passes)
	return cost{took / time.Duration(passes), (after.Mallocs - before.Mallocs) / n, (after.TotalAlloc - before.TotalAlloc) / n}
}
