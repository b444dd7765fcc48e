package crawl

import (
	"net/http"
	"testing"

	"github.com/magpie-crawl/magpie/weburl"
)

func TestCookieJar(t *testing.T) {
	for _, c := range []struct{ name, set, from, to, want string }{
		{"at a path that net/url refuses", "a=1; Path=/", "https://h.test/", "https://h.test/100%", "a=1"},
		{"set by one", "a=1", "https://h.test/d%/100%", "https://h.test/d%/x", "a=1"},
		{"of another path", "a=1; Path=/d", "https://h.test/d/", "https://h.test/e", ""},
		{"paths as they are written", "a=1; Path=/d%20e", "https://h.test/", "https://h.test/d%20e/x", "a=1"},
		{"Secure, without TLS", "a=1; Secure", "https://h.test/", "http://h.test/", ""},
		{"Secure", "a=1; Secure", "https://h.test/", "https://h.test/", "a=1"},
		{"another port", "a=1", "https://h.test/", "https://h.test:8443/", "a=1"},
		{"a host alone", "a=1", "https://h.test/", "https://www.h.test/", ""},
		{"a domain", "a=1; Domain=h.test", "https://www.h.test/", "https://shop.h.test/", "a=1"},
		{"another's domain", "a=1; Domain=other.test", "https://h.test/", "https://other.test/", ""},
		{"an IPv6 address", "a=1", "http://[::1]/", "http://[::1]/x", "a=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			jar := newCookieJar()
			parse := func(s string) weburl.URL {
				u, err := weburl.Parse(s)
				if err != nil {
					t.Fatal(err)
				}
				return u
			}
			if n := jar.take(parse(c.from), http.Header{"Set-Cookie": {c.set}}); n != 0 {
				t.Errorf("%d refused", n)
			}
			if got := jar.header(parse(c.to)); got != c.want {
				t.Errorf("Cookie: %q, want %q", got, c.want)
			}
		})
	}
}
