package crawl

import (
	"errors"
	"fmt"
	"sync"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/weburl"
)

// scope tells which URLs belong to a crawl.
type scope struct {
	within      Within
	units       map[string]bool     // of the start URLs, see extend
	mu          sync.RWMutex        // for units
	starts      map[weburl.URL]bool // always allowed
	allow, deny []*extract.Pattern
}

func newScope(o Scope, start []weburl.URL) (*scope, error) {
	s := &scope{within: o.Within, units: map[string]bool{}, starts: map[weburl.URL]bool{}}
	for _, u := range start {
		s.starts[u] = true
		s.units[s.unit(u)] = true
	}
	var errs []error
	compile := func(patterns []string) []*extract.Pattern {
		var compiled []*extract.Pattern
		for _, text := range patterns {
			p, err := extract.CompilePattern(text)
			if err != nil {
				errs = append(errs, fmt.Errorf("pattern of the scope %q: %w", text, err))
				continue
			}
			compiled = append(compiled, p)
		}
		return compiled
	}
	s.allow, s.deny = compile(o.Allow), compile(o.Deny)
	return s, errors.Join(errs...)
}

// unit is what URLs of the same scope have in common.
func (s *scope) unit(u weburl.URL) string {
	if s.within == WithinDomain {
		return u.Domain()
	}
	return u.Host()
}

func (s *scope) has(unit string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.units[unit]
}

// extend takes the host of a URL into the scope: a start URL redirects there,
// so that this is where the site is.
func (s *scope) extend(u weburl.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.units[s.unit(u)] = true
}

// contains says whether a URL belongs to the crawl.
func (s *scope) contains(u weburl.URL) bool {
	if s.starts[u] {
		return true
	}
	if s.within != WithinAny && !s.has(s.unit(u)) {
		return false
	}
	return (len(s.allow) == 0 || matchesAny(s.allow, u.String())) && !matchesAny(s.deny, u.String())
}

func matchesAny(patterns []*extract.Pattern, url string) bool {
	for _, p := range patterns {
		if p.Match(url) {
			return true
		}
	}
	return false
}
