package config

import (
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/secretname"
)

// variable is how a job file names an environment variable.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expand puts environment variables in the place of their names. Secrets come
// from there: a job file is kept, with each run, in the database.
func (d *decoder) expand(v value, example string) string {
	text, ok := d.text(v, example)
	if !ok {
		return ""
	}
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		name = variable.FindStringSubmatch(name)[1]
		if !slices.Contains(d.variables, name) {
			d.variables = append(d.variables, name)
		}
		s, set := os.LookupEnv(name)
		if !set && d.offline {
			return "unset"
		}
		if !set {
			d.wrong(v.place, "the environment variable %s is not set: export it, or write another in %s", name, v.name)
		}
		return s
	})
}

// secret is expand for what must not stand in the file.
func (d *decoder) secret(v value, example string) string {
	if v.kind == textKind && v.text != "" && !variable.MatchString(v.text) {
		d.wrong(v.place, "%s must not stand in a job file: put it into an environment variable and write its name, such as %s", v.name, example)
		return ""
	}
	return d.expand(v, example)
}

// named is secret or expand, by the name of the value.
func (d *decoder) named(v value, name, example string) string {
	if secretname.Is(name) {
		return d.secret(v, "${"+strings.ToUpper(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(name, "_"))+"}")
	}
	return d.expand(v, example)
}

// textMap reads a mapping from names of the user's choice to text.
func (d *decoder) textMap(v value, example string) map[string]string {
	if v.kind != mappingKind {
		d.want(v, "a mapping such as "+example)
		return nil
	}
	out := map[string]string{}
	for _, p := range v.pairs {
		out[p.key] = d.named(value{node: p.value, name: p.key}, p.key, `"text"`)
	}
	return out
}

func (d *decoder) credentials(v value) (list []crawl.Credentials) {
	const example = `{origin: "https://example.com", user: me, password: "${PASSWORD}"}`
	entries := []*node{v.node}
	if v.kind == listKind {
		entries = v.list
	}
	for _, n := range entries {
		var c crawl.Credentials
		d.mapping(value{node: n, name: v.name}, []key{
			{name: "origin", read: func(v value) {
				if u := d.urls(v); len(u) > 0 {
					c.Origin = u[0]
				}
			}},
			{name: "user", read: func(v value) { c.User = d.expand(v, "me") }},
			{name: "password", read: func(v value) { c.Password = d.secret(v, `"${PASSWORD}"`) }},
			{name: "bearer", read: func(v value) { c.Bearer = d.secret(v, `"${TOKEN}"`) }},
		})
		has := func(name string) bool { _, ok := (value{node: n}).get(name); return ok }
		if n.kind == mappingKind && !d.broken[n] && (!has("origin") || has("bearer") == (has("user") && has("password"))) {
			d.wrong(n.place, "credentials need an origin, and either user and password or bearer: write %s", example)
		}
		list = append(list, c)
	}
	return list
}

func (d *decoder) cookies(v value) crawl.CookiePolicy {
	if d.boolean(v) {
		return crawl.CookiesOn
	}
	return crawl.CookiesOff
}

// proxy reads the proxies: one, a list that takes turns, or a mapping from
// hosts to either, with "*" for the others.
func (d *decoder) proxy(v value, r *crawl.Requests) {
	if v.kind != mappingKind {
		r.Proxies = d.proxyURLs(v)
		return
	}
	for _, p := range v.pairs {
		list := d.proxyURLs(value{node: p.value, name: p.key})
		if p.key == "*" {
			r.Proxies = list
			continue
		}
		r.HostProxies = append(r.HostProxies, crawl.HostProxy{Host: p.key, Proxies: list})
	}
	// The narrowest rule first, whatever the order in the file.
	slices.SortStableFunc(r.HostProxies, func(a, b crawl.HostProxy) int { return len(b.Host) - len(a.Host) })
}

func (d *decoder) proxyURLs(v value) []string {
	if v.kind == textKind && v.text == "none" {
		return []string{}
	}
	var urls []string
	for _, one := range d.texts(v, `"http://proxy.example:3128"`) {
		start, end := strings.Index(one.text, "//"), strings.LastIndex(one.text, "@")
		if start < 0 || end < start {
			urls = append(urls, d.expand(one, `"http://proxy.example:3128"`))
			continue
		}
		user := one.text[start+2 : end]
		if _, password, has := strings.Cut(user, ":"); has && !variable.MatchString(password) {
			d.wrong(one.place, "a password must not stand in a job file: put it into an environment variable and write its name, such as http://me:${PASSWORD}@proxy.example:3128")
			continue
		}
		before := len(d.mistakes)
		user = variable.ReplaceAllStringFunc(user, func(name string) string {
			value := d.expand(value{node: &node{kind: textKind, place: one.place, text: name}, name: v.name}, "")
			return strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
		})
		if len(d.mistakes) == before {
			urls = append(urls, one.text[:start+2]+user+one.text[end:])
		}
	}
	return urls
}

func (d *decoder) login(v value) *crawl.Login {
	var l crawl.Login
	selector := func(v value) string {
		s, ok := d.text(v, `"form#login"`)
		if ok {
			if err := checkLinkSelector(s); err != nil {
				d.wrong(v.place, "%s", err)
			}
		}
		return s
	}
	d.mapping(v, []key{
		{name: "url", read: func(v value) {
			if u := d.urls(v); len(u) > 0 {
				l.URL = u[0]
			}
		}},
		{name: "form", read: func(v value) { l.Form = selector(v) }},
		{name: "fields", read: func(v value) { l.Fields = d.textMap(v, `{user: me, password: "${PASSWORD}"}`) }},
		{name: "check", read: func(v value) { l.Check = selector(v) }},
		{name: "logged_out", read: func(v value) { l.LoggedOut = selector(v) }},
	})
	if v.kind == mappingKind && !d.broken[v.node] && (l.URL == "" || len(l.Fields) == 0) {
		d.wrong(v.place, `login needs url and fields: write {url: "https://example.com/login", fields: {user: me, password: "${PASSWORD}"}}`)
	}
	return &l
}

// warc reads the folder that exchanges are archived in.
func (d *decoder) warc(v value) string {
	folder, ok := d.text(v, "archive")
	if !ok {
		return ""
	}
	return d.fromFolder(folder)
}
