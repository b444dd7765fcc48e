package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestServeStops ends the real program while a run waits for answers: softly
// with a deadline, and at once. Both times the next one goes on with the run.
func TestServeStops(t *testing.T) {
	t.Parallel()
	asked, gate := make(chan string, 100), make(chan struct{})
	var open sync.Once
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			asked <- r.URL.Path
			select {
			case <-gate:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<a href=/slow>slow</a>")
	}))
	defer site.Close()
	defer open.Do(func() { close(gate) })
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "jobs", "a.yaml"), fmt.Sprintf("start: [%q]\nschedule: {cron: \"@every 1s\"}\n", site.URL+"/"))
	bin := buildMagpie(t)

	serve := startServe(t, bin, dir, "--stop-within", "1s")
	<-asked
	second := exec.Command(bin, "serve", "jobs", "--no-web")
	second.Dir = dir
	if out, err := second.CombinedOutput(); code(err) != exitFailed || !strings.Contains(string(out), fmt.Sprintf("run by process %d", serve.Process.Pid)) || !strings.Contains(string(out), "stop that one first") {
		t.Errorf("a second serve ended with %v: %s", err, out)
	}
	serve.signal(t, syscall.SIGTERM)
	if err := serve.wait(t); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, serve.errs)
	}

	serve = startServe(t, bin, dir, "--stop-within", "24h")
	<-asked
	serve.signal(t, os.Interrupt)
	steadytest.Await(t, "that it stops", func() bool { return strings.Contains(serve.errs.String(), "Stopping") })
	serve.signal(t, os.Interrupt)
	if err := serve.wait(t); code(err) != exitInterrupted {
		t.Errorf("after a second signal: %v\n%s", err, serve.errs)
	}

	open.Do(func() { close(gate) })
	serve = startServe(t, bin, dir)
	steadytest.Await(t, "the end of run 1", func() bool {
		return bytes.Contains(magpie(t, bin, dir, "runs", "--json"), []byte(`"run":1,"state":"finished"`))
	})
	serve.signal(t, syscall.SIGTERM)
	if err := serve.wait(t); err != nil {
		t.Errorf("at last: %v\n%s", err, serve.errs)
	}
}

// TestServeStopsAtOnce: what has told that it serves can be stopped softly,
// and looks at its folder again when it is told to.
func TestServeStopsAtOnce(t *testing.T) {
	t.Parallel()
	for name, signals := range map[string][]os.Signal{"SIGTERM": {syscall.SIGTERM}, "SIGINT": {os.Interrupt}, "SIGHUP, SIGTERM": {syscall.SIGHUP, syscall.SIGTERM}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "jobs", "a.yaml"), "start: [\"http://127.0.0.1:1/\"]\n")
			serve := startServe(t, buildMagpie(t), dir)
			for _, s := range signals {
				serve.signal(t, s)
			}
			if err := serve.wait(t); err != nil {
				t.Errorf("%v: %s", err, serve.errs)
			}
		})
	}
}
