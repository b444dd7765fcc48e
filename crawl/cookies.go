package crawl

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync"

	"golang.org/x/net/publicsuffix"

	"github.com/magpie-crawl/magpie/weburl"
)

// CookiePolicy is what becomes of cookies that servers set.
type CookiePolicy uint8

const (
	CookiesOn  CookiePolicy = iota // they are sent back, as RFC 6265 says, for as long as the process crawls
	CookiesOff                     // they are not
)

// Bounds of what servers may have kept for them. RFC 6265, section 6.1, asks
// for 50 cookies a domain of 4096 bytes each.
const (
	maxCookieDomains = 10_000 // registrable domains
	maxDomainCookies = 100
	maxCookieBytes   = 4096
)

// cookieJar keeps the cookies of a crawl: a jar for each registrable domain, so
// that one of them can be forgotten.
type cookieJar struct {
	mu      sync.Mutex
	domains map[string]*domainJar
}

type domainJar struct {
	jar   *cookiejar.Jar
	names map[string]bool // cookies that were ever set
}

func newCookieJar() *cookieJar { return &cookieJar{domains: map[string]*domainJar{}} }

// header is the Cookie field of a request to a URL, "" if there is nothing to
// send.
func (j *cookieJar) header(u weburl.URL) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	d := j.domains[u.Domain()]
	if d == nil {
		return ""
	}
	r := http.Request{Header: http.Header{}}
	for _, c := range d.jar.Cookies(cookieURL(u)) {
		r.AddCookie(c)
	}
	return r.Header.Get("Cookie")
}

// take keeps the cookies of a response. It returns how many there was no room
// for.
func (j *cookieJar) take(u weburl.URL, header http.Header) (refused int) {
	cookies := (&http.Response{Header: header}).Cookies()
	if len(cookies) == 0 {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	d := j.domain(u.Domain())
	var kept []*http.Cookie
	for _, c := range cookies {
		name := c.Name + ";" + c.Domain + ";" + c.Path
		if len(c.Name)+len(c.Value) > maxCookieBytes || len(d.names) >= maxDomainCookies && !d.names[name] {
			refused++
			continue
		}
		d.names[name] = true
		kept = append(kept, c)
	}
	d.jar.SetCookies(cookieURL(u), kept)
	return refused
}

// cookieURL is what a jar has to know of a URL. Paths of cookies are compared
// as they are requested (RFC 6265, section 5.1.4).
func cookieURL(u weburl.URL) *url.URL {
	return &url.URL{Scheme: u.Scheme(), Host: u.Host(), Path: u.Path()}
}

// domain returns the jar of a registrable domain. Where there are too many,
// some domain loses its cookies, as if they had expired.
func (j *cookieJar) domain(name string) *domainJar {
	if d := j.domains[name]; d != nil {
		return d
	}
	for other := range j.domains {
		if len(j.domains) < maxCookieDomains {
			break
		}
		delete(j.domains, other)
	}
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never an error
	d := &domainJar{jar: jar, names: map[string]bool{}}
	j.domains[name] = d
	return d
}
