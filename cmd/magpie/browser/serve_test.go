package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/programtest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// server is a magpie serve on a folder of its own.
type server struct {
	bin, dir string
	url      string // "http://127.0.0.1:1234"
	log      *bytes.Buffer
}

// newServer makes a folder for job files. Nothing is served yet.
func newServer(dir string) (*server, error) {
	bin, err := programtest.Path()
	if err != nil {
		return nil, err
	}
	return &server{bin: bin, dir: dir}, os.MkdirAll(filepath.Join(dir, "jobs"), 0o755)
}

// serving is a server that ends with a test.
func serving(t testing.TB, jobs map[string]string, environment ...string) *server {
	t.Helper()
	s, err := newServer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range jobs {
		if err := s.write(name, source); err != nil {
			t.Fatal(err)
		}
	}
	stop, err := s.start(environment...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return s
}

// write writes a job file.
func (s *server) write(name, source string) error {
	return os.WriteFile(filepath.Join(s.dir, "jobs", name), []byte(source), 0o644)
}

// crawl crawls a job once, as somebody does at the command line.
func (s *server) crawl(name string) error {
	cmd := exec.Command(s.bin, "crawl", filepath.Join("jobs", name))
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	if exit, is := err.(*exec.ExitError); is && exit.ExitCode() == 3 { // finished with faults, which is what some jobs are for
		return nil
	}
	if err != nil {
		return fmt.Errorf("magpie crawl %s: %w\n%s", name, err, out)
	}
	return nil
}

// start serves the folder.
func (s *server) start(environment ...string) (stop func(), err error) {
	serve := exec.Command(s.bin, "serve", "jobs", "--listen", "127.0.0.1:0", "--log-level", "warn", "--stop-within", "2s")
	s.log = &bytes.Buffer{}
	serve.Dir, serve.Env, serve.Stderr = s.dir, append(os.Environ(), environment...), s.log
	out, err := serve.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := serve.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		serve.Process.Signal(os.Interrupt)
		killer := time.AfterFunc(steadytest.Patience, func() { serve.Process.Kill() })
		serve.Wait()
		killer.Stop()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if address, found := strings.CutPrefix(lines.Text(), "Listening at "); found {
			s.url = strings.TrimSuffix(address, "/")
			go io.Copy(io.Discard, out)
			return stop, nil
		}
	}
	stop()
	return nil, fmt.Errorf("magpie serve does not listen: %s", s.log)
}

// store opens what the server keeps, to compare what is shown with it.
func (s *server) store(t testing.TB) *store.DB {
	t.Helper()
	db, err := store.OpenReadOnly(filepath.Join(s.dir, "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}
