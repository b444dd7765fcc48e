// Command fields measures extract against goquery on real pages, in turn and
// in one process, and prints the ratios as a table:
//
//	cd extract/_compare && go run ./fields [-rounds 5] [-only REGEXP] [-corpus FOLDER]
//
// The folder holds pages as NAME/source.html, which are parsed beforehand. It
// is a module of its own, so that the peers stay out of magpie's go.mod.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// wanted is one field: a selector and the attribute to take, "" for the text.
type wanted struct{ css, attr string }

// fields are twenty as people write them. About half of them are on an
// ordinary page of the corpus.
var fields = []wanted{
	{"title", ""},
	{"h1", ""},
	{`meta[name="description"]`, "content"},
	{`meta[property="og:title"]`, "content"},
	{`meta[property="og:image"]`, "content"},
	{`link[rel="canonical"]`, "href"},
	{"time[datetime]", "datetime"},
	{".author", ""},
	{".byline a", "href"},
	{`a[rel="author"]`, ""},
	{"#content p", ""},
	{"article header h1, .entry-title, .post-title", ""},
	{"article > p:first-of-type", ""},
	{"article p:nth-child(2)", ""},
	{"figure > img[src]", "src"},
	{"figure figcaption", ""},
	{"nav ul > li:nth-child(2) > a", "href"},
	{".comments .comment .comment-author", ""},
	{"table tr:nth-child(2) td", ""},
	{"#footer a, footer a", "href"},
}

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 5, "how often each pair is measured; the median ratio counts")
	only := flag.String("only", "", "measure the pairs alone whose name matches this `regexp`")
	corpus := flag.String("corpus", "../../../shared/corpus/pages", "`folder` of pages, each NAME/source.html")
	flag.Parse()
	names, err := regexp.Compile(*only)
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
	fmt.Fprintln(out, "\tmagpie µs a page\tpeer\tratio\tallocations a page\tpeer\tKB a page\tpeer\t")
	ours := ourFields()
	for _, peer := range peers {
		if names.MatchString(peer.name) {
			compare(out, peer.name, pages, ours, peer.prepare(), *rounds)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// peers are the ways in which goquery can find twenty fields.
var peers = []struct {
	name    string
	prepare func() func(*html.Node) int
}{
	{"20 fields, goquery with compiled selectors", func() func(*html.Node) int { return compiledFields(asIs) }},
	{"20 fields, goquery with selectors as strings", func() func(*html.Node) int { return stringFields }},
	{"20 fields, goquery with compiled selectors that stop at the first match", func() func(*html.Node) int { return compiledFields(goquery.SingleMatcher) }},
}

// ourFields takes the fields with one compiled spec.
func ourFields() func(*html.Node) int {
	item := extract.Item{Name: "page"}
	for i, f := range fields {
		item.Fields = append(item.Fields, extract.Field{Name: "f" + strconv.Itoa(i), CSS: f.css, Attr: f.attr})
	}
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{item}})
	if err != nil {
		log.Fatal(err)
	}
	return func(root *html.Node) int {
		found := 0
		for _, r := range x.Extract(extract.Page{Root: root}).Records {
			found += len(r.Fields)
		}
		return found
	}
}

// stringFields is what is written most often.
func stringFields(root *html.Node) (found int) {
	doc := goquery.NewDocumentFromNode(root)
	for _, f := range fields {
		found += take(doc.Find(f.css).First(), f)
	}
	return found
}

func asIs(m goquery.Matcher) goquery.Matcher { return m }

// compiledFields has the selectors compiled once, wrapped by change.
func compiledFields(change func(goquery.Matcher) goquery.Matcher) func(*html.Node) int {
	matchers := make([]goquery.Matcher, len(fields))
	for i, f := range fields {
		group, err := cascadia.Compile(f.css)
		if err != nil {
			log.Fatal(err)
		}
		matchers[i] = change(group)
	}
	return func(root *html.Node) (found int) {
		doc := goquery.NewDocumentFromNode(root)
		for i, f := range fields {
			found += take(doc.FindMatcher(matchers[i]).First(), f)
		}
		return found
	}
}

// take gives 1 for a value that is there.
func take(s *goquery.Selection, f wanted) int {
	value := ""
	if f.attr == "" {
		value = s.Text()
	} else {
		value, _ = s.Attr(f.attr)
	}
	return min(1, len(value))
}

// readPages parses the pages.
func readPages(folder string) ([]*html.Node, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "source.html"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no pages in %s: name the folder with -corpus", folder)
	}
	var pages []*html.Node
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		doc, err := htmlparse.ParseBytes(src, nil)
		if err != nil {
			return nil, err
		}
		pages = append(pages, doc.Root)
	}
	return pages, nil
}

// cost is what work on all pages took.
type cost struct {
	time          time.Duration
	allocs, bytes uint64
}

func compare(out *tabwriter.Writer, name string, pages []*html.Node, ours, peer func(*html.Node) int, rounds int) {
	var ratios []float64
	var best, bestPeer cost
	for range rounds {
		a, b := measure(pages, ours), measure(pages, peer)
		ratios = append(ratios, float64(b.time)/float64(a.time))
		best, bestPeer = best.better(a), bestPeer.better(b)
	}
	slices.Sort(ratios)
	n := uint64(len(pages))
	each := func(c cost) float64 { return float64(c.time.Microseconds()) / float64(n) }
	fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%.1f\t%d\t%d\t%d\t%d\t\n", name, each(best), each(bestPeer), ratios[len(ratios)/2],
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
func measure(pages []*html.Node, work func(*html.Node) int) cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	passes, found := 0, 0
	for time.Since(start) < leastTime {
		for _, p := range pages {
			found += work(p)
		}
		passes++
	}
	if found == 0 {
		log.Fatal("no field was found on any page")
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	n := uint64(passes)
	return cost{took / time.Duration(passes), (after.Mallocs - before.Mallocs) / n, (after.TotalAlloc - before.TotalAlloc) / n}
}
