package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// pagesPage is a page of the URLs that a job met.
type pagesPage struct {
	Path    string
	Asked   store.PagesQuery
	URL     string // what the address of the form says
	States  []string
	Reasons []string
	Rows    []pageRow
	Pager   pager
	Partial bool
	Seen    int64
	Fault   string
	Any     bool // there are conditions
}

// pageRow is a URL.
type pageRow struct {
	*store.Page
	State state
	Link  string
}

const pagesShown = 100

// pages is the page of a job's URLs.
func (d *dashboard) pages(r *http.Request) (*view, error) {
	ctx, job, q := r.Context(), r.PathValue("job"), r.URL.Query()
	if err := d.known(ctx, job); err != nil {
		return nil, err
	}
	p := &pagesPage{Path: jobPath(job), URL: q.Get("url"), States: []string{"done", "failed", "skipped", "pending"}, Reasons: reasonNames(q.Get("reason"))}
	v := &view{Template: "pages", Title: "Pages", Job: job, Tab: "pages", Styles: []string{"data.css"}, Crumbs: []link{{Name: "Pages"}}, Data: p}
	p.Asked = store.PagesQuery{Job: job, State: q.Get("state"), Reason: q.Get("reason"), Host: q.Get("host"), Contains: p.URL, After: q.Get("after"), Limit: pagesShown}
	p.Asked.Run, _ = strconv.Atoi(q.Get("run"))
	p.Asked.Status, _ = strconv.Atoi(q.Get("status"))
	p.Any = p.Asked.State+p.Asked.Reason+p.Asked.Host+p.URL != "" || p.Asked.Run+p.Asked.Status > 0
	page, err := d.db.PagesPage(ctx, p.Asked)
	if fault, ok := errors.AsType[*store.QueryFault](err); ok {
		p.Fault, v.Status = words.Sentence(fault.Error()), http.StatusBadRequest
		return v, nil
	}
	if errors.Is(err, store.ErrNotFound) && p.Asked.Run == 0 {
		return v, nil // not run yet
	}
	if err != nil {
		return nil, err
	}
	for i := range page.Pages {
		row := &page.Pages[i]
		p.Rows = append(p.Rows, pageRow{row, pageState(row), pagePath(job, row.URL, p.Asked.Run)})
	}
	p.Partial, p.Seen = page.Partial, page.Seen
	p.Pager = pager{Name: "Pages of the list", NewerName: "First", OlderName: "Next"}
	if page.Partial {
		p.Pager.OlderName = "Look further"
	}
	if p.Asked.After != "" {
		p.Pager.Newer = p.with(q, "")
	}
	if page.Next != "" {
		p.Pager.Older = p.with(q, page.Next)
	}
	return v, nil
}

func (p *pagesPage) with(q url.Values, after string) string {
	next := url.Values{}
	for _, name := range []string{"state", "reason", "status", "host", "url", "run"} {
		if q.Get(name) != "" {
			next.Set(name, q.Get(name))
		}
	}
	if after != "" {
		next.Set("after", after)
	}
	return p.Path + "/pages?" + next.Encode()
}

// reasonNames are the reasons that can be chosen, and the one that is.
func reasonNames(chosen string) []string {
	names := []string{"http-404", "http-410", "http-403", "http-429", "http-500", "http-503", "timeout", "dns", "refused", "reset", "tls"}
	for reason := range reasonTexts {
		names = append(names, string(reason))
	}
	if chosen != "" && !slices.Contains(names, chosen) {
		names = append(names, chosen)
	}
	slices.Sort(names)
	return names
}

// pageState says what became of a URL, by shape, word and reason.
func pageState(p *store.Page) state {
	s := state{Word: strings.ToUpper(store.StateName(p.State)[:1]) + store.StateName(p.State)[1:]}
	switch p.State {
	case crawl.Done:
		s.Kind = "ok"
	case crawl.Failed:
		s.Kind = "bad"
	case crawl.Pending:
		s.Kind = "queued"
	default:
		s.Kind = "stopped"
	}
	if p.Reason != "" {
		s.Detail = reasonText(p.Reason)
	}
	return s
}
