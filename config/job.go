package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/weburl"
)

// job reads the whole file.
func (d *decoder) job(root *node, job *Job) {
	o := &job.Options
	var items, exports, keep value
	d.mapping(value{node: root, name: "the job"}, []key{
		{name: "name", read: func(v value) { d.name(v, job) }},
		{name: "start", read: func(v value) { o.Start = d.urls(v) }},
		{name: "sitemaps", read: func(v value) { o.Sitemaps = d.sitemaps(v) }},
		{name: "scope", read: func(v value) { d.scope(v, &o.Scope) }},
		{name: "follow", read: func(v value) { o.Follow = d.follow(v) }},
		{name: "links", read: func(v value) { d.links(v, &o.Links) }},
		{name: "limits", read: func(v value) { d.limits(v, &o.Limits) }},
		{name: "politeness", read: func(v value) { d.politeness(v, &o.Politeness) }},
		{name: "retry", read: func(v value) { d.retry(v, &o.Retry) }},
		{name: "headers", read: func(v value) { o.Requests.Header = d.textMap(v, `{Accept-Language: en}`) }},
		{name: "credentials", read: func(v value) { o.Requests.Credentials = d.credentials(v) }},
		{name: "cookies", read: func(v value) { o.Requests.Cookies = d.cookies(v) }},
		{name: "proxy", read: func(v value) { d.proxy(v, &o.Requests) }},
		{name: "insecure_tls", read: func(v value) { o.Requests.InsecureTLS = d.boolean(v) }},
		{name: "login", read: func(v value) { o.Login = d.login(v) }},
		{name: "recrawl", read: func(v value) { d.recrawl(v, &o.Recrawl) }},
		{name: "priorities", read: func(v value) { o.Priorities = d.priorities(v) }},
		{name: "traps", read: func(v value) { d.traps(v, &o.Traps) }},
		{name: "keep", read: func(v value) { keep = v; d.keep(v, &o.Keep) }},
		{name: "warc", read: func(v value) { o.WARC = d.warc(v) }},
		{name: "allow_private", read: func(v value) { o.AllowPrivate = d.boolean(v) }},
		{name: "items", read: func(v value) { items = v }},
		{name: "search", read: func(v value) { d.search(v, &job.Search) }},
		{name: "schedule", read: func(v value) { job.Schedule = d.schedule(v, &job.Silence) }},
		{name: "export", read: func(v value) { exports = v }},
		{name: "dataset", read: func(v value) { d.dataset(v, &job.Dataset) }},
		{name: "health", read: func(v value) { d.health(v, &o.Health) }},
		{name: "fail_on", read: func(v value) { job.FailOnDrift = d.failOn(v) }},
		{name: "webhook", read: func(v value) { job.Webhooks = d.webhooks(v) }},
		{name: "notify", read: func(v value) { job.Notify = d.notify(v) }},
	})
	if _, has := root.get("start"); !has && root.kind == mappingKind && !d.broken[root] {
		d.wrong(root.place, `start is missing: say where the crawl begins, such as start: "https://example.com/"`)
	}
	if items.node != nil {
		job.Items = d.items(items)
		o.Extractor = d.compile(job.Items, items.node)
	}
	if keep.node != nil {
		d.checkKeep(keep, o)
	}
	if exports.node != nil {
		job.Exports = d.exports(exports, items.node)
	}
	// What the crawl itself refuses is a mistake too, if one without a place.
	if len(d.mistakes) == 0 {
		if _, err := crawl.New(*o); err != nil {
			d.wrong(place{}, "%s", err)
		}
	}
}

func (d *decoder) name(v value, job *Job) {
	name, ok := d.text(v, "books")
	if !ok {
		return
	}
	if err := CheckName(name); err != nil {
		d.wrong(v.place, "%s", err)
		return
	}
	job.Name = name
}

// CheckName says what is wrong with a name for a job, in words that begin with
// "name"; nil: nothing.
func CheckName(name string) error {
	switch {
	case name == "", strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7F }), name != strings.TrimSpace(name), len(name) > 200:
		return errors.New("name must be one line of at most 200 characters, without blanks around it")
	case name == "." || name == ".." || name == "/": // browsers take the first two out of addresses, whatever they are written as
		return fmt.Errorf("name cannot be %s, which addresses of a job's pages could not hold", quoted(name))
	}
	return nil
}

// urls reads addresses of pages.
func (d *decoder) urls(v value) []string {
	list := d.texts(v, `"https://example.com/"`)
	if v.kind == listKind && len(v.list) == 0 {
		d.wrong(v.place, `%s is empty: name at least one URL, such as "https://example.com/"`, v.name)
	}
	for _, u := range list {
		d.url(u)
	}
	return plainTexts(list)
}

func (d *decoder) url(v value) {
	scheme, rest, absolute := strings.Cut(v.text, "://")
	web := absolute && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
	_, err := weburl.Parse(v.text)
	authority, _, _ := strings.Cut(rest, "/")
	switch {
	case strings.TrimSpace(v.text) != v.text:
		d.wrong(v.place, "%s is no URL: it has blanks around it", quoted(v.text))
	case web && err == nil && strings.Contains(authority, "@"):
		d.wrong(v.place, "a user name and password in a URL are not available in this version")
	case web && err == nil:
	case absolute && !web && scheme != "":
		d.wrong(v.place, "%s cannot be crawled: only http and https URLs can", quoted(v.text))
	case !strings.ContainsAny(v.text, ":@ ") && strings.Contains(v.text, "."):
		d.wrong(v.place, "%s is no URL: write %s", quoted(v.text), quoted("https://"+strings.TrimLeft(v.text, "/")))
	default:
		d.wrong(v.place, `%s is no URL: write one such as "https://example.com/"`, quoted(v.text))
	}
}

