package web

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestCrowd lets others keep more connections than the server has room for.
func TestCrowd(t *testing.T) {
	for name, send := range map[string]string{
		"that ask nothing":                "",
		"that are kept open":              "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"that send their headers slowly":  "GET /healthz HTTP/1.1\r\nHost: loc",
		"that are refused":                "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"that are refused after a method": "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, nil)
			for range maxConnections + 50 {
				conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				fmt.Fprint(conn, send)
			}
			client := http.Client{Timeout: steadytest.Patience, Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			resp, err := client.Get(r.url + "/healthz")
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				t.Error(resp.Status)
			}
		})
	}
}
