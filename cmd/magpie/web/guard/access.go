package guard

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

// caller is who a request is from.
type caller struct {
	session string // id of a browser's; "": it has none
	bearer  bool   // a program that knows the token
}

type callerKey struct{}

func withCaller(ctx context.Context, c caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerOf(r *http.Request) caller {
	c, _ := r.Context().Value(callerKey{}).(caller)
	return c
}

// admit finds out who a request is from. It answers those who may not come in.
func (g *Guard) admit(w http.ResponseWriter, r *http.Request) (c caller, ok bool) {
	if g.Open() {
		return caller{}, true
	}
	if scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " "); found && strings.EqualFold(scheme, "Bearer") {
		if p := g.try(w, r, strings.TrimSpace(token)); p != nil {
			problem.Write(w, r, p)
			return c, false
		}
		return caller{bearer: true}, true
	}
	if cookie, err := r.Cookie(g.cookie); err == nil && g.sessions.valid(cookie.Value) {
		return caller{session: cookie.Value}, true
	}
	g.turnAway(w, r)
	return c, false
}

// try checks a token that a client gave. It sets the headers that go with a
// refusal.
func (g *Guard) try(w http.ResponseWriter, r *http.Request, token string) *problem.Problem {
	ok, wait := g.slow.try(clientAddress(r), func() bool { return g.knows(token) })
	if ok {
		return nil
	}
	if wait > 0 {
		seconds := fmt.Sprint(math.Ceil(wait.Seconds()))
		w.Header().Set("Retry-After", seconds)
		return problem.New(http.StatusTooManyRequests, "try again in "+seconds+" seconds", "too many wrong tokens came from this address")
	}
	g.log.Warn("somebody gave a wrong token", "from", r.RemoteAddr)
	return unauthorized(w, "it is what magpie serve was started with: --token, MAGPIE_TOKEN or token: in serve.yaml", "the token is wrong")
}

func unauthorized(w http.ResponseWriter, advice, detail string) *problem.Problem {
	w.Header().Set("WWW-Authenticate", `Bearer realm="magpie"`)
	return problem.New(http.StatusUnauthorized, advice, "%s", detail)
}

// knows compares a token with the server's in a time that tells nothing of
// either.
func (g *Guard) knows(token string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// turnAway answers who has shown nothing: people are led to where they can.
func (g *Guard) turnAway(w http.ResponseWriter, r *http.Request) {
	switch {
	case !isPage(r) || r.Method != http.MethodGet && r.Method != http.MethodHead:
		problem.Write(w, r, unauthorized(w, `send the header "Authorization: Bearer TOKEN"; magpie's commands take --token or MAGPIE_TOKEN`, "this server asks for a token"))
	case fromElsewhere(r.Header.Get("Sec-Fetch-Site")):
		// A browser that comes from another site leaves the session's cookie
		// out. Asked again from here it sends it.
		writePage(w, http.StatusOK, "again.html", LocalPath(r.URL.RequestURI()))
	default:
		http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
	}
}
