package weburl

import (
	"net/netip"
	"strings"
)

// parsePlain reads an absolute URL that is canonical as it stands, but
// perhaps for a fragment or an empty path. For every other text, valid or
// not, ok is false: the full parser has the say.
func parsePlain(s string) (u URL, ok bool) {
	scheme := len("https://")
	switch {
	case strings.HasPrefix(s, "https://"):
	case strings.HasPrefix(s, "http://"):
		scheme = len("http://")
	default:
		return URL{}, false
	}
	s = cutFragment(s)
	host := scheme + strings.IndexByte(s[scheme:], '/')
	if host < scheme {
		// Nothing after the host; a query that follows it at once is rare
		// and fails as a host.
		s, host = s+"/", len(s)
	}
	if !plainHost(s[scheme:host], s[:scheme] == "https://") {
		return URL{}, false
	}
	path, ok := plainTarget(s, host)
	return URL{href: s, scheme: scheme, host: host, path: path}, ok
}

// ResolvePlain reads a reference that is canonical as it stands, or needs no
// more than being joined to u. The zero u joins nothing. For every other
// reference, valid or not, ok is false.
func (u URL) ResolvePlain(ref string) (r URL, ok bool) {
	if strings.HasPrefix(ref, "http") || u.href == "" {
		return parsePlain(ref)
	}
	ref = cutFragment(ref)
	switch {
	case ref == "":
		return u, true
	case ref[0] == '?':
		return u.join(u.path, ref)
	case strings.HasPrefix(ref, "//"):
		return parsePlain(u.href[:u.scheme-len("//")] + ref)
	case ref[0] == '/':
		return u.join(u.host, ref)
	}
	dir := u.host + strings.LastIndexByte(u.Path(), '/')
	for {
		if rest, found := strings.CutPrefix(ref, "./"); found {
			ref = rest
		} else if rest, found := strings.CutPrefix(ref, "../"); found {
			ref = rest
			dir = u.host + max(0, strings.LastIndexByte(u.href[u.host:dir], '/'))
		} else {
			break
		}
	}
	if ref == "" || ref[0] == '.' || ref[0] == '/' || strings.IndexByte(ref, ':') >= 0 {
		return URL{}, false
	}
	return u.join(dir+1, ref)
}

// join appends ref to the first n bytes of u, which end within its path or
// at an end of it.
func (u URL) join(n int, ref string) (URL, bool) {
	if n+len(ref) > MaxLength {
		return URL{}, false
	}
	r := URL{href: u.href[:n] + ref, scheme: u.scheme, host: u.host}
	var ok bool
	r.path, ok = plainTarget(r.href, r.host)
	return r, ok
}

func cutFragment(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		return s[:i]
	}
	return s
}

// plainHost tells whether a host, with or without a port, is a lower-case
// ASCII name or an IPv4 address of four decimal numbers, and the port is none
// that is left out.
func plainHost(s string, https bool) bool {
	if i := strings.IndexByte(s, ':'); i >= 0 {
		port := s[i+1:]
		if len(port) < 1 || len(port) > 5 || len(port) == 5 && port > "65535" || port[0] == '0' || port == "80" && !https || port == "443" && https {
			return false
		}
		for j := range len(port) {
			if !isDigit(port[j]) {
				return false
			}
		}
		s = s[:i]
	}
	label := strings.LastIndexByte(s, '.') + 1
	if label == len(s) {
		return false
	}
	if !isLower(s[label]) { // then it is no name
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is4()
	}
	for i := range len(s) {
		if c := s[i]; !isLower(c) && !isDigit(c) && c != '.' && c != '-' {
			return false
		}
	}
	return !strings.Contains(s, "xn--")
}

// plainTarget tells whether the path and query of href, which start at from,
// are canonical, and where the path ends.
func plainTarget(href string, from int) (path int, ok bool) {
	var before byte
	i := from
	for ; i < len(href) && href[i] != '?'; i++ {
		c := href[i]
		// A segment with a dot in front may be a dot segment.
		if !plainPath[c] || c == '.' && before == '/' || c == '%' && (!plainPercent(href[i:]) || href[i+1:i+3] == "2E") {
			return 0, false
		}
		before = c
	}
	path = i
	for ; i < len(href); i++ {
		if c := href[i]; !plainQuery[c] || c == '%' && !plainPercent(href[i:]) {
			return 0, false
		}
	}
	return path, len(href) <= MaxLength
}

// plainPercent tells whether s starts with a percent-encoded byte in
// upper-case digits.
func plainPercent(s string) bool {
	return len(s) >= 3 && isHex(s[1]) && isHex(s[2]) && !isLower(s[1]) && !isLower(s[2])
}

// plainPath and plainQuery hold the bytes that stand for themselves in a
// canonical path and query.
var (
	plainPath  = byteSet("%-._~!$&'()*+,;=:@/[]|")
	plainQuery = byteSet("%-._~!$&()*+,;=:@/[]|?")
)

// byteSet holds the ASCII letters, the digits and the bytes of more.
func byteSet(more string) (set [256]bool) {
	for c := range set {
		set[c] = isDigit(byte(c)) || isLower(byte(c)|0x20)
	}
	for _, c := range []byte(more) {
		set[c] = true
	}
	return set
}
