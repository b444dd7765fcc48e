package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

const testToken = "0123456789abcdef0123456789"

// ago matches what is true of a moment alone.
var ago = regexp.MustCompile(`\([^)]* ago\)|in [0-9hms]+`)

// TestServeWeb works a running magpie serve by the command line, as somebody
// does who has its token and nothing else.
func TestServeWeb(t *testing.T) {
	t.Parallel()
	shop := httptest.NewServer(demo.New())
	defer shop.Close()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "jobs", "shop.yaml"), strings.Replace(demo.JobAt(shop.URL+"/"), "name: demo", "name: shop", 1)+"\nallow_private: true\nschedule: {cron: \"0 0 1 1 *\"}\n")
	bin := buildMagpie(t)
	serve, address := serveWeb(t, bin, dir, []string{"MAGPIE_TOKEN=" + testToken})
	elsewhere := t.TempDir()
	magpie := func(environment string, args ...string) (string, int) {
		cmd := exec.Command(bin, args...)
		cmd.Dir = elsewhere
		cmd.Env = append(os.Environ(), "MAGPIE_SERVER="+address, environment)
		out, err := cmd.CombinedOutput()
		return string(out), code(err)
	}
	known := "MAGPIE_TOKEN=" + testToken
	expect := func(environment string, want int, has string, args ...string) {
		t.Helper()
		if out, code := magpie(environment, args...); code != want || !strings.Contains(out, has) {
			t.Errorf("magpie %s: exit code %d, want %d with %q:\n%s", strings.Join(args, " "), code, want, has, out)
		}
	}
	expect(known, 0, "shop: has not run yet", "status", "--server", address)
	expect(known, 0, "", "runs", "--server", address) // there are none of a job that has not run
	expect("X=", 1, "asks for a token", "status", "--server", address)
	expect("MAGPIE_TOKEN=wrong-wrong-wrong", 1, "does not take the token", "start", "shop")
	expect(known, 1, `there is no job "lamp"`, "start", "lamp")
	expect(known, 1, "not running", "stop", "shop")
	for _, args := range [][]string{{"runs"}, {"runs", "--due"}, {"status"}, {"notify"}, {"notify", "test"}, {"start", "shop"}, {"stop", "shop"}, {"pause", "shop"}, {"resume", "shop"}} {
		expect(known, 2, "--db does not go with a magpie serve", append(args, "--server", address, "--db", "magpie.db")...)
	}
	expect(known, 2, "--db does not go with a magpie serve", "start", "shop", "--db", "magpie.db")
	expect(known, 2, "is no address", "stop", "shop", "--server", "localhost")
	expect("X=", 1, "nothing answers at http://127.0.0.1:1: start it", "start", "shop", "--server", "http://127.0.0.1:1")
	expect("X=", 1, "is not magpie serve", "start", "shop", "--server", shop.URL)
	expect(known, 0, "next due", "start", "shop", "--fresh")
	var out string
	steadytest.Await(t, "the end of the run", func() bool {
		out, _ = magpie(known, "status", "--server", address)
		return strings.Contains(out, "finished: everything was visited")
	})
	if !strings.Contains(out, "  next  ") {
		t.Errorf("it does not tell when it is due next:\n%s", out)
	}
	// What a server tells is what the database tells.
	for _, args := range [][]string{{"status", "shop"}, {"status", "--json"}, {"runs"}, {"runs", "--json"}, {"runs", "--due"}, {"runs", "--due", "--json"},
		{"notify"}, {"notify", "--json", "--job", "shop"}} {
		far, _ := magpie(known, append(args, "--server", address)...)
		cmd := exec.Command(bin, args...)
		cmd.Dir = dir
		near, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if ago.ReplaceAllString(far, "") != ago.ReplaceAllString(string(near), "") {
			t.Errorf("%v of the server:\n%sof the database:\n%s", args, far, near)
		}
	}
	expect(known, 0, "its schedule is off", "pause", "shop")
	expect(known, 0, "next due", "resume", "shop")

	second := exec.Command(bin, "serve", "jobs", "--listen", strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/"), "--db", "other.db")
	second.Dir = dir
	if out, err := second.CombinedOutput(); code(err) != exitFailed || !strings.Contains(string(out), "--no-web") {
		t.Errorf("a second at the same address: %v: %s", err, out)
	}
	if resp, err := http.Get(address + "readyz"); err != nil || resp.StatusCode != 200 {
		t.Errorf("readiness: %v, %v", resp, err)
	}
	serve.signal(t, syscall.SIGTERM)
	if err := serve.wait(t); err != nil {
		t.Errorf("%v: %s", err, serve.errs)
	}
}

