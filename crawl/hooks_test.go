package crawl_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// cups is the item type that the tests of hooks save.
var cups = []extract.Item{{Name: "cup", Key: []string{"name"}, Fields: []extract.Field{
	{Name: "name", Required: true}, {Name: "price", As: extract.PriceType},
}}}

// kept lists the current records of an item as key and fields.
func kept(t *testing.T, db *store.DB, item string) []string {
	t.Helper()
	var all []string
	for r, err := range db.Records(t.Context(), store.RecordFilter{Item: item}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Key+" "+string(r.Data))
	}
	slices.Sort(all)
	return all
}

// became tells what became of a page, with its detail.
func became(t *testing.T, db *store.DB, url string) string {
	t.Helper()
	p, err := db.Page(t.Context(), "test", url, 0)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", store.StateName(p.State), p.Reason, p.Detail))
}

func TestOnPage(t *testing.T) {
	shop := func(t *testing.T) *site {
		s := newSite(t)
		s.page("/", "/cups")
		s.text("/cups", "")
		s.pages["/cups"] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!DOCTYPE html><base href="/deep/"><ul><li><b>Blue</b> <i>£2.50</i><li><b>Red</b> <i>none</i><li><i>€1</i></ul><a class=next href=on>on</a>`)
		}
		s.page("/deep/on")
		s.text("/deep/data.json", `{}`)
		s.pages["/deep/data.json"] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"next": "/page.html"}`)
		}
		s.page("/page.html")
		return s
	}
	t.Run("saves records with keys, problems and rejects", func(t *testing.T) {
		s, db := shop(t), openStore(t)
		o := quick(t, s, func(o *crawl.Options) {
			o.Items = cups
			o.OnPage = func(p *crawl.PageVisit) error {
				for _, cup := range p.Select("li") {
					p.Save("cup", crawl.Fields{"name": cup.First("b").Text(), "price": cup.First("i").Text()})
				}
				return nil
			}
		})
		first := run(t, db, o).Run.Counters
		// Two titles and two cups; a page without a title, and a cup without a name, which is its key.
		if first.New != 2+2 || first.Rejects != 2 || first.Problems != 1+1+2 {
			t.Errorf("counters %+v", first)
		}
		want := []string{`["Blue"] {"name":"Blue","price":{"amount":2.50,"currency":"GBP"}}`, `["Red"] {"name":"Red"}`}
		if diff := cmp.Diff(want, kept(t, db, "cup")); diff != "" {
			t.Error(diff)
		}
		if second := run(t, db, o).Run.Counters; second.New != 0 || second.Unchanged != 4 {
			t.Errorf("the second run: %+v", second)
		}
	})
	t.Run("follows links of its own, from pages of any type", func(t *testing.T) {
		s, db := shop(t), openStore(t)
		run(t, db, quick(t, s, func(o *crawl.Options) {
			o.Follow = []string{}
			o.OnPage = func(p *crawl.PageVisit) error {
				switch {
				case p.Document == nil:
					if len(p.Select("a")) != 0 || p.First("a").Text() != "" {
						t.Error("there are elements in JSON")
					}
					p.Follow("/page.html")
				case strings.HasSuffix(p.URL, "/cups"):
					p.FollowAll(".next")
					p.Follow("data.json")
					p.Follow("http://elsewhere.invalid/")
					p.Follow("http://[broken")
				default:
					p.FollowAll("p")
				}
				return nil
			}
		}))
		if diff := cmp.Diff([]string{"/", "/cups", "/deep/data.json", "/deep/on", "/page.html"}, s.asked()); diff != "" {
			t.Error(diff)
		}
		if got := became(t, db, "http://elsewhere.invalid/"); got != "skipped scope" {
			t.Errorf("the link out of scope: %s", got)
		}
		p, err := db.Page(t.Context(), "test", s.URL+"/cups", 0)
		if err != nil || len(p.Response.Warnings) != 1 {
			t.Errorf("warnings %v, %v", p.Response.Warnings, err)
		}
	})
	for name, c := range map[string]struct {
		hook func(p *crawl.PageVisit) error
		want string
	}{
		"an error costs the page": {func(*crawl.PageVisit) error { return errors.New("not today") }, "failed hook not today"},
		"a panic costs the page, and says where": {func(p *crawl.PageVisit) error {
			_ = p.Select("li")[99]
			return nil
		}, "failed panic runtime error: index out of range [99] with length 3\ngoroutine"},
		"a selector that is none": {func(p *crawl.PageVisit) error {
			p.Select("a[")
			return nil
		}, `failed panic selector "a["`},
		"a field that is not declared": {func(p *crawl.PageVisit) error {
			p.Save("cup", crawl.Fields{"nmae": "x"})
			return nil
		}, `failed hook save: item cup has no field "nmae"`},
	} {
		t.Run(name, func(t *testing.T) {
			s, db := shop(t), openStore(t)
			c2 := run(t, db, quick(t, s, func(o *crawl.Options) {
				o.Items = cups
				o.OnPage = func(p *crawl.PageVisit) error {
					if strings.HasSuffix(p.URL, "/cups") {
						return c.hook(p)
					}
					return nil
				}
				o.Start = []string{s.URL + "/", s.URL + "/page.html"}
			})).Run.Counters
			if got := became(t, db, s.URL+"/cups"); !strings.HasPrefix(got, c.want) {
				t.Errorf("it became %q, want %q", got, c.want)
			}
			if c2.Pages != 2 || c2.Failed != 1 {
				t.Errorf("counters %+v", c2)
			}
		})
	}
}

