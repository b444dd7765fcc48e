package fetch

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/crawltest"
)

func TestIsSpecial(t *testing.T) {
	special := []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.9", "169.254.169.254",
		"172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
		"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::808:808", "64:ff9b:1::1",
		"100::1", "100:0:0:1::1", "2001::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
	}
	public := []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0",
		"192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
		"::ffff:8.8.8.8", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1", "2001:200::1", "2003::1",
	}
	for want, addresses := range map[bool][]string{true: special, false: public} {
		for _, a := range addresses {
			t.Run(a, func(t *testing.T) {
				if got := isSpecial(netip.MustParseAddr(a)); got != want {
					t.Errorf("isSpecial = %v", got)
				}
			})
		}
	}
}

// TestGuard asks a server on loopback by its many names.
func TestGuard(t *testing.T) {
	s := crawltest.NewServer(t, crawltest.HTML(page))
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	other := crawltest.NewServer(t, crawltest.HTML("private"))
	tests := []struct {
		name    string
		opts    TransportOptions
		url     string
		allowed bool
	}{
		{"address", TransportOptions{}, "http://127.0.0.1" + port + "/", false},
		{"name that resolves to one", TransportOptions{}, "http://localhost" + port + "/", false},
		{"another loopback address", TransportOptions{}, "http://127.1.2.3" + port + "/", false},
		{"address in IPv6", TransportOptions{}, "http://[::ffff:7f00:1]" + port + "/", false},
		{"unspecified address", TransportOptions{}, "http://0.0.0.0" + port + "/", false},
		{"private addresses allowed", TransportOptions{AllowPrivate: true}, "http://localhost" + port + "/", true},
		{"host allowed", TransportOptions{AllowHosts: []string{"127.0.0.1" + port}}, "http://127.0.0.1" + port + "/", true},
		{"name allowed", TransportOptions{AllowHosts: []string{"LOCALHOST" + port}}, "http://localhost" + port + "/", true},
		{"name allowed, address asked", TransportOptions{AllowHosts: []string{"localhost" + port}}, "http://127.0.0.1" + port + "/", false},
		{"another port allowed", TransportOptions{AllowHosts: []string{"127.0.0.1" + port}}, other.URL + "/", false},
		{"default ports allowed", TransportOptions{AllowHosts: []string{"127.0.0.1"}}, "http://127.0.0.1" + port + "/", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := NewTransport(tt.opts)
			t.Cleanup(tr.CloseIdleConnections)
			w := NewWorker(tr, Options{})
			if tt.allowed {
				get(t, w, tt.url)
				return
			}
			n := len(s.Requests()) + len(other.Requests())
			wantError(t, w, tt.url, ReasonAddress, false)
			if len(s.Requests())+len(other.Requests()) != n {
				t.Error("the server was asked")
			}
		})
	}
	t.Run("host without a port", func(t *testing.T) {
		g := newGuard(TransportOptions{AllowHosts: []string{"intranet.example", "[::1]"}}, time.Second)
		for hostport, want := range map[string]bool{
			"intranet.example:80": true, "intranet.example:443": true, "intranet.example:22": false, "[::1]:80": true, "[::1]:8080": false, "example:80": false,
		} {
			if g.allowed[hostport] != want {
				t.Errorf("%s: %v", hostport, !want)
			}
		}
	})
}
