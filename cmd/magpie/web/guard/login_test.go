package guard

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestToken asks a server that wants one.
func TestToken(t *testing.T) {
	_, server := startServer(t, Options{Token: testToken}, nil)
	tests := []struct {
		name, path, authorization string
		want                      int
	}{
		{"right", "/api/v1/jobs", "Bearer " + testToken, 200},
		{"right, the scheme in other letters", "/metrics", "bearer  " + testToken, 200},
		{"none for the API", "/api/v1/jobs", "", 401},
		{"none for metrics", "/metrics", "", 401},
		{"none for static files", "/static/a.js", "", 401},
		{"none for a page", "/jobs/a", "", 303},
		{"wrong", "/api/v1/jobs", "Bearer " + testToken + "x", 401},
		{"empty", "/api/v1/jobs", "Bearer ", 401},
		{"another scheme", "/api/v1/jobs", "Basic " + testToken, 401},
		{"none for health", "/healthz", "", 200},
		{"none for readiness", "/readyz", "", 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, text := ask(t, "GET", server+tt.path, map[string]string{"Authorization": tt.authorization}, "")
			if resp.StatusCode != tt.want {
				t.Errorf("status %d, want %d: %s", resp.StatusCode, tt.want, text)
			}
			if tt.want == 401 && resp.Header.Get("WWW-Authenticate") == "" {
				t.Error("it does not say how to show the token")
			}
		})
	}
	if resp, _ := ask(t, "GET", server+"/jobs/a?x=1", nil, ""); resp.Header.Get("Location") != "/login?next=%2Fjobs%2Fa%3Fx%3D1" {
		t.Errorf("people are led to %s", resp.Header.Get("Location"))
	}
}

// browser returns a client with cookies that follows redirects.
func browser(t *testing.T) *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Timeout: 2 * time.Minute}
}

func TestLogin(t *testing.T) {
	g, server := startServer(t, Options{Token: testToken}, nil)
	client := browser(t)
	get := func(path string) (*http.Response, string) {
		resp, err := client.Get(server + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp, string(text)
	}
	post := func(path string, values url.Values) (*http.Response, string) {
		resp, err := client.PostForm(server+path, values)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp, string(text)
	}
	if _, text := get("/jobs/a"); !strings.Contains(text, `name="next" value="/jobs/a"`) {
		t.Fatalf("no login page: %s", text)
	}
	if resp, text := post("/login", url.Values{"token": {"wrong"}, "next": {"/jobs/a"}}); resp.StatusCode != 401 || !strings.Contains(text, "the token is wrong") {
		t.Fatalf("a wrong token: %d %s", resp.StatusCode, text)
	}
	resp, text := post("/login", url.Values{"token": {testToken}, "next": {"/jobs/a"}})
	if resp.Request.URL.Path != "/jobs/a" || !strings.HasPrefix(text, "inside") {
		t.Fatalf("after the login: %s %s", resp.Request.URL, text)
	}
	form := strings.TrimPrefix(text, "inside, form ")
	if form == g.formToken(caller{}) {
		t.Error("the form's token is not the session's own")
	}
	for _, path := range []string{"/jobs/a/start", "/api/v1/jobs/a/start"} {
		if resp, _ := post(path, url.Values{}); resp.StatusCode != 403 {
			t.Errorf("%s without its token: %d", path, resp.StatusCode)
		}
		if resp, _ := post(path, url.Values{"token": {form}}); resp.StatusCode != 200 {
			t.Errorf("%s with its token: %d", path, resp.StatusCode)
		}
	}
	if resp, _ := post("/logout", url.Values{}); resp.StatusCode != 403 {
		t.Errorf("logged out by another's form: %d", resp.StatusCode)
	}
	before, _ := url.Parse(server)
	cookies := client.Jar.Cookies(before)
	post("/logout", url.Values{"token": {form}})
	if resp, _ := get("/jobs/a"); resp.Request.URL.Path != "/login" {
		t.Errorf("after the logout: %s", resp.Request.URL)
	}
	if resp, _ := ask(t, "GET", server+"/", map[string]string{"Cookie": cookies[0].String()}, ""); resp.StatusCode != 303 {
		t.Errorf("the old cookie still opens: %d", resp.StatusCode)
	}
}

// TestNext: a login leads nowhere else.
func TestNext(t *testing.T) {
	for in, want := range map[string]string{
		"/": "/", "/jobs/a%2Fb?x=1#y": "/jobs/a%2Fb?x=1#y",
		"": "/", "//evil.example": "/", "/\\evil.example": "/", "https://evil.example": "/", "javascript:alert(1)": "/",
		"jobs": "/", "/a\nb": "/", "/\t/evil.example": "/", "///evil.example": "/", "/%zz": "/", "/ x": "/",
	} {
		t.Run(in, func(t *testing.T) {
			if got := LocalPath(in); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestGuessing: who guesses has to wait, also one who knows the token then.
func TestGuessing(t *testing.T) {
	g, server := startServer(t, Options{Token: testToken}, nil)
	now := time.Now()
	g.slow.now = func() time.Time { return now }
	status := func(token string) int {
		resp, _ := ask(t, "GET", server+"/api/v1/jobs", map[string]string{"Authorization": "Bearer " + token}, "")
		if resp.StatusCode == 429 && resp.Header.Get("Retry-After") == "" {
			t.Error("it does not say when to try again")
		}
		return resp.StatusCode
	}
	for i := range freeGuesses {
		if got := status("wrong"); got != 401 {
			t.Fatalf("guess %d: %d", i, got)
		}
	}
	if got := status(testToken); got != 429 {
		t.Errorf("at once: %d", got)
	}
	now = now.Add(time.Second)
	if got := status("wrong"); got != 401 {
		t.Errorf("a second later: %d", got)
	}
	if now = now.Add(time.Second); status("wrong") != 429 {
		t.Error("the pause does not grow")
	}
	if now = now.Add(time.Second); status(testToken) != 200 {
		t.Error("the right token is refused after the pause")
	}
	if status("wrong") != 401 || status(testToken) != 200 {
		t.Error("wrong tokens of before are remembered")
	}
}

// TestSlowdownBounded: many addresses take no more memory than some.
func TestSlowdownBounded(t *testing.T) {
	s := newSlowdown()
	for i := range maxGuessers + 100 {
		s.try(fmt.Sprint(i), func() bool { return false })
	}
	if len(s.wrong) != maxGuessers || s.wrong["0"] != nil || s.wrong[fmt.Sprint(maxGuessers+99)] == nil {
		t.Errorf("%d addresses", len(s.wrong))
	}
}
