package robots

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/weburl"
)

const (
	// MaxSize is how many bytes of a robots.txt are read; RFC 9309, section
	// 2.5, asks for at least these.
	MaxSize = 500 << 10
	// MaxSitemaps is how many Sitemap lines are kept.
	MaxSitemaps = 1000
	// MaxCrawlDelay is the longest Crawl-delay that is told.
	MaxCrawlDelay = 24 * time.Hour
)

// Parse reads the first MaxSize bytes of a robots.txt. Whatever it is given,
// it keeps the lines that it understands.
func Parse(body []byte) *Robots {
	if len(body) > MaxSize {
		// The line that the limit cuts could say what nobody wrote.
		body = body[:MaxSize]
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	p := parser{robots: &Robots{groups: map[string]*Group{}}}
	for line := range strings.FieldsFuncSeq(string(body), func(c rune) bool { return c == '\r' || c == '\n' }) {
		p.line(line)
	}
	for _, g := range p.robots.groups {
		g.sort()
	}
	return p.robots
}

// parser reads a robots.txt line by line.
type parser struct {
	robots *Robots
	agents []*Group // of the group that is being read
	ruled  bool     // it has a rule: the next user-agent line starts another
	timed  int      // so many of agents have their Crawl-delay from this group
}

func (p *parser) line(line string) {
	key, value, ok := splitLine(line)
	if !ok {
		return
	}
	// Only a rule ends a list of user agents, no other line does (RFC 9309,
	// section 2.2.4).
	switch keywords[strings.ToLower(key)] {
	case userAgent:
		p.agent(value)
	case allow:
		p.rule(true, value)
	case disallow:
		p.rule(false, value)
	case crawlDelay:
		p.delay(value)
	case sitemap:
		p.sitemap(value)
	}
}

// splitLine cuts a line into key and value, without its comment.
// Divergence: a space in place of the colon will do, as for other crawlers,
// where just two words stand there.
func splitLine(line string) (key, value string, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	key, value, ok = strings.Cut(line, ":")
	if !ok {
		if words := strings.Fields(line); len(words) == 2 {
			return words[0], words[1], true
		}
	}
	return strings.TrimSpace(key), strings.TrimSpace(value), ok
}

type keyword int

const (
	userAgent keyword = iota + 1
	allow
	disallow
	crawlDelay
	sitemap
)

// keywords are the keys of lines. Divergence: the misspellings that occur most
// are understood: who wrote them meant something.
var keywords = map[string]keyword{
	"user-agent": userAgent, "useragent": userAgent, "user agent": userAgent,
	"allow":    allow,
	"disallow": disallow, "dissallow": disallow, "dissalow": disallow, "disalow": disallow, "diasllow": disallow, "disallaw": disallow,
	"crawl-delay": crawlDelay, "crawldelay": crawlDelay, "crawl delay": crawlDelay,
	"sitemap": sitemap, "site-map": sitemap,
}

func (p *parser) agent(value string) {
	token := ProductToken(value)
	if name, _, _ := strings.Cut(value, " "); name == "*" {
		token = "*"
	}
	if p.ruled {
		p.agents, p.ruled, p.timed = nil, false, 0
	}
	g := p.robots.groups[token]
	if g == nil {
		g = &Group{}
		if token != "" { // else its rules are for nobody
			p.robots.groups[token] = g
		}
	}
	if !slices.Contains(p.agents, g) {
		p.agents = append(p.agents, g)
	}
}

func (p *parser) rule(allow bool, path string) {
	if len(p.agents) == 0 {
		return
	}
	p.ruled = true
	if path == "" {
		return // forbids and allows nothing
	}
	line := "Disallow: " + path
	if allow {
		line = "Allow: " + path
	}
	r := newRule(allow, path, line)
	for _, g := range p.agents {
		g.rules = append(g.rules, r)
	}
}

// delay gives a Crawl-delay to those user agents of the group that have none
// from it yet: lists are written with one delay after each name. Of several
// groups for one agent, the longest delay counts.
func (p *parser) delay(value string) {
	d, ok := parseDelay(value)
	if !ok {
		return
	}
	for _, g := range p.agents[p.timed:] {
		g.delay = max(g.delay, d)
	}
	p.timed = len(p.agents)
}

// parseDelay reads a decimal number of seconds.
func parseDelay(s string) (time.Duration, bool) {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false
	}
	return time.Duration(min(seconds, MaxCrawlDelay.Seconds()) * float64(time.Second)), true
}

func (p *parser) sitemap(value string) {
	if len(p.robots.Sitemaps) >= MaxSitemaps {
		return
	}
	u, err := weburl.Parse(value)
	if err == nil && !slices.Contains(p.robots.Sitemaps, u.String()) {
		p.robots.Sitemaps = append(p.robots.Sitemaps, u.String())
	}
}