func TestOnRequest(t *testing.T) {
	s, db := newSite(t), openStore(t)
	s.page("/", "/secret", "/skip", "/bad", "/panic", "/moved")
	s.page("/skip")
	s.page("/bad")
	s.page("/panic")
	s.status("/moved", 301, "Location", "/target")
	s.page("/target")
	s.pages["/secret"] = func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "k" || r.UserAgent() == "" {
			w.WriteHeader(http.StatusForbidden)
		}
	}
	var mu sync.Mutex
	var paths []string
	run(t, db, quick(t, s, func(o *crawl.Options) {
		o.OnRequest = func(r *crawl.Outgoing) error {
			path := strings.TrimPrefix(r.URL, s.URL)
			mu.Lock()
			paths = append(paths, path)
			mu.Unlock()
			switch path {
			case "/secret":
				r.Header.Set("X-Key", "k")
			case "/skip":
				r.Skip("seen in the archive")
			case "/bad":
				return errors.New("no token")
			case "/panic":
				panic("oh")
			}
			return nil
		}
	}))
	slices.Sort(paths)
	if diff := cmp.Diff([]string{"/", "/bad", "/moved", "/panic", "/secret", "/skip", "/target"}, paths); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"/", "/moved", "/secret", "/target"}, s.asked()); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]string{
		"/secret": "done", "/skip": "skipped hook seen in the archive", "/bad": "failed hook no token", "/panic": "failed panic oh",
	} {
		if got := became(t, db, s.URL+path); got != want && !(path == "/panic" && strings.HasPrefix(got, want)) {
			t.Errorf("%s became %q, want %q", path, got, want)
		}
	}
}

func TestOnRecord(t *testing.T) {
	s, db := newSite(t), openStore(t)
	s.page("/", "/a", "/b", "/c")
	s.page("/a")
	s.page("/b")
	s.page("/c")
	c := run(t, db, quick(t, s, func(o *crawl.Options) {
		o.OnRecord = func(r *extract.Record) error {
			switch title, _ := r.Fields.Get("title"); title {
			case "/a":
				r.Fields = extract.Object{{Name: "title", Value: "A"}}
			case "/b":
				return errors.New("b is not wanted")
			case "/c":
				panic("c")
			}
			return nil
		}
	})).Run.Counters
	want := []string{s.URL + `/ {"title":"/"}`, s.URL + `/a {"title":"A"}`}
	if diff := cmp.Diff(want, kept(t, db, "page")); diff != "" {
		t.Error(diff)
	}
	if c.Rejects != 1 || c.Problems != 1 || c.Failures[crawl.ReasonPanic] != 1 {
		t.Errorf("counters %+v", c)
	}
	for p, err := range db.Problems(t.Context(), store.ProblemFilter{}) {
		if err != nil || p.Code != crawl.ProblemHook || p.Detail != "b is not wanted" || !p.Rejected {
			t.Errorf("problem %+v, %v", p, err)
		}
	}
}

