package dashboard

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestManyStreams opens more streams than there may be: the others are told so,
// pages are answered, and there is room again when they are gone.
func TestManyStreams(t *testing.T) {
	d := newDashboard(Options{DB: openStore(t)})
	d.jobs = &folder{list: []daemon.Job{{Name: "x", State: daemon.Idle}}}
	server := httptest.NewServer(d)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{}}
	open := func(path string) (*http.Response, int) {
		resp, err := client.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		return resp, resp.StatusCode
	}
	const more = 5
	var all []*http.Response
	refused := 0
	for i := range maxStreams + more {
		resp, status := open([]string{"/events", "/jobs/x/events"}[i%2])
		if status == http.StatusServiceUnavailable {
			refused++
		}
		all = append(all, resp)
	}
	if refused < more { // other tests may have some open
		t.Errorf("%d were refused, want %d", refused, more)
	}
	if resp, status := open("/static/base.css"); status >= 500 {
		t.Errorf("another answer: %d", status)
	} else {
		resp.Body.Close()
	}
	for _, resp := range all {
		resp.Body.Close()
	}
	steadytest.Await(t, "room again", func() bool {
		resp, status := open("/events")
		resp.Body.Close()
		return status == http.StatusOK
	})
}
