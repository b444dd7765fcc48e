package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// specialPrefixes are the addresses that are not of the public Internet: the
// IANA special-purpose registries
// (https://www.iana.org/assignments/iana-ipv4-special-registry,
// https://www.iana.org/assignments/iana-ipv6-special-registry), multicast,
// and the IPv6 ranges that carry an IPv4 address to somewhere else.
var specialPrefixes = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared, carrier-grade NAT
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local, cloud metadata
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // IETF protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // 6to4 relays
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, broadcast

	"::/96",           // unspecified, loopback, IPv4-compatible
	"::ffff:0:0:0/96", // IPv4-translated
	"64:ff9b::/96",    // NAT64
	"64:ff9b:1::/48",  // NAT64, local
	"100::/64",        // discard
	"100:0:0:1::/64",  // dummy
	"2001::/23",       // IETF protocol assignments, Teredo
	"2001:db8::/32",   // documentation
	"2002::/16",       // 6to4
	"3fff::/20",       // documentation
	"5f00::/16",       // segment routing
	"fc00::/7",        // unique local
	"fe80::/10",       // link-local
	"fec0::/10",       // site-local
	"ff00::/8",        // multicast
)

func prefixes(texts ...string) []netip.Prefix {
	var list []netip.Prefix
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// isSpecial tells whether an address is not of the public Internet.
func isSpecial(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range specialPrefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// guard dials, but for special addresses, which it dials only for those hosts
// that may have one.
type guard struct {
	open, guarded net.Dialer
	allowPrivate  bool
	allowed       map[string]bool // "host:port" as the transport dials it
	proxies       *proxyTurns     // nil: none
}

func newGuard(opts TransportOptions, timeout time.Duration) *guard {
	g := &guard{
		open:         net.Dialer{Timeout: timeout},
		guarded:      net.Dialer{Timeout: timeout, Control: refuseSpecial},
		allowPrivate: opts.AllowPrivate,
		allowed:      map[string]bool{},
	}
	for _, host := range opts.AllowHosts {
		host = strings.ToLower(host)
		if strings.LastIndexByte(host, ':') > strings.LastIndexByte(host, ']') {
			g.allowed[host] = true
		} else {
			g.allowed[host+":80"] = true
			g.allowed[host+":443"] = true
		}
	}
	return g
}

func (g *guard) dialContext(ctx context.Context, network, hostport string) (net.Conn, error) {
	if g.proxies != nil && g.proxies.isProxy(hostport) { // named by the user, whatever its address
		conn, err := g.open.DialContext(ctx, network, hostport)
		if err != nil && ctx.Err() == nil {
			g.proxies.failed(hostport)
			err = &Error{Reason: ReasonProxy, Temporary: true, Err: err}
		}
		return proxyConn{conn}, err
	}
	if g.allowPrivate || g.allowed[strings.ToLower(hostport)] {
		return g.open.DialContext(ctx, network, hostport)
	}
	return g.guarded.DialContext(ctx, network, hostport)
}

// refuseSpecial is a net.Dialer's Control: it sees the address that is
// connected to, after the name was resolved.
func refuseSpecial(network, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err == nil && !isSpecial(a.Addr()) {
		return nil
	}
	return &Error{Reason: ReasonAddress, Err: fmt.Errorf("%s is not an address of the public Internet", address)}
}
