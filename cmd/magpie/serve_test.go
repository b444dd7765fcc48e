package main

import (
	"bytes"
	"errors"
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
	"time"
)

// TestServeStops ends the real program while a run waits for answers: softly
// with a deadline, and at once. Both times the next one goes on with the run.
func TestServeStops(t *testing.T) {
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
	began := time.Now()
	stopServe(t, serve, syscall.SIGTERM)
	if err := serve.Wait(); err != nil || time.Since(began) > 5*time.Second {
		t.Errorf("after SIGTERM: %v, %v\n%s", time.Since(began), err, serve.Stderr)
	}

	serve = startServe(t, bin, dir)
	<-asked
	began = time.Now()
	stopServe(t, serve, os.Interrupt)
	time.Sleep(200 * time.Millisecond)
	stopServe(t, serve, os.Interrupt)
	if err := serve.Wait(); code(err) != exitInterrupted || time.Since(began) > 5*time.Second {
		t.Errorf("after a second signal: %v, %v\n%s", time.Since(began), err, serve.Stderr)
	}

	open.Do(func() { close(gate) })
	serve = startServe(t, bin, dir)
	for range 50 {
		if bytes.Contains(magpie(t, bin, dir, "runs", "--json"), []byte(`"run":1,"state":"finished"`)) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	stopServe(t, serve, syscall.SIGTERM)
	if err := serve.Wait(); err != nil {
		t.Errorf("at last: %v\n%s", err, serve.Stderr)
	}
	if runs := magpie(t, bin, dir, "runs", "--json"); !bytes.Contains(runs, []byte(`"run":1,"state":"finished"`)) {
		t.Errorf("runs %s", runs)
	}
}

func stopServe(t *testing.T, serve *exec.Cmd, signal os.Signal) {
	t.Helper()
	if err := serve.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// code is the exit code of a command.
func code(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}
