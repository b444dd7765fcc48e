package api

import (
	"fmt"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/download"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/weburl"
)

// page finds the page that a call asks for.
func (c *call) page() (*store.Page, error) {
	url := c.text("url")
	if u, err := weburl.Parse(url); err == nil {
		url = u.String() // as crawls keep it
	}
	return c.DB.Page(c.ctx, c.job(), url, c.int("run"))
}

func (c *call) getPage() (any, error) {
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	m := machine.PageDetail{Page: machine.PageOf(p), Trail: []string{}, History: []machine.Page{}}
	trail, err := c.DB.Trail(c.ctx, p.Job, p.URL)
	if err != nil {
		return nil, err
	}
	m.Trail = append(m.Trail, trail...)
	history, err := c.DB.History(c.ctx, p.Job, p.URL)
	for i := range history {
		m.History = append(m.History, machine.PageOf(&history[i]))
	}
	return m, err
}

// getBody gives a stored body away as bytes that no browser shows: it may be a
// page full of scripts.
func (c *call) getBody() (any, error) {
	p, err := c.page()
	switch {
	case err != nil:
		return nil, err
	case p.Response == nil:
		return nil, problem.New(http.StatusNotFound, "the page's reason and detail say why", "%s was not fetched", p.URL)
	}
	body, err := c.DB.Body(c.ctx, p.Response)
	if err != nil {
		return nil, err
	}
	download.SetHeaders(c.w.Header(), fmt.Sprintf("body-%.12x.bin", p.Response.SHA256))
	c.w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	if c.r.Method != http.MethodHead {
		c.w.Write(body)
	}
	return nil, nil
}
