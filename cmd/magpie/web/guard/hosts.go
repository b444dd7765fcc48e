package guard

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

// hosts are the names that the server goes by. A page on a name of somebody
// else's may have that name lead to this machine, and is then of one origin
// with what answers here (DNS rebinding): only the Host header tells. A name
// that means this machine in any case cannot be somebody else's, and neither
// can an IP address, since a page at that address came from there.
type hosts struct {
	names     map[string]bool // lower case, some with their port
	addresses bool            // any IP address will do: the server listens beyond loopback
	beyond    string          // what other machines may reach it by; "": nothing
}

func newHosts(address netip.AddrPort, names []string) (*hosts, error) {
	h := &hosts{names: map[string]bool{}}
	if !address.Addr().Unmap().IsLoopback() {
		h.addresses, h.beyond = true, address.String()
	}
	for _, name := range names {
		host, port := splitHost(name)
		if host == "" || strings.ContainsAny(host+port, "/@ *?#") {
			return nil, fmt.Errorf("%q is no host: write a name such as magpie.example.com, without a scheme, path or *", name)
		}
		if port != "" {
			host = net.JoinHostPort(host, port)
		}
		h.names[host] = true
		if !loopbackName(name) && h.beyond == "" {
			h.beyond = name
		}
	}
	return h, nil
}

// splitHost takes a Host header apart, lower-case and without the dot at the
// end that a name may have, an address as netip writes it. Without a port, port
// is "".
func splitHost(s string) (host, port string) {
	host = s
	if name, number, err := net.SplitHostPort(s); err == nil {
		host, port = name, number
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.String()
	}
	return host, port
}

// loopbackName tells whether a name or address means the machine itself,
// whoever asks. https://www.rfc-editor.org/rfc/rfc6761#section-6.3
func loopbackName(host string) bool {
	name, _ := splitHost(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}

// check refuses a Host header that is none of the server's names. Names of
// loopback are fine with any port: the one that a tunnel or a container's
// mapping leads from is not the one listened at.
func (h *hosts) check(header string) *problem.Problem {
	host, port := splitHost(header)
	_, err := netip.ParseAddr(host)
	switch {
	case loopbackName(host):
	case err == nil && h.addresses:
	case h.names[host], h.names[net.JoinHostPort(host, port)]:
	default:
		return problem.New(http.StatusMisdirectedRequest,
			fmt.Sprintf("if people are to reach it by that name, start it with --host %[1]q, or write hosts: [%[1]q] in serve.yaml", host),
			"this server does not go by the name %q", host)
	}
	return nil
}
