package guard

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestStrangers has those send bodies who may not come in.
func TestStrangers(t *testing.T) {
	const token = "aTokenOf24CharactersOrSo"
	_, hurried := startServer(t, Options{Token: token, strangerWithin: time.Second}, nil)
	address := strings.TrimPrefix(hurried, "http://")
	for name, head := range map[string]string{
		"a name that is none of ours": "POST /act HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 9\r\n\r\n",
		"another method":              "BREW / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
		"no token":                    "PUT /api/v1/files/a.yaml HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
		"chunks":                      "PUT /api/v1/files/a.yaml HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n",
		"the login page":              "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\nto",
	} {
		t.Run("a body that never comes: "+name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprint(conn, head)
			conn.SetReadDeadline(time.Now().Add(steadytest.Patience))
			if _, err := io.Copy(io.Discard, bufio.NewReader(conn)); err != nil {
				t.Errorf("the connection is open still: %v", err)
			}
		})
	}
	var read int64
	_, server := startServer(t, Options{Token: token}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read, _ = io.Copy(io.Discard, r.Body)
	}))
	t.Run("a login that is long", func(t *testing.T) {
		long := url.Values{FormField: {strings.Repeat("a", strangerBody)}}.Encode()
		resp, err := http.Post(server+"/login", "application/x-www-form-urlencoded", strings.NewReader(long))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized {
			t.Error(resp.Status)
		}
	})
	t.Run("who knows the token may send more", func(t *testing.T) {
		r, err := http.NewRequestWithContext(t.Context(), "PUT", server+"/api/v1/files/a.yaml", bytes.NewReader(make([]byte, 1<<20)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if read != 1<<20 {
			t.Errorf("%d bytes were read", read)
		}
	})
}
