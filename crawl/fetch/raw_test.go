package fetch

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestRaw(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header()["Date"] = nil
		io.WriteString(w, "<p>here")
	})
	plain, secure := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	proxy, err := url.Parse(plain.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, url, ip string
		proxies       Proxies
	}{
		{"HTTP", plain.URL + "/a?b", "127.0.0.1", Proxies{}},
		{"HTTPS", secure.URL + "/a?b", "127.0.0.1", Proxies{}},
		{"by a proxy", "http://a.example/a?b", "", Proxies{URLs: []*url.URL{proxy}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := NewTransport(TransportOptions{AllowPrivate: true, InsecureTLS: true, Proxies: c.proxies})
			t.Cleanup(tr.CloseIdleConnections)
			w := NewWorker(tr, Options{KeepRaw: true})
			r, err := w.Get(t.Context(), c.url, http.Header{"Cookie": {"secret"}, "Authorization": {"secret"}})
			if err != nil {
				t.Fatal(err)
			}
			raw := r.Raw
			if raw.URL != c.url || raw.IP != c.ip || string(raw.Body) != "<p>here" {
				t.Errorf("%s from %q: %q", raw.URL, raw.IP, raw.Body)
			}
			if head := string(raw.Request); !strings.HasPrefix(head, "GET /a?b HTTP/1.1\r\nHost: ") || strings.Contains(head, "secret") {
				t.Errorf("request: %s", head)
			}
			if want := "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Type: text/html\r\n\r\n"; string(raw.Response) != want {
				t.Errorf("response: %q, want %q", raw.Response, want)
			}
		})
	}
}
