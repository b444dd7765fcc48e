package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/magpie-crawl/magpie/cmd/magpie/programtest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

func TestMain(m *testing.M) {
	steadytest.FilesInMemory()
	hurryRaces()
	testscript.Main(tests{m}, map[string]func(){"magpie": main})
}

// hurryRaces has a program that was built with the race detector end at once,
// not sleep for a second before: the scripts run hundreds of them.
// https://go.dev/doc/articles/race_detector#Options
func hurryRaces() {
	os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=10 "+os.Getenv("GORACE")))
}

// tests are those of the package. What they have built is removed after them.
type tests struct{ m *testing.M }

func (t tests) Run() int {
	defer programtest.Remove()
	return t.m.Run()
}

// TestScripts drives the real command with the scripts of testdata/script.
// Beside testscript's own commands they have:
//
//	exits CODE COMMAND...   COMMAND ends with this exit code
//
// $SITE is the address of a server with the files of the script. It also has
// /in/CHARSET/FILE, which is the file in another encoding, /moved/FILE, which
// redirects to it, and /status/CODE?body=TEXT.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			site := httptest.NewServer(siteHandler(env.WorkDir))
			env.Defer(site.Close)
			env.Setenv("SITE", site.URL)
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
	})
}

// exits runs a command and compares its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// siteHandler serves the files of a folder.
func siteHandler(dir string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.PathValue("code"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
		io.WriteString(w, r.URL.Query().Get("body"))
	})
	mux.HandleFunc("/moved/{name}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/"+r.PathValue("name"), http.StatusFound)
	})
	mux.HandleFunc("/in/{charset}/{name}", func(w http.ResponseWriter, r *http.Request) {
		charset, err := htmlindex.Get(r.PathValue("charset"))
		text, readErr := os.ReadFile(filepath.Join(dir, filepath.Base(r.PathValue("name"))))
		if err := errors.Join(err, readErr); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset="+r.PathValue("charset"))
		charset.NewEncoder().Writer(w).Write(text)
	})
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	return mux
}
