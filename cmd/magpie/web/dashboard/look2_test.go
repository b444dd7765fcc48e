package dashboard

import (
	"net"
	"net/http"
	"os"
	"testing"
	"time"
)

func TestLook2(t *testing.T) {
	at := os.Getenv("LOOK")
	if at == "" {
		t.Skip()
	}
	s := newServed(t)
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	csp := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
		s.dashboard.ServeHTTP(w, r)
	})
	go http.Serve(l, csp)
	os.WriteFile("/tmp/look2.shop", []byte(s.shop.URL), 0o644)
	time.Sleep(40 * time.Minute)
}
