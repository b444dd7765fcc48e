package weburl

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

func TestParse(t *testing.T) {
	tests := []struct{ name, in, want, host string }{
		{"plain", "https://example.com/a/b.html?x=1&y=2", "https://example.com/a/b.html?x=1&y=2", "example.com"},
		{"empty path", "http://example.com", "http://example.com/", "example.com"},
		{"empty path with query", "http://example.com?a/b", "http://example.com/?a/b", "example.com"},
		{"empty query is kept", "http://example.com/?", "http://example.com/?", "example.com"},
		{"fragment", "http://example.com/a#b?c", "http://example.com/a", "example.com"},
		{"fragment after host", "http://example.com#b", "http://example.com/", "example.com"},
		{"space before fragment", "http://example.com/a #b", "http://example.com/a%20", "example.com"},
		{"case of scheme and host", "HTTP://EXAMPLE.com/A", "http://example.com/A", "example.com"},
		{"default port http", "http://example.com:80/", "http://example.com/", "example.com"},
		{"default port https", "https://example.com:443/", "https://example.com/", "example.com"},
		{"other scheme's default port", "https://example.com:80/", "https://example.com:80/", "example.com:80"},
		{"port", "http://example.com:8080/", "http://example.com:8080/", "example.com:8080"},
		{"port with zeros", "http://example.com:0080/", "http://example.com/", "example.com"},
		{"port of five digits", "http://example.com:65535/", "http://example.com:65535/", "example.com:65535"},
		{"empty port", "http://example.com:/", "http://example.com/", "example.com"},
		{"dot segments", "http://example.com/a/./b/../c/%2e%2E/d", "http://example.com/a/d", "example.com"},
		{"dots above the root", "http://example.com/../../a", "http://example.com/a", "example.com"},
		{"dot at the end", "http://example.com/a/.", "http://example.com/a/", "example.com"},
		{"dot file", "http://example.com/.well-known/x", "http://example.com/.well-known/x", "example.com"},
		{"empty segments are kept", "http://example.com//a//b", "http://example.com//a//b", "example.com"},
		{"percent-encoding case", "http://example.com/%e2%82%ac?%c3%a4", "http://example.com/%E2%82%AC?%C3%A4", "example.com"},
		{"percent-encoded letters stay", "http://example.com/%41%2F", "http://example.com/%41%2F", "example.com"},
		{"lone percent signs", "http://example.com/100%?%zz%4", "http://example.com/100%?%zz%4", "example.com"},
		{"not ASCII", "http://example.com/ä b?ö ü", "http://example.com/%C3%A4%20b?%C3%B6%20%C3%BC", "example.com"},
		{"quotes", `http://example.com/'"?'"`, `http://example.com/'%22?%27%22`, "example.com"},
		{"backslashes", `http:\\example.com\a\b?\`, `http://example.com/a/b?\`, "example.com"},
		{"missing and extra slashes", "http:////example.com/a", "http://example.com/a", "example.com"},
		{"one slash", "http:/example.com/a", "http://example.com/a", "example.com"},
		{"spaces and controls around", " \x00\x1fhttp://example.com/a\n ", "http://example.com/a", "example.com"},
		{"tabs and line breaks inside", "ht\ntp://exa\tmple.com/a\r\nb", "http://example.com/ab", "example.com"},
		{"user info is dropped", "http://user:pa%20ss@example.com/a", "http://example.com/a", "example.com"},
		{"user info that looks like a host", "http://good.example@evil.example/a", "http://evil.example/a", "evil.example"},
		{"internationalised name", "http://bücher.example/", "http://xn--bcher-kva.example/", "xn--bcher-kva.example"},
		{"full-width name", "http://ｅｘａｍｐｌｅ．com/", "http://example.com/", "example.com"},
		{"percent-encoded name", "http://ex%61mple.com/", "http://example.com/", "example.com"},
		{"decimal address", "http://2130706433/", "http://127.0.0.1/", "127.0.0.1"},
		{"octal and hexadecimal address", "http://0177.0x0.1/", "http://127.0.0.1/", "127.0.0.1"},
		{"IPv6", "http://[0:0::1]:8080/", "http://[::1]:8080/", "[::1]:8080"},
		{"IPv4 in IPv6", "http://[::127.0.0.1]/", "http://[::7f00:1]/", "[::7f00:1]"},
		{"trailing dot of a name", "http://example.com./", "http://example.com./", "example.com."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if u.String() != tt.want || u.Host() != tt.host {
				t.Errorf("Parse(%q) = %q, host %q; want %q, %q", tt.in, u, u.Host(), tt.want, tt.host)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	long := "http://example.com/" + strings.Repeat("a", MaxLength)
	tests := []struct {
		name, in string
		want     error // nil: any but the others
	}{
		{"mailto", "mailto:a@example.com", ErrScheme},
		{"javascript", " JavaScript:void(0)", ErrScheme},
		{"javascript split", "java\nscript:void(0)", ErrScheme},
		{"ftp", "ftp://example.com/", ErrScheme},
		{"file", "file:///etc/passwd", ErrScheme},
		{"long data", "data:text/html," + long, ErrScheme},
		{"blob of http", "blob:http://example.com/", ErrScheme},
		{"too long", long, ErrTooLong},
		{"too long once encoded", "http://example.com/" + strings.Repeat("ä", MaxLength/3), ErrTooLong},
		{"at signs without end", "http://" + strings.Repeat("@", 1000) + "example.com/", ErrTooLong},
		{"relative", "/a", nil},
		{"empty", "", nil},
		{"no host", "http://", nil},
		{"port alone", "http://:80/", nil},
		{"space in host", "http://exa mple.com/", nil},
		{"port too large", "http://example.com:65536/", nil},
		{"port of letters", "http://example.com:http/", nil},
		{"address out of range", "http://1.2.3.256/", nil},
		{"bad IPv6", "http://[::1/", nil},
		{"forbidden host", "http://a<b/", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.in)
			if err == nil || u != (URL{}) {
				t.Fatalf("Parse(%.40q) = %.40q, %v", tt.in, u.String(), err)
			}
			for _, sentinel := range []error{ErrScheme, ErrTooLong} {
				if errors.Is(err, sentinel) != (sentinel == tt.want) {
					t.Errorf("Parse(%.40q): %v; want %v", tt.in, err, tt.want)
				}
			}
			if len(err.Error()) > 1500 {
				t.Errorf("message of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestResolve(t *testing.T) {
	const base = "https://example.com:8443/a/b/c.html?q=1"
	tests := []struct{ name, ref, want string }{
		{"empty", "", base},
		{"fragment", "#top", base},
		{"query", "?p=2", "https://example.com:8443/a/b/c.html?p=2"},
		{"sibling", "d.html", "https://example.com:8443/a/b/d.html"},
		{"sibling with query and fragment", "d.html?x=/y#z", "https://example.com:8443/a/b/d.html?x=/y"},
		{"this directory", "./", "https://example.com:8443/a/b/"},
		{"dot", ".", "https://example.com:8443/a/b/"},
		{"sibling from here", "././d", "https://example.com:8443/a/b/d"},
		{"up", "../d", "https://example.com:8443/a/d"},
		{"up twice", "../../d", "https://example.com:8443/d"},
		{"up beyond the root", "../../../../d", "https://example.com:8443/d"},
		{"up and nothing", "..", "https://example.com:8443/a/"},
		{"up with an empty segment", "..//d", "https://example.com:8443/a//d"},
		{"dots inside", "x/../d", "https://example.com:8443/a/b/d"},
		{"three dots", ".../d", "https://example.com:8443/a/b/.../d"},
		{"absolute path", "/d/e", "https://example.com:8443/d/e"},
		{"other host", "//other.example/d", "https://other.example/d"},
		{"other host with default port", "//other.example:443", "https://other.example/"},
		{"absolute", "http://other.example/d", "http://other.example/d"},
		{"same scheme without slashes", "https:d", "https://example.com:8443/a/b/d"},
		{"backslashes", `\\other.example\d`, "https://other.example/d"},
		{"colon in a path", "/d:e", "https://example.com:8443/d:e"},
		{"colon in a query", "d?e:f", "https://example.com:8443/a/b/d?e:f"},
		{"looks like a scheme", "httpd/", "https://example.com:8443/a/b/httpd/"},
		{"spaces around", "\n  d\t ", "https://example.com:8443/a/b/d"},
		{"not ASCII", "ü?ü", "https://example.com:8443/a/b/%C3%BC?%C3%BC"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, host, err := Resolve(base, tt.ref)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("Resolve(%q) = %q, want %q", tt.ref, got, tt.want)
			}
			if u, _ := Parse(got); u.String() != got || u.Host() != host {
				t.Errorf("%q parses as %q", got, u)
			}
		})
	}
}

func TestParts(t *testing.T) {
	tests := []struct {
		in   string
		want []string // Scheme, Host, Hostname, Path, RequestURI, Origin, Domain
	}{
		{"https://www.shop.example.co.uk:8443/a/b?c=d?e", []string{"https", "www.shop.example.co.uk:8443", "www.shop.example.co.uk", "/a/b", "/a/b?c=d?e", "https://www.shop.example.co.uk:8443", "example.co.uk"}},
		{"http://localhost:8080", []string{"http", "localhost:8080", "localhost", "/", "/", "http://localhost:8080", "localhost"}},
		{"http://127.0.0.1:81/?", []string{"http", "127.0.0.1:81", "127.0.0.1", "/", "/?", "http://127.0.0.1:81", "127.0.0.1"}},
		{"http://[::1]/", []string{"http", "[::1]", "[::1]", "/", "/", "http://[::1]", "[::1]"}},
		{"http://[::1]:81/", []string{"http", "[::1]:81", "[::1]", "/", "/", "http://[::1]:81", "[::1]"}},
		{"https://user.github.io/x", []string{"https", "user.github.io", "user.github.io", "/x", "/x", "https://user.github.io", "user.github.io"}},
		{"https://github.io/x", []string{"https", "github.io", "github.io", "/x", "/x", "https://github.io", "github.io"}},
		{"https://a.b.intranet/x", []string{"https", "a.b.intranet", "a.b.intranet", "/x", "/x", "https://a.b.intranet", "b.intranet"}},
		{"https://www.example.com./", []string{"https", "www.example.com.", "www.example.com.", "/", "/", "https://www.example.com.", "example.com"}},
		{"https://www.bücher.de/", []string{"https", "www.xn--bcher-kva.de", "www.xn--bcher-kva.de", "/", "/", "https://www.xn--bcher-kva.de", "xn--bcher-kva.de"}},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			u, err := Parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{u.Scheme(), u.Host(), u.Hostname(), u.Path(), u.RequestURI(), u.Origin(), u.Domain()}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	t.Run("zero", func(t *testing.T) {
		var u URL
		if got := u.String() + u.Scheme() + u.Host() + u.Hostname() + u.RequestURI() + u.Origin() + u.Domain(); got != "" {
			t.Errorf("parts of the zero URL: %q", got)
		}
	})
}

// knownFailures are the cases of urltestdata.json that come out otherwise.
var knownFailures = map[string]string{
	"http://a.b.c.xn--pokxncvks":  "Punycode that decodes to no valid label is refused; no such name can be registered",
	"http://10.0.0.xn--pokxncvks": "the same",
	"http://a.b.c.XN--pokxncvks":  "the same",
	"http://a.b.c.Xn--pokxncvks":  "the same",
	"http://10.0.0.XN--pokxncvks": "the same",
	"http://10.0.0.xN--pokxncvks": "the same",
	"https://xn--/":               "the same, with nothing to decode",
}

// TestURLStandard runs the web platform tests' URL parsing cases. Those with
// another scheme have to fail with ErrScheme or as broken.
func TestURLStandard(t *testing.T) {
	data, err := os.ReadFile("../../../shared/conformance/url/urltestdata.json")
	if err != nil {
		t.Skipf("the URL test data is not there: %v", err)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, entry := range entries {
		var c struct {
			Input, Href string
			Base        *string
			Failure     bool
		}
		if entry[0] == '"' {
			continue // a comment
		}
		if err := json.Unmarshal(entry, &c); err != nil {
			t.Fatal(err)
		}
		var base string
		if c.Base != nil {
			base = *c.Base
		}
		if base != "" && !strings.HasPrefix(base, "http:") && !strings.HasPrefix(base, "https:") {
			continue // a document of another scheme is never crawled
		}
		ran++
		t.Run(base+" "+c.Input, func(t *testing.T) {
			var b URL
			if base != "" {
				if b, err = Parse(base); err != nil {
					t.Fatal(err)
				}
			}
			u, err := b.Resolve(c.Input)
			want := ""
			if !c.Failure {
				want = wantCanonical(c.Href)
			}
			passed := u.String() == want && (err == nil) == (want != "")
			reason, known := knownFailures[c.Input]
			switch {
			case known && passed:
				t.Errorf("passes, but is listed as a known failure (%s)", reason)
			case !known && !passed:
				t.Errorf("got %q, %v; want %q", u, err, want)
			}
			if known {
				delete(knownFailures, c.Input)
			}
		})
	}
	if ran < 500 || len(knownFailures) != 0 {
		t.Errorf("%d cases ran; listed, but not among them: %v", ran, knownFailures)
	}
}

// wantCanonical is our form of a href that the URL Standard's parser wrote: ""
// for another scheme, no credentials, no fragment.
func wantCanonical(href string) string {
	scheme, rest, _ := strings.Cut(href, "://")
	if scheme != "http" && scheme != "https" {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "#")
	authority, path, _ := strings.Cut(rest, "/")
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	return upperPercent(scheme + "://" + host + "/" + path)
}

// FuzzResolve holds the plain ways against the full parser.
func FuzzResolve(f *testing.F) {
	bases := []string{"", "http://a/", "https://example.com:8443/a/b/c.html?q=1", "http://example.com//x/?"}
	refs := []string{
		"", "#", "?a", "a/b", "../a", ".././../a//b", "/a?b#c", "//b.c/d", "http://a.b/c%20d?%E2", "http://1.2/", "http://a:80",
		"https://a:443/", "http:a", "http://a..b/", "http://1.2.3.4:65535/a", "http://1.2.3.04:65536/", "http://1.2.3.256/", "http://1.2.3.4.5/", "http://-a.b/", "/%2E%2e/a", "a:b", "/a[b]|c^d", "?a'b`{}", "/.", "/a/..", `\\a`, "http://a.0x1/", "http://xn--a/", "/%zz%",
	}
	for _, base := range bases {
		for _, ref := range refs {
			f.Add(base, ref)
		}
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		if len(base)+len(ref) > MaxLength/4 || strings.Count(base+ref, "@") > maxAt {
			return // no limit is met on the way
		}
		b, err := Parse(base)
		if base != "" && err != nil {
			return
		}
		got, gotErr := b.Resolve(ref)
		var want URL
		w, wantErr := whatwg.ParseRef(b.String(), ref)
		if wantErr == nil {
			want, wantErr = canonical(w, ref)
		}
		if got != want || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%q against %q: got %q, %v; want %q, %v", ref, base, got, gotErr, want, wantErr)
		}
		if again, err := Parse(got.String()); gotErr == nil && (err != nil || again != got) {
			t.Errorf("%q is not canonical: %q, %v", got, again, err)
		}
		got.Domain()
	})
}

func BenchmarkResolve(b *testing.B) {
	base, err := Parse("https://www.example.com/catalogue/category/books/page-2.html?x=1")
	if err != nil {
		b.Fatal(err)
	}
	for _, ref := range []string{
		"https://www.example.com/catalogue/a-light-in-the-attic_1000/index.html?ref=home",
		"../../../a-light-in-the-attic_1000/index.html",
		"/wiki/%E3%83%A1%E3%82%A4%E3%83%B3",
		"/search?q=ä",
		"mailto:someone@example.com",
		"http://a\t/" + strings.Repeat("/", 8000),
	} {
		b.Run(ref[:min(40, len(ref))], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				base.Resolve(ref)
			}
		})
		b.Run("full parser/"+ref[:min(40, len(ref))], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				whatwg.ParseRef(base.href, ref)
			}
		})
	}
}