// TestServeStrangers: without a token, nobody has commands run by way of a job
// file; with one that is allowed.
func TestServeStrangers(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]int{"": http.StatusForbidden, testToken: http.StatusCreated} {
		t.Run("token "+token, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
				t.Fatal(err)
			}
			serve, address := serveWeb(t, buildMagpie(t), dir, []string{"MAGPIE_TOKEN=" + token})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address+"api/v1/files/evil.yaml", strings.NewReader("start: http://127.0.0.1:1/\nnotify: [{command: [id]}]\n"))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/yaml")
			if token != "" {
				req.Header.Set("Authorization", "Bearer "+token)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			_, there := os.Stat(filepath.Join(dir, "jobs", "evil.yaml"))
			if resp.StatusCode != want || (there == nil) != (want == http.StatusCreated) || want == http.StatusForbidden && !strings.Contains(string(text), "MAGPIE_TOKEN") {
				t.Errorf("%s, %v: %s", resp.Status, there, text)
			}
			serve.signal(t, syscall.SIGTERM)
			if err := serve.wait(t); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestServeBeyond: without a token nobody else is let near.
func TestServeBeyond(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		flags []string
		exit  int
		want  string
	}{
		{[]string{"--listen", "0.0.0.0:0"}, exitUsage, "0.0.0.0:0 can be reached from other machines, and there is no token"},
		{[]string{"--listen", "127.0.0.1:0", "--host", "magpie.example.com"}, exitUsage, "there is no token"},
		{[]string{"--listen", "127.0.0.1:0", "--token", "short"}, exitUsage, "at least 16"},
		{[]string{"--listen", "nowhere"}, exitUsage, "write an address and a port"},
		{[]string{"--db", "nowhere/magpie.db", "--listen", "127.0.0.1:0"}, exitFailed, "make the folder that it is to be in"},
	} {
		t.Run(fmt.Sprint(tt.flags), func(t *testing.T) {
			cmd := exec.Command(buildMagpie(t), append([]string{"serve", "jobs"}, tt.flags...)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "MAGPIE_TOKEN=")
			if out, err := cmd.CombinedOutput(); code(err) != tt.exit || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// TestServeSettings changes serve.yaml under a running magpie serve, which
// takes it up or refuses it, and sends trial messages for who asks it to. What
// a flag says is no matter of the settings: listen, and the token.
func TestServeSettings(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "jobs", "serve.yaml")
	write(t, file, "concurrency: 2\n")
	bin := buildMagpie(t)
	serve, address := serveWeb(t, bin, dir, []string{"MAGPIE_TOKEN=" + testToken})
	magpie := func(args ...string) (string, int) {
		cmd := exec.Command(bin, append(args, "--server", address, "--token", testToken)...)
		out, err := cmd.CombinedOutput()
		return string(out), code(err)
	}
	await := func(has string, not ...string) {
		t.Helper()
		for end := time.Now().Add(steadytest.Patience); ; time.Sleep(50 * time.Millisecond) {
			out, code := magpie("status", "--json")
			if code == 0 && strings.Contains(out, has) && (len(not) == 0 || !strings.Contains(out, not[0])) {
				return
			} else if time.Now().After(end) {
				t.Fatalf("exit code %d, it does not say %q: %s", code, has, out)
			}
		}
	}
	if out, code := magpie("notify", "test"); code != 1 || !strings.Contains(out, "nobody is told of anything: write notify into") {
		t.Errorf("exit code %d: %s", code, out)
	}
	write(t, file, "lissen: 127.0.0.1:1\n")
	await("serve.yaml has mistakes and is not used: the settings are as they were before.\n  jobs/serve.yaml:1:1: unknown key \"lissen\"")
	write(t, file, "listen: 127.0.0.1:1\nurl: https://magpie.example/\nconcurrency: 3\nhosts: [magpie.example]\nnotify: {command: [cat], timeout: 50s}\n")
	await("What serve.yaml says of hosts, url by now is used when magpie serve is started again.", "mistakes")
	if out, code := magpie("notify", "test"); code != 0 || out != "command cat (serve.yaml): sent\n" {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code := magpie("notify", "test", "nobody"); code != 1 || !strings.Contains(out, "there is no such job") {
		t.Errorf("exit code %d: %s", code, out)
	}
	write(t, file, "notify: {command: [cat]}\n")
	steadytest.Await(t, "nothing to be said of serve.yaml", func() bool {
		out, _ := magpie("status", "--json")
		return out == ""
	})
	serve.signal(t, syscall.SIGTERM)
	if err := serve.wait(t); err != nil {
		t.Error(err)
	}
}

// TestServeWhileItStops asks a magpie serve that waits for a run to end.
func TestServeWhileItStops(t *testing.T) {
	t.Parallel()
	asked, gate := make(chan struct{}, 100), make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			asked <- struct{}{}
			select {
			case <-gate:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>x</title>")
	}))
	defer site.Close()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		write(t, filepath.Join(dir, "jobs", name+".yaml"), fmt.Sprintf("start: [%q]\nallow_private: true\n", site.URL+"/"))
	}
	bin := buildMagpie(t)
	serve, address := serveWeb(t, bin, dir, nil, "--stop-within", "24h")
	magpie(t, bin, dir, "start", "a", "--server", address)
	<-asked
	serve.signal(t, syscall.SIGTERM)
	steadytest.Await(t, "that it says it is not ready", func() bool {
		resp, err := http.Get(address + "readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode == http.StatusServiceUnavailable && string(text) == "magpie serve is being stopped\n"
	})
	start := exec.Command(bin, "start", "b", "--server", address)
	out, err := start.CombinedOutput()
	if code(err) != exitFailed || !strings.Contains(string(out), "magpie serve is being stopped: it begins no run: try again when it is started again") {
		t.Errorf("start: %v: %s", err, out)
	}
	close(gate)
	if err := serve.wait(t); err != nil {
		t.Errorf("serve: %v\n%s", err, serve.errs)
	}
	if due := string(magpie(t, bin, dir, "runs", "--due", "--json")); !strings.Contains(due, `"job":"a"`) || strings.Contains(due, `"job":"b"`) {
		t.Errorf("due: %s", due)
	}
}
