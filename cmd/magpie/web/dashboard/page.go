package dashboard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/why"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/store"
)

// pagePage is all about a URL that a job met.
type pagePage struct {
	URL      string
	Path     string // of the job
	Tabs     []tab  // facts, source, text
	Show     string
	Why      *why.Page // nil: the job has not met it
	Not      []string  // why it has not
	State    state
	Headers  []headerLine
	Download string // the body as it was received; "": there is none
	History  []historyRow
	Trail    []link
	Location string
	Records  []pageRecords
	Missing  string // why the body can't be shown
	Encoding htmlparse.Encoding
	Faults   int
	Errors   []errorLine
	Lines    []sourceLine
	Cut      bool   // the source is longer
	Text     string // as fields see it
}

type headerLine struct{ Name, Value string }

// historyRow is what became of a URL in a run.
type historyRow struct {
	store.Page
	Outcome state
	Link    string
}

// pageRecords are the current records of an item that a page showed last.
type pageRecords struct {
	Item string
	More bool
	Rows []link
}

// errorLine is a parse error with the line that it is on.
type errorLine struct {
	htmlparse.ParseError
	Before, At, After string
	More              bool // the line goes on
	Link              string
}

// sourceLine is a line of a source; Wrong says that a parse error is on it.
type sourceLine struct {
	Number int
	Text   string
	Wrong  bool
}

// What is shown of a source and of a text, in bytes.
const sourceShown, textShown = 500_000, 200_000

// page is the page of a URL.
func (d *dashboard) page(r *http.Request) (*view, error) {
	ctx, job, q := r.Context(), r.PathValue("job"), r.URL.Query()
	address := canonical(q.Get("url"))
	run, _ := runOf(q)
	p := &pagePage{URL: address, Path: jobPath(job), Show: q.Get("show")}
	v := &view{Template: "page", Title: "Page", Job: job, Tab: "pages", Data: p, Styles: []string{"data.css"},
		Crumbs: []link{{"Pages", p.Path + "/pages"}, {Name: address}}}
	known, err := d.pageOf(ctx, job, address, run)
	if errors.Is(err, store.ErrNotFound) && run == 0 {
		v.Status = http.StatusNotFound
		return v, d.readNotMet(ctx, job, p)
	} else if err != nil {
		return nil, err
	}
	if p.Why, err = why.Read(ctx, d.db, known); err != nil {
		return nil, err
	}
	p.facts(job)
	for _, t := range []struct{ show, name string }{{"", "What is known"}, {"source", "Source"}, {"text", "Text"}} {
		to := pagePath(job, address, run)
		if t.show != "" {
			to += "&show=" + t.show
		}
		p.Tabs = append(p.Tabs, tab{t.name, to, t.show == p.Show})
	}
	if p.Show == "" {
		if err := d.readPageRecords(ctx, job, p); err != nil {
			return nil, err
		}
	}
	return v, d.readBody(ctx, p)
}

func runOf(q url.Values) (run int, err error) {
	if q.Get("run") == "" {
		return 0, nil
	}
	_, err = fmt.Sscanf(q.Get("run"), "%d", &run)
	return max(run, 0), err
}

// facts makes ready what is known without the body.
func (p *pagePage) facts(job string) {
	page := p.Why.Page
	p.State = pageState(page)
	for _, from := range p.Why.Trail {
		p.Trail = append(p.Trail, link{from, pagePath(job, from, 0)})
	}
	for i := range p.Why.History {
		h := &p.Why.History[i]
		p.History = append(p.History, historyRow{*h, pageState(h), pagePath(job, h.URL, h.Run)})
	}
	slices.Reverse(p.History)
	r := page.Response
	if r == nil {
		return
	}
	p.Encoding = r.Encoding
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			p.Headers = append(p.Headers, headerLine{name, value})
		}
	}
	if r.Location != "" {
		p.Location = pagePath(job, r.Location, 0)
	}
	p.Download = p.Path + "/page/body?" + url.Values{"url": {page.URL}, "run": {fmt.Sprint(page.Run)}}.Encode()
}

// readNotMet says why a job did not come to a URL.
func (d *dashboard) readNotMet(ctx context.Context, job string, p *pagePage) error {
	run, err := d.db.LastCrawl(ctx, job)
	if err != nil {
		return err
	}
	x, err := why.Explain(ctx, d.db, job, p.URL)
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		p.Not = []string{err.Error()}
	default:
		p.Not = why.Not(x, run)
	}
	for i := range p.Not {
		p.Not[i] = words.Sentence(p.Not[i])
	}
	return nil
}

