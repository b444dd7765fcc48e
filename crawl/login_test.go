package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/fetch"
)

// members is a site whose pages are for those who are logged in. Each session ends after so many pages.
type members struct {
	*site
	enctype  string
	lasts    int // pages of a session; 0: for ever
	sessions map[string]int
	forms    []string // as they were sent
}

func newMembers(t *testing.T, pages int) *members {
	m := &members{site: newSite(t), sessions: map[string]int{}}
	m.pages["/login"] = m.login
	m.pages["/welcome"] = m.guarded(func(w http.ResponseWriter) { fmt.Fprint(w, "<h1>Welcome</h1><a class=logout href=/logout>") })
	for i := range pages {
		path := "/"
		if i > 0 {
			path = fmt.Sprintf("/%d", i)
		}
		m.pages[path] = m.guarded(func(w http.ResponseWriter) { fmt.Fprintf(w, "<h1>%s</h1><a href=/%d>next</a>", path, i+1) })
	}
	return m
}

func (m *members) guarded(page func(http.ResponseWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		c, err := r.Cookie("session")
		m.mu.Lock()
		defer m.mu.Unlock()
		if err != nil || m.sessions[c.Value] == 0 {
			fmt.Fprint(w, "<h1>Who are you?</h1><p class=anonymous>Log in first")
			return
		}
		if m.lasts > 0 {
			m.sessions[c.Value]--
		}
		page(w)
	}
}

func (m *members) login(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `<form action=/search><input name=q></form><form method=post enctype="%s"><input type=hidden name=csrf value=t0k&amp;en>
			<input name=user><input name=password type=password><input type=checkbox name=stay><button name=go value=1>Log in</button></form>`, m.enctype)
		return
	}
	if err := r.ParseMultipartForm(1 << 20); err != nil && err != http.ErrNotMultipart {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forms = append(m.forms, r.Form.Encode())
	if r.FormValue("password") != "secret" || r.FormValue("csrf") != "t0k&en" {
		fmt.Fprint(w, "<p>Wrong password<form method=post><input name=password type=password></form>")
		return
	}
	id := fmt.Sprint("s", len(m.forms))
	m.sessions[id] = max(1, m.lasts)
	http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/"})
	w.Header().Set("Location", "/welcome")
	w.WriteHeader(http.StatusSeeOther)
}

func (m *members) options(t *testing.T, change func(*crawl.Options)) crawl.Options {
	return quick(t, m.site, func(o *crawl.Options) {
		o.Login = &crawl.Login{URL: m.URL + "/login", Fields: map[string]string{"user": "me", "password": "secret"}, LoggedOut: ".anonymous"}
		o.Politeness.Concurrency = 1
		if change != nil {
			change(o)
		}
	})
}

