package store

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// pages yields the stored responses of the job, of each URL the last one or
// with Since those of later runs, in the order in which the URLs were first
// met. Pages whose body is not kept are left out.
func (x *export) pages(ctx context.Context) iter.Seq2[*dataset.Page, error] {
	return func(yield func(*dataset.Page, error) bool) {
		for p, err := range x.db.lastResponses(ctx, x.options.Job) {
			if err != nil {
				yield(nil, err)
				return
			}
			if p.Run <= x.options.Since {
				continue
			}
			body, err := x.db.Body(ctx, p.Response)
			if errors.Is(err, ErrNotKept) {
				continue
			}
			if err != nil {
				yield(nil, fmt.Errorf("export %s: %w", p.URL, err))
				return
			}
			r := p.Response
			if !yield(&dataset.Page{URL: p.URL, FetchedAt: r.FetchedAt, Status: r.Status, Header: r.Header, Body: body, Truncated: r.Truncated}, nil) {
				return
			}
			x.count()
		}
	}
}
