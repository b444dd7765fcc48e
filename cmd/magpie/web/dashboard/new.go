package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/draft"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// jobTemplate is a job file to start from.
type jobTemplate struct {
	ID, Name, About, Source string
	Link                    string
}

// jobTemplates are what new jobs are made from. The addresses in them belong to
// nobody, so that one that is started as it is does no harm.
var jobTemplates = []jobTemplate{
	{ID: "products", Name: "Things on pages of their own", About: "such as products: links are followed, each page that fits gives a record", Source: `name: shop
start: https://example.com/
limits: {pages: 100}            # take this away once the records are right
schedule: {cron: "@daily"}      # or a time: "30 6 * * mon-fri"
items:
  product:
    when: {url: "*/product/*"}  # only pages like this hold a record
    key: [sku]                  # what a product is known by from run to run
    fields:
      sku: {css: "[itemprop=sku]", required: true}
      name: {css: h1, required: true}
      price: {css: .price, as: price}
      image: {css: "img.main", attr: src, as: url}
`},
	{ID: "list", Name: "Rows of a list", About: "one page, or several by its link to the next, with a record for each row", Source: `name: listing
start: https://example.com/list
follow: ["a.next"]              # no other links
schedule: {cron: "@hourly"}
items:
  entry:
    each: "table tr"            # a record for each match
    key: [title]
    fields:
      title: {css: "td:first-child", required: true}
      link: {css: a, attr: href, as: url}
`},
	{ID: "articles", Name: "Articles", About: "news or a blog: title, date and text, by what pages say of themselves", Source: `name: articles
start: https://example.com/blog/
limits: {pages: 100}            # take this away once the records are right
schedule: {cron: "@daily"}
items:
  article:
    when: {url: "*/blog/*"}
    fields:
      title: [{opengraph: title}, h1]
      published: {article: date}
      text: {article: markdown}
`},
}

// newJob is the page where a job is begun.
func (d *dashboard) newJob(r *http.Request) (*view, error) {
	p, v, err := d.newEditor(r)
	if err != nil {
		return nil, err
	}
	for _, t := range jobTemplates {
		if t.ID == r.URL.Query().Get("template") {
			p.Source, p.Examples = t.Source, false
			p.File = t.ID + ".yaml"
			p.Checked = d.check(p.File, p.Source)
		}
	}
	return v, nil
}

func (d *dashboard) newEditor(r *http.Request) (*editPage, *view, error) {
	if d.Daemon == nil {
		return nil, nil, &refusal{Status: http.StatusNotFound, Text: "No folder of job files is served."}
	}
	p := &editPage{New: true, Action: "/new", Examples: r.Method == http.MethodGet}
	for _, t := range jobTemplates {
		t.Link = "/new?" + url.Values{"template": {t.ID}}.Encode()
		p.Drafts = append(p.Drafts, t)
	}
	return p, &view{Template: "edit", Title: "New job", Tab: "new", Data: p, Styles: []string{"data.css"}, Scripts: []string{"editor.js"}}, nil
}

// newForm answers the form of a new job.
func (d *dashboard) newForm(w http.ResponseWriter, r *http.Request) {
	d.answerForm(w, r, d.newEditor, "/new")
}

// draft looks at a page and writes a job file for it. The page is one that a
// person named: it may have a private address, as the job's start will, and
// robots.txt is left to the job.
func (d *dashboard) draft(ctx context.Context, p *editPage) {
	p.Examples = true
	fail := func(err error) { p.Trouble = &trouble{Text: words.Sentence(err.Error())} }
	if _, err := addressOf(p.Page); err != nil {
		fail(err)
		return
	}
	page, _, err := fetchSingle(ctx, crawl.Options{Start: []string{p.Page}, Politeness: crawl.Politeness{Robots: crawl.RobotsIgnore}}, p.Page)
	if err != nil {
		fail(err)
		return
	}
	if page.Status < 200 || page.Status > 299 {
		p.Trouble = &trouble{Text: fmt.Sprintf("The server answered with the status %d: a draft needs the page itself.", page.Status)}
		return
	}
	done, err := rereadTurn(ctx)
	if err != nil {
		p.Trouble = &trouble{Text: "Others are looking into pages at the moment: try again in a minute."}
		return
	}
	defer done()
	stored, err := parseStored(&store.Page{URL: page.URL, Response: &store.Response{ContentType: page.ContentType, Header: page.Header, FetchedAt: page.FetchedAt}}, page.Body)
	if err != nil {
		fail(err)
		return
	}
	made := &draft.Draft{Page: stored.tree, Now: d.now()}
	made.Guess()
	p.Source, p.Examples = made.Text(), false
	p.File = strings.Trim(draft.SiteName(stored.tree.URL), "-") + ".yaml"
	p.Checked = d.check(p.File, p.Source)
}
