package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// served is the real program while it serves the folder jobs.
type served struct {
	*exec.Cmd
	errs  *output
	ended chan error // what Wait returned
}

// startServe starts the program without a dashboard and waits until it runs.
func startServe(t testing.TB, bin, dir string, flags ...string) *served {
	t.Helper()
	s, _ := serving(t, bin, dir, nil, "Serving ", append([]string{"--no-web"}, flags...)...)
	return s
}

// serveWeb starts the program with a dashboard and returns where it listens.
func serveWeb(t testing.TB, bin, dir string, environment []string, flags ...string) (s *served, address string) {
	t.Helper()
	return serving(t, bin, dir, environment, "Listening at ", append([]string{"--listen", "127.0.0.1:0"}, flags...)...)
}

// serving starts the program and returns the rest of the line that begins with
// a text, once it is written.
func serving(t testing.TB, bin, dir string, environment []string, begins string, flags ...string) (s *served, rest string) {
	t.Helper()
	s = &served{Cmd: exec.Command(bin, append([]string{"serve", "jobs", "--log-level", "warn"}, flags...)...), errs: &output{}, ended: make(chan error, 1)}
	s.Dir, s.Env, s.Stderr = dir, append(os.Environ(), environment...), s.errs
	out, err := s.StdoutPipe()
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line := make(chan string, 1)
	go func() {
		defer close(line)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if rest, found := strings.CutPrefix(lines.Text(), begins); found {
				line <- rest
				break
			}
		}
		io.Copy(io.Discard, out)
		s.ended <- s.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.Process.Kill()
		<-s.ended
	})
	rest, begun := <-line
	if !begun {
		t.Fatalf("serve does not start: %v\n%s", <-s.ended, s.errs)
	}
	return s, rest
}

func (s *served) signal(t testing.TB, signal os.Signal) {
	t.Helper()
	if err := s.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// wait waits for the end.
func (s *served) wait(t testing.TB) error {
	t.Helper()
	select {
	case err := <-s.ended:
		return err
	case <-time.After(steadytest.Patience):
		t.Fatalf("serve does not end\n%s", s.errs)
		return nil
	}
}
