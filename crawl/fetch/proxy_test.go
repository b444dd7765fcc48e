package fetch

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// newProxy returns a proxy on loopback that answers all requests itself, those
// for tunnels with a status.
func newProxy(t *testing.T, tunnel int) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			http.Error(w, "no tunnel for you", tunnel)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// by returns a worker whose requests go by one proxy.
func by(t *testing.T, proxy string, allow ...string) *Worker {
	t.Helper()
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	tr := NewTransport(TransportOptions{AllowHosts: allow, Proxies: Proxies{URLs: []*url.URL{u}}})
	t.Cleanup(tr.CloseIdleConnections)
	return NewWorker(tr, Options{})
}

func TestProxyAtIPv6Address(t *testing.T) {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6:", err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Listener.Close()
	s.Listener = listener
	s.Start()
	t.Cleanup(s.Close)
	get(t, by(t, s.URL), "http://a.example/")
}

// The host that the user named may be asked for by a proxy, however it is written.
func TestPrivateHostsByProxy(t *testing.T) {
	proxy := newProxy(t, http.StatusOK).URL
	for _, tt := range []struct {
		allow, url string
		want       bool
	}{
		{"[::1]", "http://[::1]/", true},
		{"[::1]:8080", "http://[::1]:8080/", true},
		{"[::1]", "http://[::1]:8080/", false},
		{"127.0.0.1", "http://127.0.0.1/", true},
		{"127.0.0.1:8080", "http://127.0.0.1:8080/", true},
		{"127.0.0.1", "http://127.0.0.1:8080/", false},
		{"localhost", "http://localhost/", true},
	} {
		t.Run(tt.allow+" "+tt.url, func(t *testing.T) {
			w := by(t, proxy, tt.allow)
			if tt.want {
				get(t, w, tt.url)
				return
			}
			wantError(t, w, tt.url, ReasonAddress, false)
		})
	}
}

// A proxy is asked by absolute URLs (RFC 9112, section 3.2.2), also by those
// that net/url would not write.
func TestTargetsByProxy(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	lines := make(chan string, 1)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			r := bufio.NewReader(conn)
			line, _ := r.ReadString('\n')
			lines <- strings.TrimSpace(line)
			for line != "\r\n" && err == nil {
				line, err = r.ReadString('\n')
			}
			conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			conn.Close()
		}
	}()
	w := by(t, "http://"+listener.Addr().String())
	for _, u := range []string{"http://a.example/", "http://a.example/b?c", "http://a.example/100%", "http://a.example/a|b?c|d", "http://a.example//x%", "http://a.example:8080/%?%"} {
		t.Run(u, func(t *testing.T) {
			get(t, w, u)
			if got, want := <-lines, "GET "+u+" HTTP/1.1"; got != want {
				t.Errorf("asked %q, want %q", got, want)
			}
		})
	}
}

// The proxy of the environment is for those hosts alone that are to have it.
func TestProxyOfTheEnvironment(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://environment.example:3128")
	t.Setenv("NO_PROXY", "local.example")
	a, err := url.Parse("http://a.example:3128")
	if err != nil {
		t.Fatal(err)
	}
	both := func(one, others []*url.URL) Proxies {
		return Proxies{URLs: others, For: func(host string) []*url.URL {
			if host == "one.example" {
				return one
			}
			return nil
		}}
	}
	fromEnvironment := []*url.URL{FromEnvironment}
	for _, tt := range []struct {
		name    string
		proxies Proxies
		host    string
		want    string
	}{
		{"for all", Proxies{URLs: fromEnvironment}, "one.example", "environment.example:3128"},
		{"for all but those of the environment", Proxies{URLs: fromEnvironment}, "local.example", ""},
		{"for all but one", both([]*url.URL{}, fromEnvironment), "one.example", ""},
		{"for all but one, another", both([]*url.URL{}, fromEnvironment), "two.example", "environment.example:3128"},
		{"for one", both(fromEnvironment, nil), "one.example", "environment.example:3128"},
		{"for one, another", both(fromEnvironment, nil), "two.example", ""},
		{"for one, another with its own", both(fromEnvironment, []*url.URL{a}), "two.example", "a.example:3128"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turns := newProxyTurns(tt.proxies, newGuard(TransportOptions{}, time.Second))
			for range 3 {
				got, err := turns.choose(&http.Request{URL: &url.URL{Scheme: "http", Host: tt.host, Path: "/"}})
				if err != nil || (got == nil) != (tt.want == "") || got != nil && got.Host != tt.want {
					t.Errorf("%v, %v; want %q", got, err, tt.want)
				}
			}
		})
	}
}

func TestProxyRefuses(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusServiceUnavailable} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			// By another proxy the same request may succeed.
			e := wantError(t, by(t, newProxy(t, status).URL), "https://a.example/", ReasonProxy, true)
			if e != nil && !strings.Contains(e.Error(), http.StatusText(status)) {
				t.Errorf("the error does not say what the proxy said: %v", e)
			}
		})
	}
	t.Run("SOCKS", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			// https://www.rfc-editor.org/rfc/rfc1928
			io.ReadFull(conn, make([]byte, 3)) // version 5, one method: no authentication
			conn.Write([]byte{5, 0})
			io.ReadFull(conn, make([]byte, 7+len("a.example"))) // connect to a name with a port
			conn.Write([]byte{5, 2, 0, 1, 0, 0, 0, 0, 0, 0})    // not allowed
		}()
		wantError(t, by(t, "socks5://"+listener.Addr().String()), "http://a.example/", ReasonProxy, true)
	})
}
