package crawl

import (
	"errors"
	"fmt"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/weburl"
)

// Priority is a rule that has URLs fetched sooner or later than others of
// their host. Without rules URLs go by depth, and by the priority that a
// sitemap gives them.
type Priority struct {
	URL   string // pattern (extract.Pattern)
	Boost int    // above 0: before all of a lower boost, below 0: after them; -MaxBoost to MaxBoost. Of several rules that match the first counts
}

// MaxBoost is the highest Priority.Boost.
const MaxBoost = 1000

// Budget is how many URLs of a pattern are asked for in a run.
type Budget struct {
	URL   string // pattern (extract.Pattern)
	Pages int
}

// rule is a compiled pattern with a number.
type rule struct {
	pattern *extract.Pattern
	number  int
}

func compileRule(text string, number int, what string) (rule, error) {
	p, err := extract.CompilePattern(text)
	if err != nil {
		return rule{}, fmt.Errorf("pattern of %s %q: %w", what, text, err)
	}
	return rule{p, number}, nil
}

// priorities are the rules of a job.
type priorities []rule

func newPriorities(list []Priority) (priorities, error) {
	var p priorities
	var errs []error
	for _, one := range list {
		r, err := compileRule(one.URL, one.Boost, "priority")
		if err == nil && (one.Boost < -MaxBoost || one.Boost > MaxBoost) {
			err = fmt.Errorf("boost of %q is %d: it must be from -%d to %d", one.URL, one.Boost, MaxBoost, MaxBoost)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p = append(p, r)
	}
	return p, errors.Join(errs...)
}

// maxRankedDepth is how deep a URL may lie and still go before deeper ones.
const maxRankedDepth = 9_999

// rank is the place of a link in its host's queue: lower ones go first. By
// boost, then by depth, then by what a sitemap says (0 to 1, else 0.5).
func (p priorities) rank(u weburl.URL, depth int, sitemap float64) int {
	boost := 0
	for _, r := range p {
		if r.pattern.Match(u.String()) {
			boost = r.number
			break
		}
	}
	return -boost*1_000_000 + min(depth, maxRankedDepth)*100 + 100 - int(sitemap*100)
}
