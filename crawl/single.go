package crawl

import (
	"context"
	"fmt"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/weburl"
)

// Single is a page that was fetched by itself.
type Single struct {
	URL       string // where it was found in the end
	Redirects []string
	Page
}

// Single fetches one page as the crawl would, wherever it is: with the same
// user agent, fields, proxies and addresses that may be connected to. Neither
// robots.txt is asked nor is there a login: it is for a page that a person
// named, to see what the job makes of it. Redirects are followed, and another
// origin gets nothing that tells who asks.
//
// Whatever the server answers is a page; all else is an error.
func (c *Crawler) Single(ctx context.Context, rawURL string) (*Single, error) {
	u, err := weburl.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", rawURL, err)
	}
	transport := c.transport()
	defer transport.CloseIdleConnections()
	worker := fetch.NewWorker(transport, fetch.Options{UserAgent: c.opts.Politeness.UserAgent, BodyLimit: c.opts.Limits.Body})
	first, p := u.Origin(), &Single{URL: u.String()}
	for {
		header := c.secrets[first]
		if u.Origin() != first {
			header = nil
		}
		r, err := worker.Get(ctx, p.URL, header)
		if err != nil {
			return nil, fmt.Errorf("fetch %s: %w", p.URL, err)
		}
		if r.Location == "" || r.Location == p.URL {
			p.Page = Page{FetchedAt: r.FetchedAt, Duration: r.Duration, Status: r.Status, Header: r.Header, ContentType: r.ContentType,
				Body: r.Body, Truncated: r.Truncated, Warnings: r.Warnings}
			return p, nil
		}
		r.Release()
		p.Redirects = append(p.Redirects, p.URL)
		if len(p.Redirects) > singleRedirects {
			return nil, fmt.Errorf("fetch %s: it led through more than %d redirects", rawURL, singleRedirects)
		}
		if u, err = weburl.Parse(r.Location); err != nil {
			return nil, fmt.Errorf("fetch %s: redirect to %q: %w", rawURL, r.Location, err)
		}
		p.URL = u.String()
	}
}

// singleRedirects is how many redirects lead to a page at most.
const singleRedirects = 10
