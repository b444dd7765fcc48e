package guard

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

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
