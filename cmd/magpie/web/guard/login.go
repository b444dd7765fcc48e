package guard

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

//go:embed login.html again.html
var pageFiles embed.FS

//go:embed login.css
var loginStyle []byte

var pages = template.Must(template.ParseFS(pageFiles, "*.html"))

// loginPage is what the login page shows.
type loginPage struct {
	Next  string // where to go then
	Fault string // why the last try failed
}

// serveLogin answers what is for logging in and out.
func (g *Guard) serveLogin(w http.ResponseWriter, r *http.Request) bool {
	switch path := r.URL.Path; {
	case path == "/login.css":
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Write(loginStyle)
	case path == "/login" && g.Open():
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case path == "/login" && r.Method == http.MethodPost:
		g.logIn(w, r)
	case path == "/login" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		writePage(w, http.StatusOK, "login.html", loginPage{Next: LocalPath(r.FormValue("next"))})
	case path == "/logout" && r.Method == http.MethodPost && !g.Open():
		g.logOut(w, r)
	default:
		return false
	}
	return true
}

func (g *Guard) logIn(w http.ResponseWriter, r *http.Request) {
	next := LocalPath(r.PostFormValue("next"))
	if p := g.try(w, r, strings.TrimSpace(r.PostFormValue(FormField))); p != nil {
		writePage(w, p.Status, "login.html", loginPage{Next: next, Fault: p.Error()})
		return
	}
	g.setCookie(w, g.sessions.begin(), int(sessionLasts.Seconds()))
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (g *Guard) logOut(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(g.cookie); err == nil && g.sessions.valid(cookie.Value) {
		if p := g.checkForm(r, caller{session: cookie.Value}); p != nil {
			problem.Write(w, r, p)
			return
		}
		g.sessions.end(cookie.Value)
	}
	g.setCookie(w, "", -1)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// setCookie sets the session's cookie. It is marked as one for HTTPS where the
// server was told that people see it so, and by nothing that a request says.
func (g *Guard) setCookie(w http.ResponseWriter, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: g.cookie, Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: g.secure, SameSite: http.SameSiteStrictMode,
	})
}

// LocalPath is s where it is a path of this server, with its query, and "/" for
// anything that leads elsewhere.
func LocalPath(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" ||
		!strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") || strings.Contains(s, `\`) ||
		strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
		return "/"
	}
	return s
}

func writePage(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}
