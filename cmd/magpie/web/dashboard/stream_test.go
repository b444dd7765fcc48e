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

// TestHeadOfStreams: an answer without a body has an end, and the connection is
// free for what is asked next.
func TestHeadOfStreams(t *testing.T) {
	s := newShown(t)
	for _, path := range []string{"/events", "/jobs/lamps/events"} {
		t.Run(path, func(t *testing.T) {
			client := &http.Client{Timeout: steadytest.Patience, Transport: &http.Transport{MaxConnsPerHost: 1}}
			defer client.CloseIdleConnections()
			resp, err := client.Head(s.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || kind != "text/event-stream; charset=utf-8" {
				t.Errorf("%s, %s", resp.Status, kind)
			}
			if resp, err = client.Get(s.URL + "/"); err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		})
	}
}
