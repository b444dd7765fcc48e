package browser

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
)

// canary notes what a browser asks of it: something ran, or was loaded, that
// came from a crawled page.
type canary struct {
	*httptest.Server
	mu  sync.Mutex
	hit []string
}

func newCanary() *canary {
	c := &canary{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "Mozilla") {
			c.mu.Lock()
			c.hit = append(c.hit, r.URL.String())
			c.mu.Unlock()
		}
	}))
	return c
}

func (c *canary) hits() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hit
}

// attacks are texts that do harm where they are taken for anything but text.
// Whatever runs sets window.__hit, and asks the canary.
func (c *canary) attacks() []string {
	run := "window.__hit=1;fetch('" + c.URL + "/js');alert(1)"
	return []string{
		`<script>` + run + `</script>`,
		`"><img src=` + c.URL + `/img onerror="` + run + `">`,
		`' autofocus onfocus='` + run + `' x='`,
		`</title></textarea></style></pre></script></option></select></svg><script>` + run + `</script>`,
		`<svg><script>` + run + `</script><animate onbegin="` + run + `"/><foreignObject><iframe src="` + c.URL + `/frame"></iframe></foreignObject></svg>`,
		`<math><mtext></form><form><mglyph><style></math><img src onerror="` + run + `">`,
		`javascript:` + run + `//`,
		"java\tscript:" + run,
		`data:text/html,<script>` + run + `</script>`,
		`&lt;script&gt;` + run + `&lt;/script&gt; &#60;img src=x onerror=` + run + `&#62;`,
		`{{.}} {{template "head"}} {{.Token}} ${7*7} <!-- ]]> --> <?php <%= %>`,
		"\u202egnp.exe\u202c \u2066isolated \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u200f\u061c tail",
		"\x1b[31mred\x1b]0;title\x07\x1b]8;;" + c.URL + "\x1b\\link \x01\x02\x07\b\f\x0e\x7f\u0085\u009b nul \x00 end \u2028\u2029\ufeff",
		"\xff\xfe\xc0\xaf\xed\xa0\x80 half \xf0\x9f\x92 end",
		strings.Repeat("endlessword", 9000),
		strings.Repeat("Z\u0351\u0352\u0353\u0354\u0355\u0356", 40) + " \U000e0041\U000e0042 \ufdfd\ufdfd\ufdfd",
	}
}

// hostileSite is a site full of attacks: in titles, texts, addresses, headers,
// robots.txt, redirects and data.
type hostileSite struct {
	*httptest.Server
	attacks []string
	canary  *canary
	visit   atomic.Int64
	looked  chan struct{} // closed when the dashboard has looked at the last visit
}

// lastVisit goes on until the dashboard has looked.
const lastVisit = 3

func newHostileSite(c *canary) *hostileSite {
	s := &hostileSite{attacks: c.attacks(), canary: c, looked: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	return s
}

func (s *hostileSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var i int
	path := r.URL.Path
	switch {
	case path == "/robots.txt":
		fmt.Fprintf(w, "User-agent: *\nDisallow: /private/<script>window.__hit=1</script>\nDisallow: /private\n")
	case path == "/":
		s.home(w)
	case path == "/large":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>large</title><h1>large</h1>"+strings.Repeat("<p><script>window.__hit=1</script>\n", 150_000))
	case path == "/slow":
		if s.visit.Load() == lastVisit {
			<-s.looked
		}
	case strings.HasPrefix(path, "/broken"):
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, s.attacks[0])
	case scan(path, "/r/%d", &i) && i < len(s.attacks):
		w.Header()["Location"] = []string{printable(s.attacks[i])}
		w.WriteHeader(http.StatusFound)
	case scan(path, "/p/%d", &i) && i < len(s.attacks):
		s.page(w, i)
	case path == "/malformed":
		w.Header()["X-Attack"] = []string{"\x1b[31m" + s.attacks[0]}
	case strings.HasPrefix(path, "/cut"):
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "<h1>cut")
	default:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, s.attacks[0])
	}
}

func scan(s, format string, n *int) bool {
	_, err := fmt.Sscanf(s, format, n)
	return err == nil
}

// printable is what a header may hold without the answer being given up.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s[:min(len(s), 2000)])
}

func (s *hostileSite) home(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	for i, a := range s.attacks {
		fmt.Fprintf(w, "<a href=/p/%d>p</a><a href=/r/%d>r</a>", i, i)
		a = a[:min(len(a), 1500)]
		fmt.Fprintf(w, "<a href=\"/lost/%s\">x</a><a href=\"/private/%s\">x</a><a href=\"%s\">x</a><a href=\"/broken?q=%s\">x</a>",
			url.PathEscape(a), html.EscapeString(a), html.EscapeString(a), url.QueryEscape(a))
	}
	io.WriteString(w, "<a href=/large>l</a><a href=/cut/1>c</a><a href=/malformed>m</a><a href=/slow>s</a>")
}

func (s *hostileSite) page(w http.ResponseWriter, i int) {
	a := s.attacks[i]
	other := s.attacks[(i+int(s.visit.Load()))%len(s.attacks)]
	w.Header()["X-Attack"] = []string{printable(a)}
	w.Header()["Content-Type"] = []string{`text/html; charset=utf-8; x="` + strings.ReplaceAll(printable(s.attacks[0]), `"`, "") + `"`}
	safe := html.EscapeString
	data, _ := json.Marshal(map[string]string{"@type": "Product", "name": a, "description": other})
	fmt.Fprintf(w, "<!doctype html><title>%s</title>\n<h1>%s</h1>\n%s\n", a, safe(fmt.Sprintf("%d %s", i, a)), a)
	fmt.Fprintf(w, "<script type='application/ld+json'>%s</script>", strings.ReplaceAll(string(data), "</", `<\/`))
	fmt.Fprintf(w, "<a class=link href=\"%s\">x</a><p class=price>%s</p><p class=other>%s</p><ul><li class=tag>%[2]s</li><li class=tag>%[3]s</li></ul>",
		safe(a), safe(a), safe(other))
	fmt.Fprintf(w, "<table class=facts><tr><th>%s<td>%s</table><div class=markup>%s<p>%s</p></div>", safe(a), safe(other), a, safe(a))
}

// job is a job file that crawls the site, by a name that is an attack too.
func (s *hostileSite) job(name string) string {
	quoted, _ := json.Marshal(name)
	return fmt.Sprintf(`name: %s
start: [%s/]
politeness: {delay: 0s, adaptive: off}
limits: {body: 8MB}
retry: {times: 0}
schedule: {cron: "@monthly"}
items:
  thing:
    when: {url: "*/p/*"}
    key: [name]
    fields:
      name: h1
      title: title
      link: {css: a.link, attr: href}
      address: {css: a.link, attr: href, as: url}
      price: {css: .price, as: price}
      other: .other
      tags: {css: .tag, all: true}
      facts: {css: .facts, as: pairs}
      markup: {css: .markup, as: html}
  large:
    when: {url: "*/large"}
    fields: {name: h1}
export: [{item: thing, format: jsonl, path: things.jsonl}]
`, quoted, s.URL)
}
