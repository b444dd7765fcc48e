// Package robots reads robots.txt and tells what it allows, by RFC 9309
// (https://www.rfc-editor.org/rfc/rfc9309).
//
// Fetching and caching are the caller's; the file is never an error. By RFC
// 9309, section 2.3.1, a host whose robots.txt is unavailable (4xx) is held to
// AllowAll, one whose robots.txt is unreachable (5xx, no answer) to
// DisallowAll.
//
// Where the package reads more than the RFC defines, or other than it, the
// comment says "Divergence".
package robots

import (
	"slices"
	"strings"
	"time"
)

// Robots is a robots.txt. It is safe for concurrent use.
type Robots struct {
	// Sitemaps are the absolute URLs of the Sitemap lines, canonical, each
	// once, at most MaxSitemaps.
	Sitemaps []string

	groups map[string]*Group // by product token in lower case; the default group is "*"
}

var (
	// AllowAll forbids nothing.
	AllowAll = &Robots{}
	// DisallowAll forbids everything but /robots.txt.
	DisallowAll = &Robots{groups: map[string]*Group{
		"*": {rules: []rule{newRule(false, "/", "robots.txt is unreachable")}},
	}}
)

// Group holds the rules for one crawler. The nil Group has none.
type Group struct {
	rules []rule // the most specific first, see compareRules
	delay time.Duration
}

// Group returns the rules for a crawler: those of all groups for its product
// token, else those of all groups for "*". agent is the product token or a
// User-Agent field value that starts with it.
func (r *Robots) Group(agent string) *Group {
	if g := r.groups[ProductToken(agent)]; g != nil {
		return g
	}
	return r.groups["*"]
}

// ProductToken is the name at the start of a User-Agent, in lower case.
// Divergence: digits and dots belong to it, for the names in use have them
// (MJ12bot, archive.org_bot); RFC 9309, section 2.2.1, has letters, "-" and
// "_" alone.
func ProductToken(agent string) string {
	end := strings.IndexFunc(agent, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.')
	})
	if end >= 0 {
		agent = agent[:end]
	}
	return strings.ToLower(agent)
}

// Allowed tells whether a URL may be fetched, by its path and query
// ("/a?b=c") as they are requested. rule is the line that decided, "" if none
// matched.
//
// The longest matching rule decides, Allow where there is a tie. /robots.txt
// is always allowed.
func (g *Group) Allowed(pathAndQuery string) (allowed bool, rule string) {
	if g == nil || len(g.rules) == 0 || pathAndQuery == "/robots.txt" {
		return true, ""
	}
	target := normalize(pathAndQuery, false)
	for i := range g.rules {
		if g.rules[i].matches(target) {
			return g.rules[i].allow, g.rules[i].line
		}
	}
	return true, ""
}

// CrawlDelay is the time between two requests that the host asks for, at most
// MaxCrawlDelay; zero: none. RFC 9309 does not define it; see
// https://en.wikipedia.org/wiki/Robots.txt#Crawl-delay_directive.
func (g *Group) CrawlDelay() time.Duration {
	if g == nil {
		return 0
	}
	return g.delay
}

// rule is one Allow or Disallow line.
type rule struct {
	pattern
	allow bool
	line  string // as people know it: "Disallow: /private"
}

func newRule(allow bool, path, line string) rule {
	return rule{pattern: compile(path), allow: allow, line: line}
}

// compareRules orders rules so that the first that matches decides: more
// octets first, then Allow before Disallow (RFC 9309, section 2.2.2).
func compareRules(a, b rule) int {
	switch {
	case a.length != b.length:
		return b.length - a.length
	case a.allow == b.allow:
		return 0
	case a.allow:
		return -1
	}
	return 1
}

func (g *Group) sort() { slices.SortStableFunc(g.rules, compareRules) }
