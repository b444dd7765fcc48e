package crawl

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/weburl"
)

// Requests say how the crawl's requests are sent.
type Requests struct {
	// Header is sent to the origins of the start URLs, and to no other.
	Header map[string]string
	// Credentials are sent to the origins that they name.
	Credentials []Credentials
	Cookies     CookiePolicy // default: CookiesOn
	Proxies     []string     // URLs of proxies that take turns, or "environment"; default: none
	HostProxies []HostProxy  // proxies for some hosts; the first rule that matches counts
	InsecureTLS bool         // accept any certificate; pages say so in a warning
}

// Credentials are what a server knows the crawl by: user name and password
// (RFC 7617), or a bearer token (RFC 6750).
type Credentials struct {
	Origin         string // such as "https://example.com"
	User, Password string
	Bearer         string // in place of User and Password
}

// HostProxy gives hosts proxies of their own.
type HostProxy struct {
	Host    string   // "example.com", or "*.example.com" for those below it
	Proxies []string // none: no proxy
}

// secretHeaders are what requests carry beside the fields of every request,
// by origin.
type secretHeaders map[string]http.Header

func newSecretHeaders(o Requests, starts []weburl.URL) (secretHeaders, error) {
	s := secretHeaders{}
	var errs []error
	for name, value := range o.Header {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			errs = append(errs, fmt.Errorf("header %q is no header field", name))
			continue
		}
		for _, u := range starts {
			s.set(u.Origin(), name, value)
		}
	}
	for _, c := range o.Credentials {
		u, err := weburl.Parse(c.Origin)
		if err != nil || u.RequestURI() != "/" {
			errs = append(errs, fmt.Errorf("credentials for %q: that is no origin, such as \"https://example.com\"", c.Origin))
			continue
		}
		value := "Bearer " + c.Bearer
		if c.Bearer == "" {
			value = "Basic " + base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Password))
		}
		if !httpguts.ValidHeaderFieldValue(value) {
			errs = append(errs, fmt.Errorf("credentials for %s have characters that no header field can have", c.Origin))
			continue
		}
		s.set(u.Origin(), "Authorization", value)
	}
	return s, errors.Join(errs...)
}

func (s secretHeaders) set(origin, name, value string) {
	if s[origin] == nil {
		s[origin] = http.Header{}
	}
	s[origin].Set(name, value)
}

// personal adds to header what makes the server know who asks: configured
// fields, credentials and cookies.
func (s *session) personal(u weburl.URL, header http.Header) http.Header {
	secrets, cookie := s.secrets[u.Origin()], ""
	if s.cookies != nil {
		cookie = s.cookies.header(u)
	}
	if secrets == nil && cookie == "" {
		return header
	}
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	for name, values := range secrets {
		if _, has := header[name]; !has {
			header[name] = values
		}
	}
	if cookie != "" && header.Get("Cookie") == "" {
		header.Set("Cookie", cookie)
	}
	return header
}

// headerOf is the header of a request, with what makes the server know who
// asks, unless another origin led there: it could have the crawl do things in
// its own name.
func (s *session) headerOf(r Request, header http.Header) http.Header {
	u, err := weburl.Parse(r.URL)
	if err != nil || r.Away {
		return header
	}
	return s.personal(u, header)
}

// received takes in the cookies of a response.
func (s *session) received(r Request, p *Page) {
	u, err := weburl.Parse(r.URL)
	if err != nil {
		return
	}
	if n := s.takeCookies(u, p.Header); n > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("cookies that there was no room for: %d", n))
	}
	if s.opts.Requests.InsecureTLS && u.Scheme() == "https" {
		p.Warnings = append(p.Warnings, "the certificate was not checked: insecure_tls")
	}
}

func (s *session) takeCookies(u weburl.URL, header http.Header) (refused int) {
	if s.cookies == nil {
		return 0
	}
	return s.cookies.take(u, header)
}

func sameOrigin(url string, u weburl.URL) bool {
	v, err := weburl.Parse(url)
	return err == nil && v.Origin() == u.Origin()
}

// environmentProxies in Requests.Proxies stands for HTTP_PROXY and the like.
const environmentProxies = "environment"

// proxies are the job's, parsed.
func (o Requests) proxies() (fetch.Proxies, error) {
	var p fetch.Proxies
	var errs []error
	parse := func(list []string) []*url.URL {
		urls := []*url.URL{}
		for _, text := range list {
			if text == environmentProxies {
				urls = append(urls, fetch.FromEnvironment)
				continue
			}
			u, err := url.Parse(text)
			switch {
			case err != nil || u.Host == "": // the error would show a password
				errs = append(errs, errors.New("a proxy is no URL such as \"http://proxy.example:3128\""))
			case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" && u.Scheme != "socks5h":
				errs = append(errs, fmt.Errorf("proxy %s: its scheme must be http, https, socks5 or socks5h", u.Redacted()))
			default:
				urls = append(urls, u)
			}
		}
		return urls
	}
	p.URLs = parse(o.Proxies)
	type rule struct {
		host string
		list []*url.URL
	}
	var rules []rule
	for _, h := range o.HostProxies {
		rules = append(rules, rule{strings.ToLower(h.Host), parse(h.Proxies)})
	}
	if len(rules) > 0 {
		p.For = func(host string) []*url.URL {
			for _, r := range rules {
				if matchesHost(r.host, host) {
					return r.list
				}
			}
			return nil
		}
	}
	return p, errors.Join(errs...)
}

// matchesHost says whether a host, with or without a port, is meant by a name
// or by a pattern such as "*.example.com".
func matchesHost(pattern, host string) bool {
	if !strings.Contains(pattern, ":") {
		host, _, _ = strings.Cut(host, ":")
	}
	if rest, wild := strings.CutPrefix(pattern, "*."); wild {
		return strings.HasSuffix(host, "."+rest)
	}
	return host == pattern
}
