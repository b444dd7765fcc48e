package guard

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"mime"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

// FormField is the field of a form that holds its token, FormHeader the header
// with which a script sends it.
const (
	FormField  = "token"
	FormHeader = "X-Magpie-Token"
)

// FormToken returns what a form on a page that answers r must send back, in
// FormField.
func (g *Guard) FormToken(r *http.Request) string { return g.formToken(callerOf(r)) }

func (g *Guard) formToken(c caller) string {
	mac := hmac.New(sha256.New, g.key)
	mac.Write([]byte(c.session))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// checkForm refuses changes that no form of this server asks for. Programs
// need none: those that know the token, and on an open server those that ask
// for the API, as long as they send what a form of another site cannot.
func (g *Guard) checkForm(r *http.Request, c caller) *problem.Problem {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || c.bearer {
		return nil
	}
	if c.session == "" && problem.ForPrograms(r) {
		if kind := formType(r); kind != "" {
			return problem.New(http.StatusUnsupportedMediaType, `send JSON with the header "Content-Type: application/json"`, "the API takes no %s", kind)
		}
		return nil
	}
	given := r.Header.Get(FormHeader)
	if given == "" {
		if large, ok := errors.AsType[*http.MaxBytesError](errors.Join(r.ParseForm(), r.ParseMultipartForm(MaxBody))); ok {
			return problem.New(http.StatusRequestEntityTooLarge, "", "a form may have %d bytes", large.Limit)
		}
		given = r.PostFormValue(FormField)
	}
	if !hmac.Equal([]byte(given), []byte(g.formToken(c))) {
		return problem.New(http.StatusForbidden, "go back, load the page anew and try again; magpie may have been started anew in between",
			"the form is not one of this server's, or an old one")
	}
	return nil
}

// formType is the type of a body that a form of another site's page could have
// sent; "": it could not. https://fetch.spec.whatwg.org/#cors-safelisted-request-header
func formType(r *http.Request) string {
	text := r.Header.Get("Content-Type")
	if text == "" {
		return ""
	}
	switch kind, _, err := mime.ParseMediaType(text); {
	case err != nil:
		return "body of an unknown type"
	case kind == "application/x-www-form-urlencoded", kind == "multipart/form-data", kind == "text/plain":
		return kind
	}
	return ""
}
