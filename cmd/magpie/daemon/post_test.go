package daemon

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestHangingWebhook holds that messages of one job do not wait for the webhook
// of another.
func TestHangingWebhook(t *testing.T) {
	w := newWorld(t)
	came, release, taken := make(chan bool, 1), make(chan bool), make(chan bool, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.URL.Path != "/a" {
			taken <- true
			return
		}
		came <- true
		select {
		case <-release:
		case <-r.Context().Done(): // the sender has given up
		}
	}))
	t.Cleanup(hook.Close)
	for _, name := range []string{"a", "b"} {
		w.job(name, fmt.Sprintf("webhook: {url: %q, on: [finish]}", hook.URL+"/"+name))
	}
	w.start()
	for _, name := range []string{"a", "b"} { // by processes that were killed before they sent anything
		j, _ := w.d.Job(name)
		c, err := crawl.New(j.Config.Options)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Crawl(t.Context(), w.db, crawl.Job{Name: name, Notify: courier.Notices(j.Config)}); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 1)
	go func() { done <- w.d.postDue(t.Context()) }()
	for _, c := range []chan bool{came, taken} {
		select {
		case <-c:
		case err := <-done:
			t.Fatalf("the webhook that hangs has ended before the other had its message: %v", err)
		case <-time.After(steadytest.Patience):
			t.Fatal("a message does not come")
		}
	}
	if due, err := w.db.DueMessages(t.Context(), "a"); err != nil || len(due) != 1 || due[0].Error != "" {
		t.Errorf("the message to the webhook that hangs had its try before: %+v, %v", due, err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
