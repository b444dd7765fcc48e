package extract

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/article"
)

// Page is what records are taken from.
type Page struct {
	Root *html.Node // the document node
	URL  *url.URL   // the page's address; relative URLs start from it unless the document has a base
	Lang string     // BCP 47 tag from outside the document, such as Content-Language; counts where no lang attribute does

	Header    http.Header // of the response; nil: not known
	FetchedAt time.Time   // what "yesterday" is seen from; zero: now
}

// Extractor is a compiled Spec, safe for concurrent use.
type Extractor struct {
	spec  Spec
	items []item
}

// Spec returns what x was compiled from.
func (x *Extractor) Spec() Spec { return x.spec }

// Extract takes the records from a page, item by item in the spec's order,
// the records of an item in document order. It fails no page: what is wrong
// is a Problem of the record or makes it a reject. The work for one page is
// bounded: a page that asks for more than any real page does ends with a
// reject that has a ProblemLimit.
func (x *Extractor) Extract(p Page) Result { return x.extract(p, nil) }

func (x *Extractor) extract(p Page, t *trace) Result {
	if p.Root == nil {
		return Result{}
	}
	e := extraction{work: newWork(&p), trace: t}
	for i := range x.items {
		if it := &x.items[i]; it.applies(e.url) {
			e.item(it)
		}
	}
	return e.result
}

// applies reports whether the item is of pages at url.
func (it *item) applies(url string) bool {
	for _, p := range it.when {
		if p.Match(url) {
			return true
		}
	}
	return len(it.when) == 0
}

// extraction is the work on one page and what came of it.
type extraction struct {
	work
	trace    *trace // nil: nobody asks
	result   Result
	problems []Problem // of the record in hand
	failures int       // how many there are, with those that aren't told
	why      absence   // why the last value looked for was not found

	jqTime time.Duration // spent

	data        map[string]*structuredData // by format, once it is asked for
	article     *article.Article           // nil: the page has none, or nobody asked
	articleRead bool
}

func (e *extraction) item(it *item) {
	if it.each == nil {
		e.record(it, scope{node: e.root}, 0)
		return
	}
	position := 0
	e.matches(it.each, it.siblings, scope{node: e.root}, func(sc scope) bool {
		e.record(it, sc, position)
		position++
		return !e.exhausted()
	})
	if e.exhausted() && position == 0 {
		e.record(it, scope{}, 0)
	}
}

// record takes one record from a scope, which is empty where the work was used
// up before one was found.
func (e *extraction) record(it *item, sc scope, position int) {
	r := Record{Item: it.name, URL: e.url, Position: position}
	e.problems, e.failures = nil, 0
	if e.trace != nil {
		e.trace.item, e.trace.position = it.name, position
	}
	complete := false
	if sc.node != nil {
		r.Fields, complete = e.object(&it.fieldList, sc, nil)
	}
	if it.check != nil && complete && !e.exhausted() {
		if err := it.check.holds(&e.work, r.Fields, nil); err != nil {
			e.problem(place{index: -1}, ProblemCheck, err.Error())
			complete = false
		}
	}
	r.Key = e.key(it, r.Fields, position)
	if more := e.failures - maxProblems; more > 0 {
		e.problems = append(e.problems, Problem{Code: ProblemLimit, Detail: fmt.Sprintf("%d more problems are not told", more)})
	}
	if e.exhausted() {
		e.problems = append(e.problems, Problem{Code: ProblemLimit, Detail: "the page asks for more work than is done for one page: records and values are missing"})
		complete = false
	}
	r.Problems = e.problems
	if complete {
		e.result.Records = append(e.result.Records, r)
	} else {
		e.result.Rejects = append(e.result.Rejects, r)
	}
}

// key returns what identifies a record across runs: its key fields as a JSON
// array, or the page, with the position where a page has several.
func (e *extraction) key(it *item, fields Object, position int) string {
	if len(it.key) > 0 {
		values := make([]any, len(it.key))
		whole := true
		for i, name := range it.key {
			v, ok := fields.Get(name)
			if values[i] = v; !ok {
				whole = false
				e.problems = append(e.problems, Problem{name, ProblemKey, "the key field is absent: the record is identified by its page"})
			}
		}
		if key, err := appendJSON(nil, values); whole && err == nil {
			return string(key)
		}
	}
	if it.each == nil {
		return e.url
	}
	return e.url + "#" + strconv.Itoa(position)
}