// recordsOfPage is how many records of an item are listed at a page.
const recordsOfPage = 20

// readPageRecords lists the records that the page showed last.
func (d *dashboard) readPageRecords(ctx context.Context, job string, p *pagePage) error {
	items, err := d.db.ItemTypes(ctx, job)
	if err != nil {
		return err
	}
	for _, i := range items {
		page, err := d.db.RecordsPage(ctx, store.RecordsQuery{Job: job, Item: i.Name, Limit: recordsOfPage,
			Filters: []store.FieldFilter{{Field: store.URLField, Op: store.Equal, Value: p.Why.URL}}})
		if err != nil {
			return err
		}
		if len(page.Records) == 0 {
			continue
		}
		list := pageRecords{Item: i.Name, More: page.Next != ""}
		for _, r := range page.Records {
			list.Rows = append(list.Rows, link{values.Key(r.Key), recordPath(job, i.Name, r.Key)})
		}
		p.Records = append(p.Records, list)
	}
	return nil
}

// readBody reads the stored body again. Nothing of it is ever active: it is
// written as text, line by line.
func (d *dashboard) readBody(ctx context.Context, p *pagePage) error {
	if r := p.Why.Response; r != nil && !isText(r.ContentType) {
		p.Missing = "The body is no text."
		return nil
	}
	done, err := rereadTurn(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := d.reread(ctx, p.Why.Page)
	switch {
	case errors.Is(err, errNoResponse):
		p.Missing, p.Download = "There was no response.", ""
	case errors.Is(err, store.ErrNotKept):
		p.Missing, p.Download = words.Sentence(err.Error()), ""
	case unreadable(err):
		p.Missing = words.Sentence(err.Error())
	case err != nil:
		return err
	default:
		p.take(s)
	}
	return nil
}

// isText tells of a Content-Type whether there is a sense in reading it.
func isText(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil || strings.HasPrefix(kind, "text/") {
		return true // pages whose header is wrong are pages all the same
	}
	for _, part := range []string{"html", "xml", "json", "javascript"} {
		if strings.Contains(kind, part) {
			return true
		}
	}
	return false
}

func (p *pagePage) take(s *storedPage) {
	p.Encoding, p.Faults = s.Doc.Encoding, s.Faults
	switch p.Show {
	case "text":
		if body := bodyOf(s.Doc.Root); body != nil {
			p.Text = extract.TextOf(body)
		}
		if len(p.Text) > textShown {
			p.Text, p.Cut = p.Text[:runeStart(p.Text, textShown)], true
		}
	case "source":
		p.takeSource(s)
	default:
		lines := sourceLines(s.Text)
		for _, e := range s.Errors {
			p.Errors = append(p.Errors, errorLineOf(lines, e, p.Tabs[1].Link))
		}
	}
}

// takeSource takes the lines of the source, up to what is shown of it.
func (p *pagePage) takeSource(s *storedPage) {
	text := s.Text
	if len(text) > sourceShown {
		text, p.Cut = text[:runeStart(text, sourceShown)], true
	}
	wrong := map[int]bool{}
	for _, e := range s.Errors {
		wrong[e.Line] = true
	}
	for i, line := range sourceLines(text) {
		p.Lines = append(p.Lines, sourceLine{i + 1, line, wrong[i+1]})
	}
}

// errorLineOf cuts a line around the place of an error.
func errorLineOf(lines []string, e htmlparse.ParseError, source string) errorLine {
	x := errorLine{ParseError: e, Link: fmt.Sprintf("%s#L%d", source, e.Line)}
	if e.Line < 1 || e.Line > len(lines) {
		return x
	}
	line := []rune(lines[e.Line-1])
	at := min(max(e.Column-1, 0), len(line))
	from, to := max(0, at-60), min(len(line), at+40)
	end := min(at+1, len(line))
	x.Before, x.At, x.After = string(line[from:at]), string(line[at:end]), string(line[end:to])
	x.More = to < len(line)
	return x
}

func bodyOf(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (c.Data == "body" || c.Data == "frameset") {
			return c
		} else if c.Type == html.ElementNode && c.Data == "html" {
			return bodyOf(c)
		}
	}
	return n
}

// sending bounds how many bodies are on their way at a time.
var sending = make(chan struct{}, 4)
