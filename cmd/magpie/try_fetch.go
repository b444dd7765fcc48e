package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/crawl"
)

// fetchAsCrawl gets one page as a crawl of the job would: if robots.txt allows
// it, with the job's fields, credentials and proxies, and after its login.
func (e *extraction) fetchAsCrawl(ctx context.Context, address string) (*input, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	c, err := crawl.New(e.flags.loaded.Options)
	if err != nil {
		return nil, err
	}
	page, err := c.Single(ctx, address)
	if err != nil {
		return nil, words.Unfetched(err)
	}
	at, err := url.Parse(page.URL)
	if err != nil {
		return nil, err
	}
	for _, w := range page.Warnings {
		e.notice(notice{Kind: "note", Input: address, Detail: w})
	}
	if x, err := c.Explain(page.URL); err == nil && x.Reason != "" {
		e.notice(notice{Kind: "note", Input: address, Detail: "a crawl would not go there: " + cmp.Or(x.Rule, string(x.Reason))})
	}
	in := &input{name: address, body: page.Body, contentType: page.ContentType, header: page.Header, url: at}
	if lang := strings.TrimSpace(page.Header.Get("Content-Language")); !strings.Contains(lang, ",") {
		in.language = lang
	}
	if page.Status < 200 || page.Status > 299 {
		in.status = fmt.Sprintf("%d %s", page.Status, http.StatusText(page.Status))
	}
	return in, nil
}
