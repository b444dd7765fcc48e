package dashboard

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// serveDaemon serves the dashboard of a real daemon with a job that takes long.
func serveDaemon(t *testing.T) (*dashboard, *httptest.Server) {
	t.Helper()
	s := newShop(t, 2000)
	s.delay = 20 * time.Millisecond
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "slow.yaml"), []byte(s.jobFile("slow", "")), 0o644); err != nil {
		t.Fatal(err)
	}
	db := openStore(t)
	worker, err := daemon.New(daemon.Options{Dir: dir, DB: db, StopWithin: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- worker.Run(ctx) }()
	d := newDashboard(Options{DB: db, Daemon: worker})
	server := httptest.NewServer(d)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	steadytest.Await(t, "the job is there", func() bool { _, ok := worker.Job("slow"); return ok })
	return d, server
}

// event is one of a stream.
type event struct{ name, id, data string }

// events reads a stream until it ends.
func events(t *testing.T, ctx context.Context, address, last string) <-chan event {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream; charset=utf-8" {
		t.Fatalf("Content-Type %q", got)
	}
	out := make(chan event)
	go func() {
		defer close(out)
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		var e event
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				e.data += value + "\n"
			case "":
				if e.name != "" {
					select {
					case out <- e:
					case <-ctx.Done():
						return
					}
				}
				e = event{}
			}
		}
	}()
	return out
}

// nextEvent waits for an event.
func nextEvent(t *testing.T, what string, c <-chan event, is func(event) bool) event {
	t.Helper()
	late := time.After(steadytest.Patience)
	for {
		select {
		case e, ok := <-c:
			if !ok {
				t.Fatalf("the stream ended before %s", what)
			}
			if is(e) {
				return e
			}
		case <-late:
			t.Fatalf("no event with %s", what)
		}
	}
}