func TestLogin(t *testing.T) {
	const pages = 12
	form := "csrf=t0k%26en&go=1&password=secret&user=me"
	cases := []struct {
		name   string
		site   func(m *members)
		change func(o *crawl.Options)
		forms  []string
	}{
		{"by the form with a password", nil, nil, []string{form}},
		{"by a form that is named", nil, func(o *crawl.Options) { o.Login.Form, o.Login.Check = "form[method=post]", "a.logout" }, []string{form}},
		{"by what is in the form", nil, func(o *crawl.Options) { o.Login.Form = "[name=csrf]" }, []string{form}},
		{"with a choice", nil, func(o *crawl.Options) { o.Login.Fields["stay"] = "yes" }, []string{"csrf=t0k%26en&go=1&password=secret&stay=yes&user=me"}},
		{"as multipart", func(m *members) { m.enctype = "multipart/form-data" }, nil, []string{form}},
		{"again when the session ends", func(m *members) { m.lasts = 5 }, nil, []string{form, form, form}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newMembers(t, pages)
			if c.site != nil {
				c.site(m)
			}
			sum := run(t, openStore(t), m.options(t, c.change))
			if got := sum.Run.Counters; got.Pages != pages || got.New != pages {
				t.Errorf("%d pages and %d records, want %d: %+v", got.Pages, got.New, pages, got)
			}
			if diff := cmp.Diff(c.forms, m.forms); diff != "" {
				t.Errorf("forms sent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoginFails(t *testing.T) {
	cases := []struct {
		name   string
		site   func(m *members)
		change func(l *crawl.Login)
		want   string
	}{
		{"wrong password", nil, func(l *crawl.Login) { l.Fields["password"] = "wrong" }, "asks for a password again"},
		{"nothing to be seen of it", nil, func(l *crawl.Login) { l.Check = ".nowhere" }, `matches login.check ".nowhere"`},
		{"no such form", nil, func(l *crawl.Login) { l.Form = "form.nowhere" }, "has no such form"},
		{"no such field", nil, func(l *crawl.Login) { l.Fields["pin"] = "1" }, `has no field "pin", but csrf, user, password, go`},
		{"no such page", nil, func(l *crawl.Login) { l.URL += "/nowhere" }, "404 Not Found"},
		{"another origin", func(m *members) { m.status("/login", http.StatusFound, "Location", "http://elsewhere.invalid/") }, func(*crawl.Login) {}, "redirects to another origin"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newMembers(t, 1)
			if c.site != nil {
				c.site(m)
			}
			crawler, err := crawl.New(m.options(t, func(o *crawl.Options) { c.change(o.Login) }))
			if err != nil {
				t.Fatal(err)
			}
			_, err = crawler.Crawl(t.Context(), openStore(t), crawl.Job{Name: "test"})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

// TestSessionThatNeverHolds gives up: each page is tried as often as any other.
func TestSessionThatNeverHolds(t *testing.T) {
	m := newMembers(t, 1)
	m.pages["/"] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p class=anonymous>")
	}
	sum := run(t, openStore(t), m.options(t, nil))
	if diff := cmp.Diff(map[crawl.Reason]int64{crawl.ReasonLoggedOut: 1}, sum.Run.Counters.Failures); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A Crawler that crawls again has no cookies, and has to log in again.
func TestLoginOfTheNextCrawl(t *testing.T) {
	const pages = 3
	m := newMembers(t, pages)
	crawler, err := crawl.New(m.options(t, func(o *crawl.Options) { o.Login.LoggedOut = "" }))
	if err != nil {
		t.Fatal(err)
	}
	db := openStore(t)
	for i := range 2 {
		sum, err := crawler.Crawl(t.Context(), db, crawl.Job{Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if got := sum.Run.Counters; got.Pages != pages || len(m.forms) != i+1 {
			t.Errorf("run %d: %d pages, want %d, after %d logins", i+1, got.Pages, pages, len(m.forms))
		}
	}
}

// Pages that are left alone are read as they are stored, also those that an earlier run was shown without login: they
// say nothing of the session.
func TestLoggedOutPagesOfAnEarlierRun(t *testing.T) {
	const pages = 15
	m := newMembers(t, 1)
	var refs []string
	for i := range pages {
		path := fmt.Sprint("/p", i)
		m.pages[path] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<h1>%s</h1><p class=anonymous>Log in for more", path)
		}
		refs = append(refs, path)
	}
	m.page("/", refs...)
	r := newRecrawls(t, m.site, adaptive)
	r.run()
	m.page("/", append(refs, "/new")...)
	m.page("/new")
	r.o = m.options(t, adaptive)
	got, _ := r.run()
	if got.Failed != 0 || got.Skipped[crawl.ReasonNotDue] != pages || len(m.forms) != 1 {
		t.Errorf("%d failed, %d were not due, %d logins; want 0, %d, 1", got.Failed, got.Skipped[crawl.ReasonNotDue], len(m.forms), pages)
	}
}

// Large bodies on the way to the login give their places back.
func TestLargeBodiesOfALogin(t *testing.T) {
	large := strings.Repeat("x", 2*fetch.LargeBody)
	m := newMembers(t, 2)
	login := m.pages["/login"]
	m.pages["/login"] = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "" {
			w.Header().Set("Location", "/login?now")
			w.WriteHeader(http.StatusFound)
			fmt.Fprint(w, large)
			return
		}
		login(w, r)
	}
	m.pages["/1"] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<h1>large</h1>", large)
	}
	sum := run(t, openStore(t), m.options(t, func(o *crawl.Options) { o.Limits.Memory = 1 }))
	if got := sum.Run.Counters; got.Pages != 2 || got.Retries != 0 {
		t.Errorf("%+v, want 2 pages", got)
	}
}
