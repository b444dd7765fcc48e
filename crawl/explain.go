package crawl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/weburl"
)

// Explanation is what a crawl makes of a link to a URL.
type Explanation struct {
	URL    string // canonical
	Reason Reason // why it is skipped; "": it is fetched, unless its depth or robots.txt forbid
	Rule   string // what of the job says so, for people; "" without Reason
}

// Explain tells what the crawl makes of a link to a URL wherever it is found,
// and by which rule of the job. The error says that it is no URL that can be
// crawled. It may be called from any goroutine, also while the Crawler crawls.
func (c *Crawler) Explain(rawURL string) (Explanation, error) {
	u, err := weburl.Parse(rawURL)
	if err != nil {
		return Explanation{}, fmt.Errorf("%q: %w", rawURL, err)
	}
	x := Explanation{URL: u.String(), Reason: c.verdict(u, PageKind, 0)}
	if x.Reason == ReasonScope {
		x.Rule = c.scope.exclusion(u, c.opts.Scope)
	}
	return x, nil
}

// exclusion says which rule of the scope keeps a URL out, "" if none does.
func (s *scope) exclusion(u weburl.URL, o Scope) string {
	if s.starts[u] {
		return ""
	}
	if unit := s.unit(u); s.within != WithinAny && !s.has(unit) {
		what, wider := "host", "domain"
		if s.within == WithinDomain {
			what, wider = "domain", "any"
		}
		const most = 3
		s.mu.RLock()
		starts := slices.Sorted(maps.Keys(s.units))
		s.mu.RUnlock()
		if len(starts) > most {
			starts = append(starts[:most], "…")
		}
		return fmt.Sprintf("its %s %s is none of the start URLs' (%s): scope is within: %s, wider is within: %s",
			what, unit, strings.Join(starts, ", "), what, wider)
	}
	if len(s.allow) > 0 && !matchesAny(s.allow, u.String()) {
		return "it matches no pattern of scope.allow: " + strings.Join(o.Allow, ", ")
	}
	for i, p := range s.deny {
		if matchesAny([]*extract.Pattern{p}, u.String()) {
			return "it matches the pattern of scope.deny " + o.Deny[i]
		}
	}
	return ""
}
