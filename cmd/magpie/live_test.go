//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// gate is a site of three pages of which the second is held back until the
// gate opens.
type gate struct {
	*httptest.Server
	reached chan struct{} // closed when the second page has been requested
	open    chan struct{}

	mu   sync.Mutex
	hits map[string]int
}

func newGate(t *testing.T) *gate {
	g := &gate{reached: make(chan struct{}), open: make(chan struct{}), hits: map[string]int{}}
	pages := map[string]string{"/": "/held", "/held": "/last", "/last": "/"}
	reach := sync.OnceFunc(func() { close(g.reached) })
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		g.mu.Lock()
		g.hits[r.URL.Path]++
		g.mu.Unlock()
		if r.URL.Path == "/held" {
			reach()
			select {
			case <-g.open:
			case <-r.Context().Done():
				return
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!DOCTYPE html><title>%s</title><a href=%s>next</a>", r.URL.Path, next)
	}))
	t.Cleanup(g.Close)
	t.Cleanup(sync.OnceFunc(func() {
		select {
		case <-g.open:
		default:
			close(g.open)
		}
	}))
	return g
}

func (g *gate) hit(path string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.hits[path]
}

// liveCrawl is the real program crawling a gate.
type liveCrawl struct {
	t   *testing.T
	cmd *exec.Cmd
	dir string

	mu   sync.Mutex
	errs []string // lines of its standard error
	read chan struct{}
}

// startCrawl starts a crawl and waits until it holds the second page.
func startCrawl(t *testing.T, g *gate, args ...string) *liveCrawl {
	t.Helper()
	l := &liveCrawl{t: t, dir: t.TempDir(), read: make(chan struct{})}
	l.cmd = l.command(append([]string{"crawl", g.URL + "/", "--name", "gate", "--css", "title=title"}, args...)...)
	stderr, err := l.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.cmd.Process.Kill() })
	go func() {
		defer close(l.read)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			l.mu.Lock()
			l.errs = append(l.errs, lines.Text())
			l.mu.Unlock()
		}
	}()
	select {
	case <-g.reached:
	case <-time.After(steadytest.Patience):
		t.Fatal("the crawl requests nothing")
	}
	return l
}

func (l *liveCrawl) command(args ...string) *exec.Cmd {
	cmd := exec.Command("magpie", args...) // this test program, see TestMain
	cmd.Dir = l.dir
	return cmd
}

// told waits for a line of standard error that has a text.
func (l *liveCrawl) told(text string) string {
	l.t.Helper()
	line := ""
	steadytest.Await(l.t, "a line with "+text, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		i := slices.IndexFunc(l.errs, func(line string) bool { return strings.Contains(line, text) })
		if i >= 0 {
			line = l.errs[i]
		}
		return i >= 0
	})
	return line
}

func (l *liveCrawl) signal(s os.Signal) {
	l.t.Helper()
	if err := l.cmd.Process.Signal(s); err != nil {
		l.t.Fatal(err)
	}
}

// exit waits for the end and returns the exit code.
func (l *liveCrawl) exit() int {
	l.t.Helper()
	<-l.read
	if err := l.cmd.Wait(); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			l.t.Fatal(err)
		}
		return exit.ExitCode()
	}
	return 0
}

// run runs another command in the same folder.
func (l *liveCrawl) run(args ...string) (stdout, stderr string, code int) {
	l.t.Helper()
	var out, errs strings.Builder
	cmd := l.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		l.t.Fatal(err)
	}
	return out.String(), errs.String(), code
}

// resume runs the crawl to its end and checks that it lost and repeated
// nothing.
func (l *liveCrawl) resume(g *gate) {
	l.t.Helper()
	out, errs, code := l.run("crawl", g.URL+"/", "--name", "gate", "--css", "title=title", "--json")
	var sum struct{ Run, Pages, New int }
	if err := json.Unmarshal([]byte(out), &sum); err != nil || code != 0 || sum.Run != 1 || sum.Pages != 3 || sum.New != 3 {
		l.t.Errorf("resumed: exit code %d, %s%s", code, out, errs)
	}
	if g.hit("/") != 1 || g.hit("/last") != 1 {
		l.t.Errorf("requested %v, want each page once but for the one that was held", g.hits)
	}
}

// The first signal drains: what is in flight is finished and stored, nothing
// more is sent.
func TestFirstSignalDrains(t *testing.T) {
	for name, s := range map[string]os.Signal{"SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			l := startCrawl(t, g)
			l.signal(s)
			l.told("Stopping")
			close(g.open)
			if code := l.exit(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			if g.hit("/last") != 0 {
				t.Error("a request was sent after the signal")
			}
			if out, _, _ := l.run("runs"); !strings.Contains(out, " interrupted ") {
				t.Errorf("runs: %s", out)
			}
			if out, _, _ := l.run("pages", "--state", "done"); !strings.Contains(out, "/held") {
				t.Errorf("the page in flight is not stored: %s", out)
			}
			l.resume(g)
			if g.hit("/held") != 1 {
				t.Errorf("the page in flight was requested %d times", g.hit("/held"))
			}
		})
	}
}