func (d *decoder) sitemaps(v value) crawl.Sitemaps {
	if v.kind == boolKind {
		return crawl.Sitemaps{FromRobots: d.boolean(v)}
	}
	if v.kind != listKind && v.kind != textKind {
		d.want(v, "true, false or a list of URLs")
		return crawl.Sitemaps{}
	}
	return crawl.Sitemaps{URLs: d.urls(v)}
}

func (d *decoder) scope(v value, s *crawl.Scope) {
	d.mapping(v, []key{
		{name: "within", read: func(v value) {
			i, _ := d.choice(v, []string{"host", "domain", "any"})
			s.Within = []crawl.Within{crawl.WithinHost, crawl.WithinDomain, crawl.WithinAny}[i]
		}},
		{name: "allow", read: func(v value) { s.Allow = d.patterns(v) }},
		{name: "deny", read: func(v value) { s.Deny = d.patterns(v) }},
		{name: "strip", read: func(v value) { s.Strip = d.strip(v) }},
	})
}

// patterns reads patterns of URLs.
func (d *decoder) patterns(v value) []string {
	list := d.texts(v, `"*/catalogue/*"`)
	for _, p := range list {
		if _, err := extract.CompilePattern(p.text); err != nil {
			d.wrong(p.place, "%s", err)
		}
	}
	return plainTexts(list)
}

// follow reads selectors; an empty list, which follows no link, is not nil.
func (d *decoder) follow(v value) []string {
	if d.attributeSelector(v) {
		return nil
	}
	list := d.texts(v, `"a.next"`)
	for _, s := range list {
		if err := checkLinkSelector(s.text); err != nil {
			d.wrong(s.place, "%s", err)
		}
	}
	if len(list) == 0 {
		return []string{}
	}
	return plainTexts(list)
}

func (d *decoder) limits(v value, l *crawl.Limits) {
	d.mapping(v, []key{
		{name: "pages", read: func(v value) { l.Pages = d.integer(v, 1, "10000") }},
		{name: "bytes", read: func(v value) { l.Bytes = d.size(v, "1GB") }},
		{name: "records", read: func(v value) { l.Records = d.integer(v, 1, "5000") }},
		{name: "depth", read: func(v value) {
			if v.text == "0" {
				d.wrong(v.place, "depth must be at least 1: to crawl the start pages alone, write follow: []")
				return
			}
			l.Depth = d.integer(v, 1, "8")
		}},
		{name: "duration", read: func(v value) {
			if l.Duration = d.duration(v, "2h"); v.text == "0" || v.text == "0s" {
				d.wrong(v.place, "duration must be above 0: for no limit, leave it out")
			}
		}},
		{name: "links", read: func(v value) { l.Links = d.integer(v, 1, "10000") }},
		{name: "per_host", read: func(v value) { l.PerHost = d.integer(v, 1, "1000") }},
		{name: "paths", read: func(v value) { l.Paths = d.budgets(v) }},
		{name: "memory", read: func(v value) { l.Memory = d.size(v, "512MB") }},
		{name: "body", read: func(v value) { l.Body = d.size(v, "32MB") }},
	})
}

func (d *decoder) politeness(v value, p *crawl.Politeness) {
	d.mapping(v, []key{
		{name: "concurrency", read: func(v value) { p.Concurrency = d.integer(v, 1, "16") }},
		{name: "per_host", read: func(v value) { p.PerHost = d.integer(v, 1, "2") }},
		{name: "delay", read: func(v value) { p.Delay = d.duration(v, "500ms") }},
		{name: "robots", read: func(v value) {
			i, _ := d.choice(v, []string{"obey", "ignore"})
			p.Robots = []crawl.RobotsPolicy{crawl.RobotsObey, crawl.RobotsIgnore}[i]
		}},
		{name: "nofollow", read: func(v value) { p.Nofollow = d.nofollow(v) }},
		{name: "noindex", read: func(v value) { p.Noindex = d.noindex(v) }},
		{name: "user_agent", read: func(v value) { p.UserAgent = d.userAgent(v) }},
		{name: "adaptive", read: func(v value) { p.Adaptive = d.adaptive(v) }},
		{name: "max_delay", read: func(v value) { p.MaxDelay = d.aboveZero(v, "1m") }},
	})
}

// userAgent reads the value of a User-Agent field, which begins with a
// product token: https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5
func (d *decoder) userAgent(v value) string {
	const example = `"mybot/1.0 (+https://example.com/bot)"`
	agent, ok := d.text(v, example)
	letter := func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
	if ok && (!letter(rune(agent[0])) || strings.ContainsFunc(agent, func(r rune) bool { return r < ' ' || r > '~' })) {
		d.wrong(v.place, "user_agent must begin with a name and be plain ASCII, such as %s", example)
	}
	return agent
}

func (d *decoder) retry(v value, r *crawl.Retry) {
	d.mapping(v, []key{
		{name: "times", read: func(v value) {
			if r.Times = d.integer(v, 0, "3"); v.text == "0" {
				r.Times = -1 // none, while 0 is the default
			}
		}},
		{name: "delay", read: func(v value) { r.Delay = d.duration(v, "1s") }},
	})
}

func (d *decoder) search(v value, s *Search) {
	d.mapping(v, []key{
		{name: "pages", read: func(v value) { s.Pages = d.boolean(v) }},
	})
}