func TestOnError(t *testing.T) {
	s, db := newSite(t), openStore(t)
	s.page("/", "/lost", "/flaky", "/panic")
	s.page("/flaky")
	s.first(1, "/flaky", 503)
	s.status("/panic", 404)
	var mu sync.Mutex
	var told []string
	run(t, db, quick(t, s, func(o *crawl.Options) {
		o.OnError = func(v *crawl.Visit) {
			path := strings.TrimPrefix(v.Request.URL, s.URL)
			if path == "/panic" {
				panic("in the hook")
			}
			mu.Lock()
			defer mu.Unlock()
			told = append(told, fmt.Sprintf("%s %s again=%t", path, v.Reason, v.State == crawl.Pending))
		}
	}))
	slices.Sort(told)
	if diff := cmp.Diff([]string{"/flaky http-503 again=true", "/lost http-404 again=false"}, told); diff != "" {
		t.Error(diff)
	}
	if got := became(t, db, s.URL+"/panic"); !strings.HasPrefix(got, "failed panic in the hook") {
		t.Errorf("/panic became %q", got)
	}
}

func TestOnVisitPanics(t *testing.T) {
	s, db := small(t), openStore(t)
	c, err := crawl.New(quick(t, s, func(o *crawl.Options) {
		o.OnVisit = func(*crawl.Visit) { panic("oh no") }
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"}); err == nil || !strings.Contains(err.Error(), "OnVisit panicked: oh no") {
		t.Errorf("Crawl = %v", err)
	}
	if n := run(t, db, quick(t, s, nil)).Run; !n.Resumed || n.Counters.Pages != 5 {
		t.Errorf("the crawl was not resumed whole: %+v", n)
	}
}

// Items of hooks are checked before anything is requested.
func TestItemsAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		items []extract.Item
		want  string
	}{
		"wrong":        {[]extract.Item{{Name: "Cup"}}, "can't name an item"},
		"used already": {[]extract.Item{{Name: "page", Fields: []extract.Field{{Name: "x"}}}}, "the extractor has an item page too"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := crawl.New(crawl.Options{Start: []string{"http://x.test/"}, Items: c.items, Extractor: titles(t)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("New = %v, want %q", err, c.want)
			}
		})
	}
}

// Pages that are as they were, or not due, are shown to hooks from the store:
// what the hooks make of them stays.
func TestHooksOnPagesFromTheStore(t *testing.T) {
	for name, change := range map[string]func(*crawl.Options){
		"not due":      adaptive,
		"not modified": func(*crawl.Options) {},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			for path, body := range map[string]string{"/": "<h1>Start</h1><b>Blue</b>", "/by-hook": "<h1>Hook</h1><b>Red</b>"} {
				s.pages[path] = func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					w.Header().Set("ETag", `"1"`)
					if r.Header.Get("If-None-Match") == `"1"` {
						w.WriteHeader(http.StatusNotModified)
						return
					}
					fmt.Fprint(w, "<!DOCTYPE html>"+body)
				}
			}
			var mu sync.Mutex
			seen := map[string]int{}
			r := newRecrawls(t, s, func(o *crawl.Options) {
				change(o)
				o.Items = cups
				o.OnPage = func(p *crawl.PageVisit) error {
					mu.Lock()
					seen[strings.TrimPrefix(p.URL, s.URL)]++
					mu.Unlock()
					p.Save("cup", crawl.Fields{"name": p.First("b").Text()})
					p.Follow("/by-hook")
					return nil
				}
			})
			if c, _ := r.run(); c.New != 4 {
				t.Errorf("first: %+v", c)
			}
			if c, _ := r.run(); c.Unchanged != 4 || c.New+c.Changed+c.Failed != 0 {
				t.Errorf("again: %+v", c)
			}
			if diff := cmp.Diff(map[string]int{"/": 2, "/by-hook": 2}, seen); diff != "" {
				t.Error(diff)
			}
		})
	}
}
