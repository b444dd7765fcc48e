package fetch

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/crawltest"
)

// TestRecordedConnect holds that connections which are recorded fail for the
// same reasons as others: their TLS is laid by us and not by net/http.
func TestRecordedConnect(t *testing.T) {
	worker := func(o TransportOptions) *Worker {
		o.Record = true
		tr := NewTransport(o)
		t.Cleanup(tr.CloseIdleConnections)
		return NewWorker(tr, Options{KeepRaw: true})
	}
	w := worker(TransportOptions{AllowPrivate: true})
	trusting := worker(TransportOptions{AllowPrivate: true, InsecureTLS: true})
	plain, secure := crawltest.NewServer(t, crawltest.HTML(page)), crawltest.NewTLSServer(t, crawltest.HTML(page))
	t.Run("refused", func(t *testing.T) {
		wantError(t, w, "https://"+crawltest.ClosedAddress(t)+"/", ReasonRefused, true)
	})
	t.Run("an address that is not public", func(t *testing.T) {
		wantError(t, worker(TransportOptions{}), secure.URL+"/", ReasonAddress, false)
	})
	t.Run("silence before TLS", func(t *testing.T) {
		w := worker(TransportOptions{AllowPrivate: true, TLSTimeout: 100 * time.Millisecond})
		wantError(t, w, "https://"+crawltest.NewSilentServer(t)+"/", ReasonTimeout, true)
	})
	t.Run("HTTP where TLS is spoken", func(t *testing.T) {
		wantError(t, w, "https"+strings.TrimPrefix(plain.URL, "http")+"/", ReasonTLS, false)
	})
	t.Run("certificate that nobody trusts", func(t *testing.T) {
		wantError(t, w, secure.URL+"/", ReasonTLS, false)
	})
	t.Run("any certificate", func(t *testing.T) {
		if r := get(t, trusting, secure.URL+"/"); r.Proto != "HTTP/2.0" || string(r.Body) != page {
			t.Errorf("%s, %d bytes", r.Proto, len(r.Body))
		}
	})
	rooted := worker(TransportOptions{AllowPrivate: true, RootCAs: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs})
	t.Run("certificate of another host", func(t *testing.T) {
		wantError(t, rooted, strings.Replace(secure.URL, "127.0.0.1", "localhost", 1)+"/", ReasonTLS, false)
	})
	t.Run("certificate of the host", func(t *testing.T) {
		if r := get(t, rooted, secure.URL+"/"); string(r.Body) != page {
			t.Errorf("%d bytes", len(r.Body))
		}
	})
}
