package browser

import (
	_ "embed"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

//go:embed testdata/hostile.js
var hostileScript string

// hostileName is a job's name that is none but a text.
const hostileName = "a/b?c#d%2F../<script>window.__hit=1</script>\"'><img src=x onerror=window.__hit=2> {{.}} שלום \u202etxt\u2066"

// TestHostilePages crawls a site that attacks whoever shows what it says, and
// walks through all of the dashboard by its links: nothing runs, nothing is
// loaded, no view breaks.
func TestHostilePages(t *testing.T) {
	needChromium(t)
	c := newCanary()
	defer c.Close()
	site := newHostileSite(c)
	defer site.Close()
	looked := sync.OnceFunc(func() { close(site.looked) })
	defer looked()
	wrong := strings.NewReplacer("\x00", "", "\x1b", "").Replace(fmt.Sprintf("name: wrong\nstart: [%q]\n%q: 1\n\"</textarea><script>window.__hit=3</script>\": 2\n# </textarea><img src=x onerror=window.__hit=4>\n", c.URL, c.attacks()[1]))
	jobs := map[string]string{
		"a.yaml": site.job(hostileName),
		"<img src=x onerror=window.__hit=5>.yaml": wrong,
	}
	s, err := newServer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range jobs {
		if err := s.write(name, source); err != nil {
			t.Fatal(err)
		}
	}
	for visit := range int64(2) {
		site.visit.Store(visit)
		if err := s.crawl("a.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	site.visit.Store(lastVisit)
	stop, err := s.start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	items, err := s.store(t).Items(t.Context(), hostileName)
	if err != nil || len(items) != 2 || items[0].Records+items[1].Records < 10 {
		t.Fatalf("too little was crawled: %+v, %v", items, err)
	}
	w := &walk{b: newTab(t, s.url), seen: map[string]bool{}, kinds: map[string]int{}}
	w.b.expect("Not Found")
	w.b.width(360)
	w.b.prefer("dark", "no-preference")
	w.from("/", "/new", "/jobs/"+url.PathEscape(hostileName)+"/edit")
	t.Logf("%d pages: %v", len(w.seen), w.kinds)
	for _, kind := range []string{"/", "/new", "", "/live", "/runs/N", "/runs/N/changes", "/records", "/record", "/pages", "/page", "/page source", "/page text", "/exports", "/edit"} {
		if w.kinds[kind] == 0 {
			t.Errorf("the walk did not come by %q", kind)
		}
	}
	if hits := c.hits(); len(hits) > 0 {
		t.Errorf("the canary was asked: %.300q", hits)
	}

	t.Run("the stored body is an attachment", func(t *testing.T) {
		w.b.t = t
		w.b.open("/jobs/" + url.PathEscape(hostileName) + "/page?url=" + url.QueryEscape(site.URL+"/p/0"))
		headers := eval[map[string]string](w.b, `fetch(document.querySelector("a[href*='/page/body']").href).then((r) => Object.fromEntries(r.headers))`)
		if !strings.HasPrefix(headers["content-disposition"], "attachment") || headers["x-content-type-options"] != "nosniff" ||
			!strings.HasPrefix(headers["content-type"], "application/octet-stream") || !strings.Contains(headers["content-security-policy"], "sandbox") {
			t.Errorf("headers %v", headers)
		}
	})
	t.Run("the live page", func(t *testing.T) {
		w.b.t = t
		w.b.open("/jobs/" + url.PathEscape(hostileName))
		w.b.focus("button[name=start]")
		w.b.press("\r")
		w.b.until("the notice that it is started", "document.querySelector('.notice.is-ok')")
		w.b.open("/jobs/" + url.PathEscape(hostileName) + "/live")
		w.b.until("the live page", "document.querySelector('[data-fragment=problems] table')")
		w.look("the live page while it runs")
		looked()
	})
	t.Run("trying a page", func(t *testing.T) {
		w.b.t = t
		w.b.open("/jobs/" + url.PathEscape(hostileName) + "/edit")
		for _, i := range []int{0, 1, 4, 12} {
			w.b.do(evaluate(fmt.Sprintf("document.querySelector('#page').value = %q; document.querySelector('[data-part=tried]').replaceChildren()", fmt.Sprintf("%s/p/%d", site.URL, i))))
			w.b.focus("#page")
			w.b.press("\r")
			w.b.until("what was tried", "document.querySelector('[data-part=tried] details')")
			w.b.do(evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })"))
			w.look("trying a page")
		}
	})
	w.b.t = t
}

// walk visits pages of the dashboard, by their links, some of each kind.
type walk struct {
	b     *tab
	seen  map[string]bool
	kinds map[string]int
}

// maxOfKind is how many pages of one kind are visited.
const maxOfKind = 4

var runNumber = regexp.MustCompile(`/runs/\d+`)

// kindOf is the view of an address.
func kindOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	path := u.EscapedPath()
	if rest, ok := strings.CutPrefix(path, "/jobs/"); ok {
		_, path, ok = strings.Cut(rest, "/")
		path = runNumber.ReplaceAllString("/"+path, "/runs/N")
		if !ok {
			path = ""
		}
	}
	if show := u.Query().Get("show"); show != "" && path == "/page" {
		path += " " + show
	}
	return path
}

func (w *walk) from(addresses ...string) {
	w.b.t.Helper()
	for queue := addresses; len(queue) > 0; queue = queue[1:] {
		at, _, _ := strings.Cut(queue[0], "#")
		kind := kindOf(at)
		most := maxOfKind
		if kind == "/record" {
			most = 20
		}
		if w.seen[at] || w.kinds[kind] >= most {
			continue
		}
		w.seen[at] = true
		w.kinds[kind]++
		w.b.try(at)
		queue = append(queue, w.look(at)...)
	}
}

// look checks the page and returns where it leads.
func (w *walk) look(at string) []string {
	w.b.t.Helper()
	w.b.do(evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })"))
	w.b.audit(at)
	for _, fault := range append(eval[[]string](w.b, hostileScript), w.b.taken()...) {
		w.b.t.Errorf("%.120s: %.400s", at, fault)
	}
	return eval[[]string](w.b, `[...document.querySelectorAll('a[href]:not([download])')].filter((a) => a.origin === location.origin && !/\/exports\/|\/page\/body/.test(a.pathname)).map((a) => a.pathname + a.search)`)
}
