package crawl

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ReasonBudget is that of URLs beyond Limits.PerHost or Limits.Paths.
const ReasonBudget Reason = "budget"

// budgets count the pages that are asked for, by host and by pattern. A page
// counts from its first request on, whatever becomes of it, so that a budget is
// never exceeded.
type budgets struct {
	perHost int // 0: no limit
	paths   []rule

	mu    sync.Mutex
	hosts map[string]int     // pages asked for
	asked []int              // by index in paths
	tried map[int64]struct{} // pages that have failed without being asked for, by the requests' IDs
}

func newBudgets(l Limits) (*budgets, error) {
	b := &budgets{perHost: l.PerHost, hosts: map[string]int{}, asked: make([]int, len(l.Paths)), tried: map[int64]struct{}{}}
	var errs []error
	for _, p := range l.Paths {
		r, err := compileRule(p.URL, p.Pages, "limits.paths")
		if err == nil && p.Pages < 1 {
			err = fmt.Errorf("pages of %q is %d: it must be at least 1", p.URL, p.Pages)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		b.paths = append(b.paths, r)
	}
	return b, errors.Join(errs...)
}

func (b *budgets) none() bool { return b.perHost == 0 && len(b.paths) == 0 }

// load counts what the run asked for before it was interrupted.
func (b *budgets) load(ctx context.Context, run Run) error {
	clear(b.hosts)
	clear(b.asked)
	clear(b.tried)
	if b.none() {
		return nil
	}
	return run.Asked(ctx, func(url, host string) bool {
		b.count(url, host)
		return true
	})
}

func (b *budgets) count(url, host string) {
	if b.perHost > 0 {
		b.hosts[host]++
	}
	for i, p := range b.paths {
		if p.pattern.Match(url) {
			b.asked[i]++
		}
	}
}

// take counts a page that is about to be asked for. It returns what stands in
// the way, "" if nothing does.
func (b *budgets) take(r *Request) (limit string) {
	if b.none() || r.Kind != PageKind {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, uncounted := b.tried[r.ID]
	if delete(b.tried, r.ID); r.Attempts > 0 && !uncounted {
		return "" // counted when it was asked for first
	}
	if b.perHost > 0 && b.hosts[r.Host] >= b.perHost {
		return fmt.Sprintf("limits.per_host: %d pages of %s were asked for", b.perHost, r.Host)
	}
	for i, p := range b.paths {
		if b.asked[i] >= p.number && p.pattern.Match(r.URL) {
			return fmt.Sprintf("limits.paths: %d pages of %s were asked for", p.number, p.pattern)
		}
	}
	b.count(r.URL, r.Host)
	return ""
}

// pass notes that a page fails for now without being asked for: what it counts
// for is seen when it is.
func (b *budgets) pass(r *Request) {
	if b.none() || r.Kind != PageKind || r.Attempts > 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tried[r.ID] = struct{}{}
}
