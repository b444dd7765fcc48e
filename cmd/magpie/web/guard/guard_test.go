package guard

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

const testToken = "0123456789abcdef0123"

// startServer serves what is behind a guard, at a real address. The options'
// Address is that one unless set.
func startServer(t *testing.T, o Options, next http.Handler) (*Guard, string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	if o.Address == "" {
		o.Address = server.Listener.Addr().String()
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if next == nil {
		next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "inside, form %s", g.FormToken(r)) })
	}
	server.Config.Handler = g.Wrap(next)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	return g, server.URL
}

// ask sends a request as it is, following no redirect.
func ask(t *testing.T, method, url string, header map[string]string, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// TestAttacks asks an open server on loopback for what it must not give.
func TestAttacks(t *testing.T) {
	_, server := startServer(t, Options{Hosts: []string{"magpie.localhost", "localhost:99"}}, nil)
	here := strings.TrimPrefix(server, "http://")
	_, port, _ := net.SplitHostPort(here)
	type header = map[string]string
	navigation := func(site string) header {
		return header{"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	}
	tests := []struct {
		name, method, path string
		header             header
		want               int
	}{
		{"a person's request", "GET", "/", nil, 200},
		{"loopback by name", "GET", "/", header{"Host": "localhost:" + port}, 200},
		{"loopback by name with a dot", "GET", "/", header{"Host": "LOCALHOST.:" + port}, 200},
		{"loopback by IPv6", "GET", "/", header{"Host": "[::1]:" + port}, 200},
		{"loopback through a tunnel of another port", "GET", "/", header{"Host": "localhost:9999"}, 200},
		{"a name of its own", "GET", "/", header{"Host": "magpie.localhost"}, 200},
		{"DNS rebinding", "GET", "/", header{"Host": "evil.example"}, 421},
		{"DNS rebinding with the port", "GET", "/", header{"Host": "evil.example:" + port}, 421},
		{"DNS rebinding with the address in the name", "GET", "/", header{"Host": "127.0.0.1.evil.example"}, 421},
		{"DNS rebinding of the API", "GET", "/api/v1/jobs", header{"Host": "evil.example"}, 421},
		{"DNS rebinding of what is public", "GET", "/healthz", header{"Host": "evil.example"}, 421},
		{"a name that ends in localhost but is none", "GET", "/", header{"Host": "evillocalhost"}, 421},
		{"another address", "GET", "/", header{"Host": "192.168.1.1:" + port}, 421},
		{"the unspecified address", "GET", "/", header{"Host": "0.0.0.0:" + port}, 421},
		{"an address as IPv4 in IPv6", "GET", "/", header{"Host": "[::ffff:10.0.0.1]:" + port}, 421},
		{"a user in the host", "GET", "/", header{"Host": "localhost@evil.example"}, 421},
		{"a link from another site", "GET", "/jobs/a", navigation("cross-site"), 200},
		{"a link from another port", "GET", "/jobs/a", navigation("same-site"), 200},
		{"a link from another site to the API", "GET", "/api/v1/jobs", navigation("cross-site"), 403},
		{"a link from another site to the metrics", "GET", "/metrics", navigation("cross-site"), 403},
		{"a link from another site to events", "GET", "/jobs/a/events", navigation("cross-site"), 403},
		{"a frame in another site", "GET", "/", header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403},
		{"an image in another site", "GET", "/", header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403},
		{"a script of another site", "GET", "/static/a.js", header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}, 403},
		{"a fetch of another site", "GET", "/api/v1/jobs", header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403},
		{"a fetch of another port", "GET", "/api/v1/jobs", header{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, 403},
		{"a HEAD of another site", "HEAD", "/api/v1/jobs", header{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a fetch of this site", "GET", "/api/v1/jobs", header{"Sec-Fetch-Site": "same-origin"}, 200},
		{"an address typed", "GET", "/api/v1/jobs", navigation("none"), 200},
		{"a change of another site", "POST", "/api/v1/jobs/a/start", header{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a change of another port", "POST", "/api/v1/jobs/a/start", header{"Sec-Fetch-Site": "same-site"}, 403},
		{"a navigation that posts", "POST", "/jobs/a/start", navigation("cross-site"), 403},
		{"a change by an old browser", "POST", "/api/v1/jobs/a/start", header{"Origin": "http://evil.example"}, 403},
		{"a change by an old browser from another port", "POST", "/api/v1/jobs/a/start", header{"Origin": "http://127.0.0.1:1"}, 403},
		{"a change from nowhere", "POST", "/api/v1/jobs/a/start", header{"Origin": "null"}, 403},
		{"a deletion by an old browser", "DELETE", "/api/v1/files/a.yaml", header{"Origin": "https://evil.example"}, 403},
		{"a change by a program", "POST", "/api/v1/jobs/a/start", nil, 200},
		{"a change in JSON", "POST", "/api/v1/jobs/a/start", header{"Content-Type": "application/json"}, 200},
		{"a form for the API", "POST", "/api/v1/jobs/a/start", header{"Content-Type": "application/x-www-form-urlencoded"}, 415},
		{"a text for the API", "POST", "/api/v1/jobs/a/start", header{"Content-Type": "text/plain; charset=utf-8"}, 415},
		{"files for the API", "POST", "/api/v1/jobs/a/start", header{"Content-Type": "multipart/form-data; boundary=x"}, 415},
		{"a type that is none", "POST", "/api/v1/jobs/a/start", header{"Content-Type": "text/plain;;"}, 415},
		{"a form without its token", "POST", "/jobs/a/start", header{"Content-Type": "application/x-www-form-urlencoded"}, 403},
		{"a form with a wrong token", "POST", "/jobs/a/start", header{FormHeader: "x"}, 403},
		{"TRACE", "TRACE", "/", nil, 501},
		{"OPTIONS", "OPTIONS", "/api/v1/jobs", header{"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}, 501},
		{"PATCH", "PATCH", "/", nil, 501},
		{"a method that is none", "STEAL", "/", nil, 501},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, text := ask(t, tt.method, server+tt.path, tt.header, "")
			if resp.StatusCode != tt.want {
				t.Errorf("status %d, want %d: %s", resp.StatusCode, tt.want, text)
			}
			if strings.Contains(text, "inside") != (tt.want == 200) {
				t.Errorf("the handler's answer: %q", text)
			}
			if resp.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("other sites are allowed to read it")
			}
			checkHeaders(t, resp)
		})
	}
}

func checkHeaders(t *testing.T, resp *http.Response) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Security-Policy":      policy,
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cache-Control":                "no-store",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestForms: a form of this server's may change things, also by its header.
func TestForms(t *testing.T) {
	g, server := startServer(t, Options{}, nil)
	token := g.formToken(caller{})
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
	if resp, text := ask(t, "POST", server+"/jobs/a/start", form, "token="+url.QueryEscape(token)); resp.StatusCode != 200 {
		t.Error(resp.StatusCode, text)
	}
	if resp, text := ask(t, "POST", server+"/jobs/a/start", map[string]string{FormHeader: token}, ""); resp.StatusCode != 200 {
		t.Error(resp.StatusCode, text)
	}
	if resp, _ := ask(t, "POST", server+"/jobs/a/start?token="+url.QueryEscape(token), form, ""); resp.StatusCode != 403 {
		t.Errorf("a token in the address: %d", resp.StatusCode)
	}
}

// TestNames: who listens beyond loopback, or says that others come, is reached
// by addresses and the names configured.
func TestNames(t *testing.T) {
	_, server := startServer(t, Options{Address: "0.0.0.0:8490", Token: testToken, Hosts: []string{"crawls.example", "other.example:8443"}, URL: "https://magpie.example.com/x"}, nil)
	tests := []struct {
		host string
		want int
	}{
		{"192.168.1.5:8490", 200}, {"[2001:db8::1]:8490", 200}, {"localhost:8490", 200},
		{"crawls.example", 200}, {"CRAWLS.example.:1", 200}, {"magpie.example.com", 200},
		{"other.example:8443", 200}, {"other.example", 421}, {"other.example:1", 421},
		{"a.crawls.example", 421}, {"evil.example:8490", 421},
	}
	for _, tt := range tests {
		t.Run(tt.host, func(t *testing.T) {
			resp, text := ask(t, "GET", server+"/", map[string]string{"Host": tt.host, "Authorization": "Bearer " + testToken}, "")
			if resp.StatusCode != tt.want {
				t.Errorf("status %d, want %d: %s", resp.StatusCode, tt.want, text)
			}
			if tt.want == 421 && !strings.Contains(text, "--host") {
				t.Errorf("it does not say what to do: %s", text)
			}
		})
	}
	// A proxy for HTTPS may ask by another name than the browser's.
	resp, _ := ask(t, "POST", server+"/api/v1/x", map[string]string{"Host": "localhost", "Origin": "https://magpie.example.com", "Authorization": "Bearer " + testToken}, "")
	if resp.StatusCode != 200 {
		t.Errorf("a change from where people see the server: %d", resp.StatusCode)
	}
}

// TestURL: browsers write the address at which people see the server in lower
// case and without the usual port, however it was configured.
func TestURL(t *testing.T) {
	for address, origin := range map[string]string{
		"https://magpie.example.com/": "https://magpie.example.com", "HTTPS://Magpie.Example.COM:443/x": "https://magpie.example.com",
		"http://magpie.example.com:80": "http://magpie.example.com", "https://magpie.example.com:8443/": "https://magpie.example.com:8443",
		"https://[2001:DB8:0::1]:443/": "https://[2001:db8::1]", "https://mägpie.example/": "https://xn--mgpie-gra.example",
	} {
		t.Run(address, func(t *testing.T) {
			_, server := startServer(t, Options{URL: address, Token: testToken}, nil)
			header := map[string]string{"Host": strings.SplitAfter(origin, "//")[1], "Authorization": "Bearer " + testToken}
			if resp, text := ask(t, "GET", server+"/", header, ""); resp.StatusCode != http.StatusOK {
				t.Errorf("a page: status %d: %s", resp.StatusCode, text)
			}
			header["Host"], header["Origin"] = "localhost", origin // as some proxies ask
			if resp, text := ask(t, "POST", server+"/api/v1/x", header, ""); resp.StatusCode != http.StatusOK {
				t.Errorf("a change: status %d: %s", resp.StatusCode, text)
			}
		})
	}
}

// TestAddressNames: an address is a name in whatever form it is written.
func TestAddressNames(t *testing.T) {
	for _, name := range []string{"2001:db8::1", "[2001:DB8::1]", "2001:0db8:0:0::1", "[2001:0db8:0:0::1]:8443"} {
		t.Run(name, func(t *testing.T) {
			_, server := startServer(t, Options{Hosts: []string{name}, Token: testToken}, nil)
			resp, text := ask(t, "GET", server+"/", map[string]string{"Host": "[2001:db8::1]:8443", "Authorization": "Bearer " + testToken}, "")
			if resp.StatusCode != http.StatusOK {
				t.Errorf("status %d: %s", resp.StatusCode, text)
			}
		})
	}
}

// TestOptions: what a guard refuses to begin with.
func TestOptions(t *testing.T) {
	tests := []struct {
		name string
		o    Options
		want string // in the error; "": none
	}{
		{"loopback", Options{Address: "127.0.0.1:1"}, ""},
		{"loopback by IPv6", Options{Address: "[::1]:1"}, ""},
		{"loopback with a name of its own", Options{Address: "127.0.0.1:1", Hosts: []string{"a.localhost"}}, ""},
		{"everywhere", Options{Address: "0.0.0.0:1"}, "openssl rand"},
		{"everywhere by IPv6", Options{Address: "[::]:1"}, "MAGPIE_TOKEN"},
		{"an address of the network", Options{Address: "192.168.1.5:1"}, "192.168.1.5:1 can be reached"},
		{"as it was asked for", Options{Address: "[::]:1", Asked: "0.0.0.0:1"}, "0.0.0.0:1 can be reached"},
		{"behind a proxy", Options{Address: "127.0.0.1:1", Hosts: []string{"magpie.example.com"}}, "magpie.example.com can be reached"},
		{"behind a proxy by url", Options{Address: "127.0.0.1:1", URL: "https://magpie.example.com/"}, "magpie.example.com can be reached"},
		{"everywhere with a token", Options{Address: "0.0.0.0:1", Token: testToken}, ""},
		{"a short token", Options{Address: "127.0.0.1:1", Token: "secret"}, "at least 16"},
		{"a token with a blank", Options{Address: "127.0.0.1:1", Token: testToken + " x"}, "blanks"},
		{"no host", Options{Address: "127.0.0.1:1", Hosts: []string{"https://a.example/"}}, "without a scheme"},
		{"all hosts", Options{Address: "127.0.0.1:1", Hosts: []string{"*"}, Token: testToken}, "without a scheme, path or *"},
		{"no url", Options{Address: "127.0.0.1:1", URL: "magpie.example.com"}, "write one such as"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.o)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

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

// TestCookie: what browsers are told of the session.
func TestCookie(t *testing.T) {
	for _, tt := range []struct {
		url, name string
		secure    bool
	}{{"", "magpie-8490", false}, {"https://magpie.example.com", "__Host-magpie-8490", true}} {
		t.Run(tt.url, func(t *testing.T) {
			_, server := startServer(t, Options{Address: "127.0.0.1:8490", Token: testToken, URL: tt.url}, nil)
			resp, _ := ask(t, "POST", server+"/login", map[string]string{"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-Proto": "https"}, "token="+testToken)
			if resp.StatusCode != 303 || len(resp.Cookies()) != 1 {
				t.Fatal(resp.StatusCode, resp.Cookies())
			}
			c := resp.Cookies()[0]
			if c.Name != tt.name || c.Secure != tt.secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestStrictCookie: a link from another site leaves the cookie out; the page
// is asked for again from here.
func TestStrictCookie(t *testing.T) {
	_, server := startServer(t, Options{Token: testToken}, nil)
	resp, text := ask(t, "GET", server+`/jobs/a?x="><script>`, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, "")
	if resp.StatusCode != 200 || !strings.Contains(text, `http-equiv="refresh"`) || strings.Contains(text, "<script>") {
		t.Error(resp.StatusCode, text)
	}
}

// TestStrictCookieStays: the page that has itself asked for again leads to this
// server alone, whatever the link from another site was.
func TestStrictCookieStays(t *testing.T) {
	_, server := startServer(t, Options{Token: testToken}, nil)
	for path, want := range map[string]string{
		"/jobs/a%2Fb?x=1": `href="/jobs/a%2Fb?x=1"`, "//evil.example/": `href="/"`, "///evil.example": `href="/"`, "//evil.example/..%2f": `href="/"`,
	} {
		t.Run(path, func(t *testing.T) {
			resp, text := askRaw(t, server, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n")
			if resp.StatusCode != 200 || !strings.Contains(text, "<a "+want+">") {
				t.Error(resp.StatusCode, text)
			}
		})
	}
}

// askRaw sends a request that clients would put right.
func askRaw(t *testing.T, server, request string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(server, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, request)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
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

func TestSessionsBounded(t *testing.T) {
	s := newSessions()
	now := time.Now()
	s.now = func() time.Time { now = now.Add(time.Millisecond); return now }
	first := s.begin()
	last := ""
	for range maxSessions {
		last = s.begin()
	}
	if len(s.all) != maxSessions || s.valid(first) || !s.valid(last) {
		t.Errorf("%d sessions, first %v, last %v", len(s.all), s.valid(first), s.valid(last))
	}
	if now = now.Add(sessionLasts); s.valid(last) {
		t.Error("a session does not end")
	}
}

// TestPanic: a fault is told with a number that is in the log, and an answer
// that had begun is cut off.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	_, server := startServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/begun" {
			fmt.Fprint(w, "half")
			http.NewResponseController(w).Flush()
		}
		panic("at the disco")
	}))
	resp, text := ask(t, "GET", server+"/api/v1/x", nil, "")
	if resp.StatusCode != 500 || strings.Contains(text, "disco") || resp.Header.Get("Content-Type") != problem.ContentType {
		t.Error(resp.StatusCode, text)
	}
	_, id, _ := strings.Cut(text, `"instance":"`)
	if id = id[:12]; !strings.Contains(log.String(), id) || !strings.Contains(log.String(), "disco") {
		t.Errorf("%s is not in the log: %s", id, &log)
	}
	begun, err := http.Get(server + "/begun")
	if err == nil {
		_, err = io.ReadAll(begun.Body)
		begun.Body.Close()
	}
	if err == nil {
		t.Error("half an answer looks like a whole one")
	}
}

// TestHugeBody: more than a job file needs is not read.
func TestHugeBody(t *testing.T) {
	read := make(chan int64, 1)
	_, server := startServer(t, Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		read <- n
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
	}))
	r, err := http.NewRequestWithContext(t.Context(), "PUT", server+"/api/v1/files/a.yaml", io.LimitReader(endless{}, 1<<40))
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultTransport.RoundTrip(r); err == nil {
		resp.Body.Close()
		if resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Error(resp.Status)
		}
	} // else the connection was closed while we were still sending
	if n := <-read; n != MaxBody {
		t.Errorf("%d bytes were read, want %d", n, MaxBody)
	}
}

// TestHugeForm: a form that is too large is not taken for one of another site.
func TestHugeForm(t *testing.T) {
	g, server := startServer(t, Options{}, nil)
	long := strings.Repeat("x", MaxBody)
	for name, form := range map[string]struct{ kind, body string }{
		"of fields": {"application/x-www-form-urlencoded", url.Values{FormField: {g.formToken(caller{})}, "z": {long}}.Encode()},
		"of files":  {"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=z\r\n\r\n" + long + "\r\n--b--\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), "POST", server+"/jobs/a/edit", strings.NewReader(form.body))
			r.Header.Set("Content-Type", form.kind)
			answer := httptest.NewRecorder()
			g.Wrap(http.NotFoundHandler()).ServeHTTP(answer, r)
			if answer.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("status %d: %s", answer.Code, answer.Body)
			}
		})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
