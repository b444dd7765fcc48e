package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/weburl"
)

// Login is a form that is filled in and sent before the crawl begins, and
// again where a page shows that the session has ended. What it sets are
// cookies. The login pages are asked for whatever robots.txt says: the job
// names them.
type Login struct {
	URL       string            // of the page with the form
	Form      string            // CSS; default: the first form with a password field
	Fields    map[string]string // values by the names of the fields; the others are sent as they stand
	Check     string            // CSS of what is there when the login has worked; default: no password field is there
	LoggedOut string            // CSS of what a page shows without login, such as "form#login"; default: nothing shows it
}

// ReasonLoggedOut is that of pages that were shown without login, again after
// it was renewed.
const ReasonLoggedOut Reason = "logged-out"

// maxLogins is how often a crawl logs in.
const maxLogins = 10

// login is a compiled Login and the state of the session with the site.
type login struct {
	Login
	url                    weburl.URL
	form, check, loggedOut *extract.Selector // nil: the default

	mu      sync.Mutex
	times   int
	expired atomic.Bool
}

func newLogin(l *Login) (*login, error) {
	if l == nil {
		return nil, nil
	}
	out := &login{Login: *l}
	var errs []error
	var err error
	if out.url, err = weburl.Parse(l.URL); err != nil {
		errs = append(errs, fmt.Errorf("log in at %q: %w", l.URL, err))
	}
	compile := func(css, what string) *extract.Selector {
		if css == "" {
			return nil
		}
		m, err := extract.ParseSelector(css)
		if err != nil {
			errs = append(errs, fmt.Errorf("selector of login.%s %q: %w", what, css, err))
		}
		return m
	}
	out.form, out.check, out.loggedOut = compile(l.Form, "form"), compile(l.Check, "check"), compile(l.LoggedOut, "logged_out")
	return out, errors.Join(errs...)
}

// restart forgets the session with the site: the cookies of another crawl are
// gone.
func (l *login) restart() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times = 0
	l.expired.Store(false)
}

// logIn logs in once, if nobody has since the session was found to have ended.
func (f *fetcher) logIn(ctx context.Context) error {
	l := f.login
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.times > 0 && !l.expired.Load() {
		return nil
	}
	if l.times++; l.times > maxLogins {
		return fmt.Errorf("log in at %s: the session ended %d times", l.url, maxLogins)
	}
	if err := f.submitLogin(ctx); err != nil {
		return fmt.Errorf("log in at %s: %w", l.url, err)
	}
	l.expired.Store(false)
	return nil
}

// submitLogin asks for the form, fills it in, sends it, and looks at what
// comes of it.
func (f *fetcher) submitLogin(ctx context.Context) error {
	l := f.login
	at, root, err := f.loginPage(ctx, l.url, nil)
	if err != nil {
		return err
	}
	form := l.findForm(root)
	if form == nil {
		return fmt.Errorf("the page at %s has no such form: name it by login.form", at)
	}
	send, err := l.fill(form, documentBase(root, at))
	if err != nil {
		return err
	}
	if send.to.Origin() != at.Origin() {
		return fmt.Errorf("the form leads to another origin, %s", send.to.Origin())
	}
	at, root, err = f.loginPage(ctx, send.to, send)
	if err != nil {
		return err
	}
	if l.check != nil && firstMatch(root, l.check) == nil {
		return fmt.Errorf("nothing at %s matches login.check %q: are the values right?", at, l.Check)
	}
	if l.check == nil && hasPasswordField(root) {
		return fmt.Errorf("%s asks for a password again: are the values right?", at)
	}
	return nil
}

// filledForm is a form that is filled in.
type filledForm struct {
	to     weburl.URL
	post   bool
	body   []byte
	header http.Header
}

// loginPage asks for a page, or sends a form, and follows redirects within the
// origin.
func (f *fetcher) loginPage(ctx context.Context, at weburl.URL, form *filledForm) (weburl.URL, *html.Node, error) {
	for range MaxRedirects {
		var resp *fetch.Response
		var err error
		if form != nil && form.post {
			resp, err = f.worker.Post(ctx, at.String(), f.personal(at, form.header), form.body)
		} else {
			resp, err = f.worker.Get(ctx, at.String(), f.personal(at, nil))
		}
		if err != nil {
			return at, nil, err
		}
		f.takeCookies(at, resp.Header)
		if resp.Location == "" {
			root, err := loginDocument(at, resp)
			return at, root, err
		}
		resp.Release()
		to, err := weburl.Parse(resp.Location)
		if err != nil {
			return at, nil, err
		}
		if to.Origin() != at.Origin() {
			return at, nil, fmt.Errorf("%s redirects to another origin, %s", at, to.Origin())
		}
		if resp.Status != http.StatusTemporaryRedirect && resp.Status != http.StatusPermanentRedirect {
			form = nil // the others turn a POST into a GET, as browsers do
		}
		at = to
	}
	return at, nil, fmt.Errorf("more than %d redirects", MaxRedirects)
}

// loginDocument parses the page that was reached, and releases it.
func loginDocument(at weburl.URL, resp *fetch.Response) (*html.Node, error) {
	defer resp.Release()
	if resp.Status >= 400 {
		return nil, fmt.Errorf("%s answered %d %s", at, resp.Status, http.StatusText(resp.Status))
	}
	doc, err := htmlparse.ParseBytes(resp.Body, &htmlparse.Options{ContentType: resp.ContentType})
	if err != nil {
		return nil, err
	}
	return doc.Root, nil
}

func (l *login) findForm(root *html.Node) *html.Node {
	if l.form != nil {
		n := firstMatch(root, l.form)
		for n != nil && n.DataAtom != atom.Form {
			n = n.Parent
		}
		return n
	}
	for n := range elements(root) {
		if n.DataAtom == atom.Form && hasPasswordField(n) {
			return n
		}
	}
	return nil
}

func hasPasswordField(root *html.Node) bool {
	for n := range elements(root) {
		if kind, _ := attribute(n, "type"); n.DataAtom == atom.Input && strings.EqualFold(kind, "password") {
			return true
		}
	}
	return false
}

// firstMatch returns the first element that matches; nil: none does, as far as
// could be seen.
func firstMatch(root *html.Node, s *extract.Selector) (first *html.Node) {
	s.Each(root, func(n *html.Node) bool {
		first = n
		return false
	})
	return first
}

// loggedOut looks whether a page was shown without login. Then it is asked for
// once more, after another login. What is read from the store says nothing of
// the session.
func (s *session) loggedOut(v *Visit, root *html.Node) bool {
	if s.login == nil || v.stored != nil || s.login.loggedOut == nil || firstMatch(root, s.login.loggedOut) == nil {
		return false
	}
	s.login.expired.Store(true)
	v.Records, v.Rejects, v.Page = nil, nil, nil
	s.retry(v, ReasonLoggedOut, fmt.Sprintf("the page shows %q", s.login.LoggedOut), 0)
	return true
}
