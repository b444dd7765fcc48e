package guard

import (
	"net/http"
	"strings"
	"testing"
)

// TestNames: who listens beyond loopback, or says that others come, is reached
// by addresses and the names configured.
func TestNames(t *testing.T) {
	_, server := startServer(t, Options{Address: "0.0.0.0:8490", Token: testToken, Hosts: []string{"crawls.example", "other.example:8443"}, URL: "https://magpie.example.com/x"}, nil)
	tests := []struct {
		host string
		want int
	}{
		{"192.168.1.5:8490", 200}, {"[2001:db8::1]:8490", 200}, {"localhost:8490", 200},
		{"crawls.example", 200}, {"CRAWLS.example.:1", 200}, {"magpie.example.com", 200},
		{"other.example:8443", 200}, {"other.example", 421}, {"other.example:1", 421},
		{"a.crawls.example", 421}, {"evil.example:8490", 421},
	}
	for _, tt := range tests {
		t.Run(tt.host, func(t *testing.T) {
			resp, text := ask(t, "GET", server+"/", map[string]string{"Host": tt.host, "Authorization": "Bearer " + testToken}, "")
			if resp.StatusCode != tt.want {
				t.Errorf("status %d, want %d: %s", resp.StatusCode, tt.want, text)
			}
			if tt.want == 421 && !strings.Contains(text, "--host") {
				t.Errorf("it does not say what to do: %s", text)
			}
		})
	}
	// A proxy for HTTPS may ask by another name than the browser's.
	resp, _ := ask(t, "POST", server+"/api/v1/x", map[string]string{"Host": "localhost", "Origin": "https://magpie.example.com", "Authorization": "Bearer " + testToken}, "")
	if resp.StatusCode != 200 {
		t.Errorf("a change from where people see the server: %d", resp.StatusCode)
	}
}

// TestURL: browsers write the address at which people see the server in lower
// case and without the usual port, however it was configured.
func TestURL(t *testing.T) {
	for address, origin := range map[string]string{
		"https://magpie.example.com/": "https://magpie.example.com", "HTTPS://Magpie.Example.COM:443/x": "https://magpie.example.com",
		"http://magpie.example.com:80": "http://magpie.example.com", "https://magpie.example.com:8443/": "https://magpie.example.com:8443",
		"https://[2001:DB8:0::1]:443/": "https://[2001:db8::1]", "https://mägpie.example/": "https://xn--mgpie-gra.example",
	} {
		t.Run(address, func(t *testing.T) {
			_, server := startServer(t, Options{URL: address, Token: testToken}, nil)
			header := map[string]string{"Host": strings.SplitAfter(origin, "//")[1], "Authorization": "Bearer " + testToken}
			if resp, text := ask(t, "GET", server+"/", header, ""); resp.StatusCode != http.StatusOK {
				t.Errorf("a page: status %d: %s", resp.StatusCode, text)
			}
			header["Host"], header["Origin"] = "localhost", origin // as some proxies ask
			if resp, text := ask(t, "POST", server+"/api/v1/x", header, ""); resp.StatusCode != http.StatusOK {
				t.Errorf("a change: status %d: %s", resp.StatusCode, text)
			}
		})
	}
}

// TestAddressNames: an address is a name in whatever form it is written.
func TestAddressNames(t *testing.T) {
	for _, name := range []string{"2001:db8::1", "[2001:DB8::1]", "2001:0db8:0:0::1", "[2001:0db8:0:0::1]:8443"} {
		t.Run(name, func(t *testing.T) {
			_, server := startServer(t, Options{Hosts: []string{name}, Token: testToken}, nil)
			resp, text := ask(t, "GET", server+"/", map[string]string{"Host": "[2001:db8::1]:8443", "Authorization": "Bearer " + testToken}, "")
			if resp.StatusCode != http.StatusOK {
				t.Errorf("status %d: %s", resp.StatusCode, text)
			}
		})
	}
}
