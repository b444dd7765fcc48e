package guard

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

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
