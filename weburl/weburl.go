// Package weburl reads URLs as browsers do, by the URL Standard
// (https://url.spec.whatwg.org/), and writes each in one canonical form that
// a crawler can compare, store and fetch.
//
// It knows http and https alone. github.com/nlnwa/whatwg-url does the
// parsing; plain.go recognises, many times faster, the URLs that are
// canonical as they stand, which most links are.
package weburl

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/publicsuffix"
)

// Errors that Parse and Resolve wrap. Any other error says that the text is no
// URL.
var (
	// ErrScheme marks a URL whose scheme is not http or https, such as
	// mailto: or javascript:.
	ErrScheme = errors.New("scheme is not http or https")
	// ErrTooLong marks text of more than MaxLength bytes, or with more than
	// maxAt "@".
	ErrTooLong = errors.New("URL is too long")
)

// MaxLength is how many bytes a URL may have, before and after it is made
// canonical. Servers commonly refuse request lines beyond it.
const MaxLength = 8192

// maxAt bounds the "@" in a URL. Divergence: browsers have no such limit, but
// the full parser's time grows with the square of those before the host.
const maxAt = 64

// URL is an absolute http or https URL in canonical form: scheme and host in
// lower case, internationalised names in Punycode, IP addresses in their
// standard writing, no default port, no dot segments, a path that is never
// empty, everything percent-encoded that browsers encode, hexadecimal digits
// of percent-encoding in upper case, and no fragment.
//
// A user name and password are dropped: credentials are configured for an
// origin, never taken from a page.
//
// Two URLs are equal (==) if they are the same resource to a browser. The
// zero URL is no URL; its String is empty.
type URL struct {
	href string
	// Ends of parts of href: of "https://", of the host and its port, and of
	// the path.
	scheme, host, path int
}

// Parse reads an absolute URL. Spaces and control characters around it, and
// tabs and line breaks within it, are ignored.
func Parse(raw string) (URL, error) { return URL{}.Resolve(raw) }

// Resolve reads a URL that may be relative to u, as a link in a document
// whose base URL is u. Nothing is relative to the zero URL.
func (u URL) Resolve(ref string) (URL, error) {
	ref = endAtFragment(trim(ref))
	if otherScheme(ref) {
		return URL{}, fmt.Errorf("%.200q: %w", ref, ErrScheme)
	}
	if len(ref) > MaxLength || strings.Count(ref, "@") > maxAt {
		return URL{}, fmt.Errorf("%.200q…: %w", ref, ErrTooLong)
	}
	if r, ok := u.ResolvePlain(ref); ok {
		return r, nil
	}
	w, err := whatwg.ParseRef(u.href, ref)
	if err != nil {
		return URL{}, fmt.Errorf("parse URL %.200q: %w", ref, err)
	}
	return canonical(w, ref)
}

// Canonical is Parse for those who need texts alone: the canonical URL and
// its Host.
func Canonical(raw string) (canonical, host string, err error) {
	u, err := Parse(raw)
	return u.String(), u.Host(), err
}

// Resolve is Canonical for a URL that may be relative to base. Who resolves
// many against one base parses it once and uses URL.Resolve.
func Resolve(base, ref string) (canonical, host string, err error) {
	b, err := Parse(base)
	if err != nil {
		return "", "", fmt.Errorf("base URL: %w", err)
	}
	u, err := b.Resolve(ref)
	return u.String(), u.Host(), err
}

// canonical turns what the URL Standard's parser made of raw into a URL.
func canonical(w *whatwg.Url, raw string) (URL, error) {
	scheme := w.Scheme()
	if scheme != "http" && scheme != "https" {
		return URL{}, fmt.Errorf("%.200q: %w", raw, ErrScheme)
	}
	w.SetUsername("")
	w.SetPassword("")
	href := upperPercent(w.Href(true))
	if len(href) > MaxLength {
		return URL{}, fmt.Errorf("%.80q…: %w", raw, ErrTooLong)
	}
	return split(href, len(scheme)+len("://")), nil
}

// split finds the parts of a canonical URL. schemeEnd is where its host
// starts.
func split(href string, schemeEnd int) URL {
	host := schemeEnd + strings.IndexByte(href[schemeEnd:], '/')
	path := len(href)
	if i := strings.IndexByte(href[host:], '?'); i >= 0 {
		path = host + i
	}
	return URL{href: href, scheme: schemeEnd, host: host, path: path}
}

// upperPercent writes the hexadecimal digits of percent-encoding in upper case.
func upperPercent(s string) string {
	var b []byte
	for i := 0; i+2 < len(s); i++ {
		if s[i] != '%' || !isHex(s[i+1]) || !isHex(s[i+2]) {
			continue
		}
		if isLower(s[i+1]) || isLower(s[i+2]) {
			if b == nil {
				b = []byte(s)
			}
			b[i+1], b[i+2] = upper(s[i+1]), upper(s[i+2])
		}
		i += 2
	}
	if b == nil {
		return s
	}
	return string(b)
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func upper(c byte) byte {
	if isLower(c) {
		return c - 'a' + 'A'
	}
	return c
}

// trim removes the C0 controls and spaces around s.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}

// endAtFragment cuts a fragment, but keeps the "#": a space before it is not
// one at the end.
func endAtFragment(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		return s[:i+1]
	}
	return s
}

// otherScheme tells whether s starts with a scheme that is not http or https.
// A scheme with tabs or line breaks in it is left to the full parser.
func otherScheme(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isLower(c | 0x20):
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return !strings.EqualFold(s[:i], "http") && !strings.EqualFold(s[:i], "https")
		default:
			return false
		}
	}
	return false
}

// String is the whole URL.
func (u URL) String() string { return u.href }

// Scheme is "http" or "https".
func (u URL) Scheme() string {
	if u.href == "" {
		return ""
	}
	return u.href[:u.scheme-len("://")]
}

// Host is the host name or address, with the port where it is not the
// scheme's default: the unit of politeness.
func (u URL) Host() string { return u.href[u.scheme:u.host] }

// Hostname is Host without the port. An IPv6 address keeps its brackets.
func (u URL) Hostname() string {
	host := u.Host()
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i]
	}
	return host
}

// Path is the path as it is requested; it starts with "/".
func (u URL) Path() string { return u.href[u.host:u.path] }

// RequestURI is the path and the query: what robots.txt rules match, and what
// is asked of the server.
func (u URL) RequestURI() string { return u.href[u.host:] }

// Origin is the scheme, host and port, without a slash at the end.
func (u URL) Origin() string { return u.href[:u.host] }

// Domain is the registrable domain by the public suffix list
// (https://publicsuffix.org/): "example.co.uk" for "www.example.co.uk". An IP
// address, and a name with nothing before its public suffix, such as
// "localhost" or "github.io", are their own domain. The port is no part of it.
func (u URL) Domain() string { return Domain(u.Hostname()) }

// Domain is the registrable domain of a host name in canonical form, see
// URL.Domain.
func Domain(hostname string) string {
	if _, err := netip.ParseAddr(strings.Trim(hostname, "[]")); err == nil {
		return hostname
	}
	name := strings.TrimSuffix(hostname, ".")
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	if err != nil {
		return name
	}
	return domain
}