// A job is started by its button, seen live while it runs, by its own page and
// by the overview, and stopped.
func TestLive(t *testing.T) {
	d, server := serveDaemon(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	overview := events(t, ctx, server.URL+"/events", "")
	idle := events(t, ctx, server.URL+"/jobs/slow/events?run=0", "") // as the page asks that shows no run
	if resp, err := http.PostForm(server.URL+"/act", url.Values{"start": {"slow"}, "back": {"/jobs/slow/live"}}); err != nil || resp.StatusCode != 200 {
		t.Fatal(resp, err)
	}
	nextEvent(t, "the page being told to show the run", idle, func(e event) bool { return e.name == "reload" })
	steadytest.Await(t, "the run is seen", func() bool { return !d.glance("slow").Ended && d.glance("slow").Progress.Run.Counters.Pages > 50 })

	t.Run("page", func(t *testing.T) {
		_, _, body := get(t, server.URL+"/jobs/slow/live")
		checkPage(t, body)
		for _, has := range []string{"Stop the run", "Pages a second", `data-fragment="hosts"`, "127.0.0.1"} {
			if !strings.Contains(body, has) {
				t.Errorf("it does not have %q", has)
			}
		}
	})
	t.Run("page that shows no run", func(t *testing.T) {
		stale := events(t, ctx, server.URL+"/jobs/slow/events?run=0", "")
		nextEvent(t, "that there is one", stale, func(e event) bool { return e.name == "reload" })
	})
	t.Run("overview", func(t *testing.T) {
		nextEvent(t, "the row as running", overview, func(e event) bool {
			return strings.HasPrefix(e.data, rowID("slow")+"\n") && strings.Contains(e.data, "Running") && strings.Contains(e.data, `value="slow"`)
		})
		nextEvent(t, "the figures in the row", overview, func(e event) bool {
			return strings.HasPrefix(e.data, rowID("slow")+"-state\n") && strings.Contains(e.data, "in the queue")
		})
	})
	t.Run("stop", func(t *testing.T) {
		live := events(t, ctx, server.URL+"/jobs/slow/events", "")
		missing := map[string]bool{"figures": true, "rate": true, "hosts": true, "classes": true, "problems": true, "summary": true}
		nextEvent(t, "each fragment", live, func(e event) bool {
			name, _, _ := strings.Cut(e.data, "\n")
			delete(missing, name)
			if e.id != "1" {
				t.Errorf("%s has the id %q, want the run", name, e.id)
			}
			return len(missing) == 0
		})
		if resp, err := http.PostForm(server.URL+"/act", url.Values{"stop": {"slow"}}); err != nil || resp.StatusCode != 200 {
			t.Fatal(resp, err)
		}
		nextEvent(t, "the end of the run", live, func(e event) bool { return e.name == "reload" })
		again := events(t, ctx, server.URL+"/jobs/slow/events", "1")
		nextEvent(t, "the end of the run, to one who asks again", again, func(e event) bool { return e.name == "reload" })
		late := events(t, ctx, server.URL+"/jobs/slow/events?run=1", "")
		nextEvent(t, "the end of the run, to one who was shown it and asks late", late, func(e event) bool { return e.name == "reload" })
	})
	t.Run("unknown job", func(t *testing.T) {
		nextEvent(t, "the end", events(t, ctx, server.URL+"/jobs/nope/events", ""), func(e event) bool { return e.name == "end" })
	})
	t.Run("afterwards", func(t *testing.T) {
		steadytest.Await(t, "the job is idle", func() bool { j, _ := d.jobs.Job("slow"); return j.State == daemon.Idle })
		_, _, body := get(t, server.URL+"/jobs/slow")
		checkPage(t, body)
		if !strings.Contains(body, "Go on with run 1") {
			t.Error("the job's page does not offer to go on")
		}
	})
}

// Nobody looks at a crawl when nobody looks at its page.
func TestWatchersLeave(t *testing.T) {
	d, server := serveDaemon(t)
	if err := d.jobs.Start("slow", daemon.Start{}); err != nil {
		t.Fatal(err)
	}
	steadytest.Await(t, "it runs", func() bool { _, ok := d.jobs.Crawler("slow"); return ok })
	ctx, cancel := context.WithCancel(t.Context())
	for range 3 {
		nextEvent(t, "figures", events(t, ctx, server.URL+"/jobs/slow/events", ""), func(e event) bool { return e.name == "fragment" })
	}
	viewers := func() int {
		d.watchers.mu.Lock()
		defer d.watchers.mu.Unlock()
		if w := d.watchers.jobs["slow"]; w != nil {
			return len(w.viewers)
		}
		return 0
	}
	if n := viewers(); n != 3 {
		t.Errorf("%d viewers, want 3", n)
	}
	cancel()
	steadytest.Await(t, "the viewers are gone", func() bool { return viewers() == 0 })
	if err := d.jobs.Stop("slow"); err != nil {
		t.Error(err)
	}
}

// A glance that nobody has read is replaced, not waited for.
func TestSlowViewer(t *testing.T) {
	var ws watchers
	ws.jobs = map[string]*watcher{}
	c := make(chan *glance, 1)
	w := &watcher{job: "x", viewers: map[chan *glance]struct{}{c: {}}}
	start := time.Now()
	for i := range 100 {
		ws.pass(w, &glance{Job: fmt.Sprint(i), At: start.Add(time.Duration(i) * time.Second)})
	}
	if g := <-c; g.Job != "99" {
		t.Errorf("it reads glance %s, want the last", g.Job)
	}
	if n := len(w.samples); n > int(rateSpan/time.Second) {
		t.Errorf("%d samples are kept", n)
	}
}

// Streams end with the server, which does not wait for those who read them.
func TestStreamsEnd(t *testing.T) {
	d := newDashboard(Options{DB: openStore(t)})
	d.jobs = &folder{list: []daemon.Job{{Name: "x", State: daemon.Idle}}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	cut := make(chan error, 2)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.ServeHTTP(w, r)
		cut <- r.Context().Err()
	})
	go func() { served <- web.Serve(ctx, listener, handler, slog.New(slog.DiscardHandler)) }()
	overview := events(t, t.Context(), "http://"+listener.Addr().String()+"/events", "")
	live := events(t, t.Context(), "http://"+listener.Addr().String()+"/jobs/x/events", "")
	cancel()
	late := time.After(steadytest.Patience)
	for range 2 {
		select {
		case err := <-cut:
			if err != nil {
				t.Errorf("a stream did not end of itself: %v", err)
			}
		case <-late:
			t.Fatal("a stream goes on")
		}
	}
	for _, c := range []<-chan event{overview, live} {
		select {
		case _, ok := <-c:
			if ok {
				t.Error("an event at the end")
			}
		case <-late:
			t.Fatal("a stream goes on")
		}
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