// The second signal ends the crawl at once; what was in flight is requested
// again by the next.
func TestSecondSignalStopsAtOnce(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	l := startCrawl(t, g)
	l.signal(os.Interrupt)
	l.told("Stopping: ")
	l.signal(os.Interrupt)
	if code := l.exit(); code != exitInterrupted { // while the page is still held
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	close(g.open)
	l.resume(g)
	if g.hit("/held") != 2 {
		t.Errorf("the page in flight was requested %d times, want twice", g.hit("/held"))
	}
}

// While it crawls, others can see how it stands, and no other crawl takes its
// job.
func TestWhileItCrawls(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	l := startCrawl(t, g, "--metrics", "127.0.0.1:0", "--log-level", "debug")
	pid := fmt.Sprint(l.cmd.Process.Pid)
	line := l.told("Metrics are at ")
	_, address, _ := strings.Cut(line, "Metrics are at ")
	address = strings.TrimSuffix(strings.Trim(address, `"`), "/metrics")
	l.told("page done") // the first page is stored

	t.Run("metrics", func(t *testing.T) {
		body, contentType := get(t, address+"/metrics")
		for _, want := range []string{"\nmagpie_crawl_pages_total 1\n", "\nmagpie_crawl_queue_urls 1\n", "\nmagpie_crawl_requests_in_flight 1\n", "magpie_build_info{version="} {
			if !strings.Contains(body, want) {
				t.Errorf("there is no %q in\n%s", want, body)
			}
		}
		if contentType != "text/plain; version=0.0.4; charset=utf-8" {
			t.Errorf("Content-Type %s", contentType)
		}
	})
	t.Run("healthz", func(t *testing.T) {
		if body, _ := get(t, address+"/healthz"); body != "ok\n" {
			t.Errorf("healthz: %s", body)
		}
	})
	t.Run("status", func(t *testing.T) {
		out, _, code := l.run("status")
		if code != 0 || !strings.Contains(out, "gate: running, by process "+pid+" on ") || !strings.Contains(out, "1 URL on 1 host") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	})
	t.Run("a second crawl of the job is refused, and says who has it", func(t *testing.T) {
		_, errs, code := l.run("crawl", g.URL+"/", "--name", "gate")
		if code != exitFailed || !strings.Contains(errs, `job "gate" is being crawled by process `+pid+" on ") {
			t.Errorf("exit code %d: %s", code, errs)
		}
	})
	t.Run("another job goes ahead in the same database", func(t *testing.T) {
		if out, errs, code := l.run("crawl", g.URL+"/last", "--name", "other", "--follow", "nothing"); code != 0 {
			t.Errorf("exit code %d: %s%s", code, out, errs)
		}
	})
	close(g.open)
	if code := l.exit(); code != 0 {
		t.Errorf("exit code %d: %q", code, l.errs)
	}
}

// After kill -9 the state says so, and nothing is lost.
func TestStatusAfterKill(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	l := startCrawl(t, g)
	l.signal(syscall.SIGKILL)
	l.exit()
	close(g.open)
	out, _, code := l.run("status")
	if code != 0 || !strings.Contains(out, "gate: interrupted: ") || !strings.Contains(out, "1 URL on 1 host") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	l.resume(g)
}

// A file that cannot grow ends a crawl with a clear message; it goes on once
// there is room. Its writes fail with EFBIG, an I/O error to SQLite.
func TestFileThatCannotGrow(t *testing.T) {
	t.Parallel()
	site := things(t, 200, 0)
	dir := t.TempDir()
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "magpie.db")
	// The unit of ulimit -f is 512 or 1024 bytes, by shell.
	limited := exec.Command("sh", "-c", `ulimit -f 1000 && exec "$@"`, "sh", path, "crawl", site.URL+"/0", "--name", "things", "--css", "title=h1", "--db", db)
	out, err := limited.CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != exitFailed {
		t.Fatalf("with a limit: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), db) || !strings.Contains(string(out), "goes on from here") || strings.Contains(string(out), "goroutine") {
		t.Errorf("it told:\n%s", out)
	}
	all, err := exec.Command(path, "crawl", site.URL+"/0", "--name", "things", "--css", "title=h1", "--db", db, "--json").Output()
	var sum struct{ Run, Pages, New int }
	if err := errors.Join(err, json.Unmarshal(all, &sum)); err != nil || sum.Run != 1 || sum.Pages != 200 || sum.New != 200 {
		t.Errorf("without: %s, %v", all, err)
	}
}

func get(t *testing.T, url string) (body, contentType string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", url, resp.Status, err)
	}
	return string(text), resp.Header.Get("Content-Type")
}
