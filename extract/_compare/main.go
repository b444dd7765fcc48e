// Command compare measures how fast and how well articles are read, by magpie
// and by its peers behind the parser of golang.org/x/net/html, in turn and in
// one process:
//
//	cd extract/_compare && go run . [-rounds 5] [-corpus FOLDER] [-snippets=false]
//
// The folder holds pages as NAME/source.html, with the article as
// NAME/expected.html. The expectations of the corpus were made by the program
// that go-readability is a port of, so a second set of pages is read: those in
// the module of go-trafilatura, for which people noted what belongs to the
// article and what doesn't. The command is a module of its own, so that its
// needs stay out of magpie's go.mod.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/extract/article"
	"github.com/magpie-crawl/magpie/extract/article/internal/score"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 5, "how often the readers are measured; the median ratio counts")
	corpus := flag.String("corpus", "../../../shared/corpus/pages", "`folder` of pages, each NAME/source.html with NAME/expected.html")
	snippets := flag.Bool("snippets", true, "read the pages of go-trafilatura's module, too")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	pages, err := readCorpus(*corpus)
	if err != nil {
		log.Fatal(err)
	}
	compareOnCorpus(pages, *rounds)
	if *snippets {
		noted, err := readNotedPages()
		if err != nil {
			log.Fatal(err)
		}
		compareOnSnippets(noted)
	}
}

// readers read the article of a page as it came.
var readers = []struct {
	name string
	read func(p page) *html.Node
}{
	{"magpie", ours(article.Read)},
	{"magpie, thorough", ours(readThoroughly)},
	{"magpie, all of --auto", byAuto},
	{"go-readability", byReadability},
	{"go-trafilatura", byTrafilatura},
}

func ours(read func(*html.Node, string) (*article.Article, bool)) func(page) *html.Node {
	return func(p page) *html.Node {
		doc, err := htmlparse.ParseBytes(p.source, &htmlparse.Options{Charset: "utf-8"})
		if err != nil {
			log.Fatal(err)
		}
		if a, ok := read(doc.Root, p.url.String()); ok {
			return a.Node
		}
		return nil
	}
}

// byAuto takes everything that a page says besides its article.
func byAuto(p page) *html.Node {
	doc, err := htmlparse.ParseBytes(p.source, &htmlparse.Options{Charset: "utf-8"})
	if err != nil {
		log.Fatal(err)
	}
	if data := extract.Auto(extract.Page{Root: doc.Root, URL: p.url}); data.Article != nil {
		return data.Article.Node
	}
	return nil
}

func byReadability(p page) *html.Node {
	root := parseXNet(p)
	reader := readability.NewParser()
	a, err := reader.ParseAndMutate(root, p.url)
	if err != nil {
		return nil
	}
	return a.Node
}

func byTrafilatura(p page) *html.Node {
	a, err := trafilatura.ExtractDocument(parseXNet(p), trafilatura.Options{OriginalURL: p.url})
	if err != nil {
		return nil
	}
	return a.ContentNode
}

func parseXNet(p page) *html.Node {
	root, err := html.Parse(bytes.NewReader(p.source))
	if err != nil {
		log.Fatal(err)
	}
	return root
}

// page is a page with what is known of its article: its text, or parts of it
// and of what is around it.
type page struct {
	source        []byte
	url           *url.URL
	truth         string
	with, without []string
}

func readCorpus(folder string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "source.html"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no pages in %s: name the folder with -corpus", folder)
	}
	u := &url.URL{Scheme: "http", Host: "fakehost", Path: "/test/page.html"}
	var pages []page
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		expected, err := os.ReadFile(filepath.Join(filepath.Dir(f), "expected.html"))
		if err != nil {
			return nil, err
		}
		pages = append(pages, page{source: source, url: u, truth: textOf(parseXNet(page{source: expected}))})
	}
	return pages, nil
}

// compareOnCorpus prints the rate and the scores of all readers.
func compareOnCorpus(pages []page, rounds int) {
	size := 0
	for _, p := range pages {
		size += len(p.source)
	}
	times := make([][]time.Duration, len(readers))
	for range rounds {
		for i, r := range readers {
			times[i] = append(times[i], measure(pages, r.read))
		}
	}
	fmt.Printf("%d pages, %s, %d rounds\n", len(pages), runtime.Version(), rounds)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "parse and read\tpages/s\tMB/s\tmagpie is faster by\tprecision\trecall\tF1\t")
	for i, r := range readers {
		scores := make([]score.Score, len(pages))
		for j, p := range pages {
			scores[j] = score.Texts(textOf(r.read(p)), p.truth)
		}
		m, best := score.Mean(scores), slices.Min(times[i]).Seconds()
		fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%.2f\t%.4f\t%.4f\t%.4f\t\n", r.name, float64(len(pages))/best, float64(size)/1e6/best,
			ratio(times[i], times[0]), m.Precision, m.Recall, m.F1)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// measure gives what a pass over the pages takes.
func measure(pages []page, read func(page) *html.Node) time.Duration {
	runtime.GC()
	start := time.Now()
	for _, p := range pages {
		read(p)
		runtime.Gosched() // as a program that fetches would, for the collector's sake
	}
	return time.Since(start)
}

// ratio is the median of the ratios of the rounds.
func ratio(peer, own []time.Duration) float64 {
	var list []float64
	for i := range peer {
		list = append(list, peer[i].Seconds()/own[i].Seconds())
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// textOf gives the text of all readers' results alike: with a line for each
// element but those that stand within a line.
func textOf(n *html.Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n *html.Node) {
	switch {
	case n == nil:
		return
	case n.Type == html.TextNode:
		b.WriteString(n.Data)
		return
	case slices.Contains([]string{"script", "style", "template", "noscript"}, n.Data):
		return
	}
	end := "\n"
	if slices.Contains(inLine, n.Data) {
		end = ""
	}
	b.WriteString(end)
	for c := range n.ChildNodes() {
		write(b, c)
	}
	b.WriteString(end)
}

var inLine = strings.Fields("a abbr b bdi bdo cite code del em font i ins kbd mark q s samp small span strong sub sup time u var wbr")
