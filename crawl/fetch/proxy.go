package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// Proxies choose the proxy of each request. A proxy resolves names itself, so
// that behind one the guard sees no more than addresses that a URL spells out;
// a proxy may have a private address of its own.
type Proxies struct {
	// URLs of proxies that take turns, by request: http, https, socks5 or
	// socks5h, with user name and password where they are wanted, or
	// FromEnvironment. One that can't be connected to is passed over for
	// ProxyRest.
	URLs []*url.URL
	// For returns the proxies for a host, as weburl.URL.Host writes it, in
	// place of URLs; nil: those of URLs, empty: none. It may be nil.
	For func(host string) []*url.URL
}

// FromEnvironment stands for the proxy that HTTP_PROXY, HTTPS_PROXY and
// NO_PROXY say, if they do.
var FromEnvironment = &url.URL{Scheme: "environment"}

// ProxyRest is how long a proxy that could not be connected to is passed over.
const ProxyRest = time.Minute

func (p Proxies) none() bool { return len(p.URLs) == 0 && p.For == nil }

// proxyTurns gives each request its proxy.
type proxyTurns struct {
	Proxies
	guard       *guard
	environment func(*url.URL) (*url.URL, error)

	mu   sync.Mutex
	next int
	dead map[string]time.Time // by dialled address, until when
	all  map[string]bool      // dialled addresses of the proxies handed out
}

func newProxyTurns(p Proxies, g *guard) *proxyTurns {
	return &proxyTurns{Proxies: p, guard: g, environment: httpproxy.FromEnvironment().ProxyFunc(), dead: map[string]time.Time{}, all: map[string]bool{}}
}

// choose is an http.Transport's Proxy.
func (p *proxyTurns) choose(r *http.Request) (*url.URL, error) {
	list := p.URLs
	if p.For != nil {
		if own := p.For(strings.ToLower(r.URL.Host)); own != nil {
			list = own
		}
	}
	proxy := p.turn(list)
	if proxy == FromEnvironment {
		var err error
		if proxy, err = p.environment(r.URL); err != nil {
			return nil, &Error{Reason: ReasonProxy, Err: err}
		}
	}
	if proxy == nil {
		return nil, nil
	}
	p.mu.Lock()
	p.all[hostport(proxy)] = true
	p.mu.Unlock()
	if r.URL.Scheme == "http" && strings.HasPrefix(proxy.Scheme, "http") {
		makeAbsolute(r.URL)
	}
	return proxy, p.guard.refuseLiteral(r.URL)
}

// makeAbsolute sees that a target which net/url cannot write is sent as an
// absolute URL, as proxies want it (RFC 9112, section 3.2.2). Others net/http
// makes so by itself.
func makeAbsolute(target *url.URL) {
	if target.Opaque != "" && !strings.HasPrefix(target.Opaque, "//") {
		target.Opaque = "//" + target.Host + target.Opaque
	}
}

// refused is an http.Transport's OnProxyConnectResponse.
func refused(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &Error{Reason: ReasonProxy, Temporary: true, Err: fmt.Errorf("proxy %s: %d %s", proxy.Host, answer.StatusCode, http.StatusText(answer.StatusCode))}
}

// turn is the next of a list of proxies that is not known to be dead, the next
// one at all if all are; nil of none.
func (p *proxyTurns) turn(list []*url.URL) *url.URL {
	if len(list) == 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for range list {
		p.next++
		if proxy := list[p.next%len(list)]; now.After(p.dead[hostport(proxy)]) {
			return proxy
		}
	}
	return list[p.next%len(list)]
}

// isProxy says that an address which is dialled is a proxy's.
func (p *proxyTurns) isProxy(address string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all[address]
}

// proxyConn is a connection to a proxy: its address is not the server's.
type proxyConn struct{ net.Conn }

// failed notes that a proxy could not be connected to.
func (p *proxyTurns) failed(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead[address] = time.Now().Add(ProxyRest)
}

// defaultPorts are those of the schemes of URLs and proxies.
var defaultPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}

// hostport is the address that a URL stands for, as http.Transport dials it:
// with a port, an IPv6 address in brackets.
func hostport(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = defaultPorts[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// refuseLiteral refuses what can be refused of a URL that a proxy resolves: an
// address that is not of the public Internet, and localhost.
func (g *guard) refuseLiteral(u *url.URL) error {
	if g.allowPrivate || g.allowed[hostport(u)] {
		return nil
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	addr, err := netip.ParseAddr(host)
	if err == nil && isSpecial(addr) || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return &Error{Reason: ReasonAddress, Err: fmt.Errorf("%s is not an address of the public Internet", u.Host)}
	}
	return nil
}
