package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/internal/clock/clocktest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// server is a real daemon with a real site, and the API in front of it.
type server struct {
	t    *testing.T
	url  string
	dir  string
	db   *store.DB
	slow *slowSite
	used map[string]bool // operations that were asked for
}

// slowSite holds back its pages until it is opened.
type slowSite struct {
	once sync.Once
	gate chan struct{}
}

func (s *slowSite) open() { s.once.Do(func() { close(s.gate) }) }

func (s *slowSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	select {
	case <-s.gate:
	case <-r.Context().Done():
	}
	w.Header().Set("Content-Type", "text/html")
	io.WriteString(w, "<title>slow</title><a href=/a>a</a><a href=/b>b</a>")
}

// oddName is a job's name with what has a meaning in addresses.
const oddName = `a/b c%2F?x=1#ä"'<b>`

func startServer(t *testing.T) *server {
	shop := httptest.NewServer(demo.New())
	t.Cleanup(shop.Close)
	slow := &slowSite{gate: make(chan struct{})}
	site, other := httptest.NewServer(slow), httptest.NewServer(slow)
	t.Cleanup(func() { slow.open(); site.Close(); other.Close() })
	dir := t.TempDir()
	s := &server{t: t, dir: dir, slow: slow, used: map[string]bool{}}
	s.write("demo.yaml", demo.JobAt(shop.URL+"/")+"\nexport: [{item: product, format: jsonl, path: out/products.jsonl}]\nschedule: {cron: \"0 0 1 1 *\"}\nallow_private: true\n")
	s.write("slow.yaml", fmt.Sprintf("start: %s/\nallow_private: true\n", site.URL))
	s.write("odd.yaml", fmt.Sprintf("name: %q\nstart: %s/\nallow_private: true\nitems: {thing: {fields: {title: title, price: {css: .price, as: price, required: true}}}}\n", oddName, other.URL))
	s.write("wrong.yaml", "start: nowhere\n")
	s.write("serve.yaml", "token: very-secret-indeed\n")
	if err := os.Mkdir(filepath.Join(dir, "out"), 0o777); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(filepath.Join(t.TempDir(), "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := daemon.New(daemon.Options{Dir: dir, DB: db, StopWithin: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	alerter, err := alert.New(alert.Options{DB: db, Clock: clocktest.NewSimulated(time.Now())}) // for trials alone
	if err != nil {
		t.Fatal(err)
	}
	handler := httptest.NewServer(New(Options{DB: db, Daemon: d, Dir: dir, Trials: alert.NewTrials(alerter)}))
	s.url, s.db = handler.URL, db
	t.Cleanup(func() {
		handler.Close()
		slow.open()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		db.Close()
	})
	return s
}

func (s *server) write(file, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, file), []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// path fills in the names of an operation's path.
func path(id string, names ...string) (method, p string) {
	i := slices.IndexFunc(routes, func(r route) bool { return r.id == id })
	p = routes[i].path
	for _, m := range pathParam.FindAllString(p, -1) {
		name := url.PathEscape(names[0])
		if names[0] == ".." {
			name = "%2E%2E" // as it is, a client takes it away
		}
		p = strings.Replace(p, m, name, 1)
		names = names[1:]
	}
	return routes[i].method, Base + p
}

// ask asks for an operation and holds the answer to the description.
func (s *server) ask(t *testing.T, id, query, body string, header map[string]string, names ...string) (*http.Response, []byte) {
	t.Helper()
	method, p := path(id, names...)
	if query != "" {
		p += "?" + query
	}
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+p, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	s.hold(t, id, resp, text)
	return resp, text
}

// hold holds an answer to the description.
func (s *server) hold(t *testing.T, id string, resp *http.Response, text []byte) {
	t.Helper()
	i := slices.IndexFunc(routes, func(r route) bool { return r.id == id })
	r := &routes[i]
	media := resp.Header.Get("Content-Type")
	switch {
	case resp.StatusCode >= 400:
		if media != problem.ContentType {
			t.Fatalf("%s: %d as %s: %s", id, resp.StatusCode, media, text)
		}
		validate(t, "ProblemDetails", text)
		return
	case resp.StatusCode == http.StatusNotModified:
		return
	case resp.StatusCode != r.success() && (resp.StatusCode != http.StatusCreated || !r.creates):
		t.Fatalf("%s: status %d, described is %d", id, resp.StatusCode, r.success())
	case r.success() == http.StatusNoContent:
	case r.media != "":
		if media != r.media {
			t.Errorf("%s: %s, described is %s", id, media, r.media)
		}
	default:
		d := newDescriber(t)
		ref := d.typeSchema(reflect.TypeOf(r.answer))["$ref"].(string)
		validate(t, ref[strings.LastIndex(ref, "/")+1:], text)
	}
	s.used[id] = true
}

func validate(t *testing.T, schema string, text []byte) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("https://magpie.invalid/answer.json", answerSchema(t, schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("https://magpie.invalid/answer.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v: %s", schema, err, text)
	}
	if err := compiled.Validate(value); err != nil {
		t.Errorf("not as described: %v\n%.500s", err, text)
	}
}

// get asks for an operation that must succeed and reads its answer.
func get[T any](s *server, t *testing.T, id, query string, names ...string) T {
	t.Helper()
	resp, text := s.ask(t, id, query, "", nil, names...)
	if resp.StatusCode >= 400 {
		t.Fatalf("%s: %s: %s", id, resp.Status, text)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// refused asks for an operation that must not be done, and returns why.
func (s *server) refused(t *testing.T, status int, id, query, body string, header map[string]string, names ...string) *problem.Problem {
	t.Helper()
	resp, text := s.ask(t, id, query, body, header, names...)
	if resp.StatusCode != status {
		t.Fatalf("%s: %s, want %d: %s", id, resp.Status, status, text)
	}
	if bytes.Contains(text, []byte(s.dir)) || bytes.Contains(text, []byte(filepath.Dir(s.db.Path()))) {
		t.Errorf("%s tells where the folder or the database is: %s", id, text)
	}
	var p problem.Problem
	if err := json.Unmarshal(text, &p); err != nil || p.Status != status || p.Title == "" || p.Detail == "" {
		t.Fatalf("%v: %s", err, text)
	}
	return &p
}

// await waits until a job is in a state.
func (s *server) await(t *testing.T, job, state string) machine.Job {
	t.Helper()
	for end := time.Now().Add(steadytest.Patience); ; time.Sleep(20 * time.Millisecond) {
		j := get[machine.Job](s, t, "getJob", "", job)
		if j.State == state {
			return j
		}
		if time.Now().After(end) {
			t.Fatalf("%s is %+v, and does not come to be %s", job, j, state)
		}
	}
}
