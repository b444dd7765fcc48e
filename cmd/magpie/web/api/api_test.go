package api

import (
	"bufio"
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

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
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
	handler := httptest.NewServer(New(Options{DB: db, Daemon: d, Dir: dir}))
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
	case resp.StatusCode != r.success():
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
	var p problem.Problem
	if err := json.Unmarshal(text, &p); err != nil || p.Status != status || p.Title == "" || p.Detail == "" {
		t.Fatalf("%v: %s", err, text)
	}
	return &p
}

// patience is how long a test waits for what is to come about. A machine may
// be slow: it ends tests that would wait for ever.
const patience = 2 * time.Minute

// await waits until a job is in a state.
func (s *server) await(t *testing.T, job, state string) machine.Job {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		j := get[machine.Job](s, t, "getJob", "", job)
		if j.State == state {
			return j
		}
		if time.Now().After(end) {
			t.Fatalf("%s is %+v, and does not come to be %s", job, j, state)
		}
	}
}

// TestAPI asks a real server for every operation.
func TestAPI(t *testing.T) {
	s := startServer(t)
	for _, tt := range []struct {
		name string
		test func(*server, *testing.T)
	}{
		{"jobs", testJobs}, {"runs", testRuns}, {"changes", testChanges}, {"pages", testPages}, {"records", testRecords}, {"exports", testExports},
		{"insight", testInsight}, {"search", testSearch},
		{"files", testFiles}, {"mistakes", testMistakes},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(s, t) })
	}
	for i := range routes {
		if !s.used[routes[i].id] {
			t.Errorf("%s was not asked for with success", routes[i].id)
		}
	}
}

func testJobs(s *server, t *testing.T) {
	list := get[List[machine.Job]](s, t, "listJobs", "").Items
	if len(list) != 4 || list[0].Job != oddName || list[3].Fault == "" {
		t.Fatalf("%+v", list)
	}
	if demo := get[machine.Job](s, t, "getJob", "", "demo"); demo.Next == nil || demo.State != "idle" || demo.File != "demo.yaml" {
		t.Errorf("%+v", demo)
	}
	for range 2 {
		s.ask(t, "startJob", "", "", nil, "demo")
		if j := s.await(t, "demo", "idle"); j.Error != "" || j.LastRun == nil || j.LastRun.Records == 0 || j.LastSuccess == nil {
			t.Fatalf("%+v", j)
		}
	}
	for _, name := range []string{"slow", oddName} {
		s.ask(t, "startJob", "", `{"fresh": true}`, nil, name)
		s.await(t, name, "running")
	}
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if p := get[machine.Progress](s, t, "getProgress", "", oddName); p.InFlight == 1 && p.Run == 1 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%+v", p)
		}
	}
	if m := get[machine.Measured](s, t, "getMeasured", "", oddName); m.Responses != 0 && len(m.Durations) == 0 {
		t.Errorf("%+v", m)
	}
	s.refused(t, 409, "startJob", "", "", nil, "slow")
	s.ask(t, "stopJob", "", "", nil, "slow")
	s.slow.open()
	s.await(t, "slow", "idle")
	s.await(t, oddName, "idle")
	s.refused(t, 409, "stopJob", "", "", nil, "slow")
	s.refused(t, 409, "getProgress", "", "", nil, "slow")
	s.refused(t, 409, "getMeasured", "", "", nil, "slow")
	s.refused(t, 409, "startJob", "", "", nil, list[3].Job)
	if s.ask(t, "pauseJob", "", "", nil, "demo"); !get[machine.Job](s, t, "getJob", "", "demo").Paused {
		t.Error("it is not paused")
	}
	if s.ask(t, "resumeJob", "", "", nil, "demo"); get[machine.Job](s, t, "getJob", "", "demo").Paused {
		t.Error("it is paused still")
	}
	if all := get[List[machine.Status]](s, t, "getStatus", "hosts=1").Items; len(all) != 3 {
		t.Errorf("status of %d jobs", len(all))
	}
	if due := get[List[machine.Due]](s, t, "listDue", "limit=1", "demo"); len(due.Items) != 1 || due.Next == "" || due.Items[0].Run != 2 || due.Items[0].Kind != "hand" {
		t.Errorf("%+v", due)
	} else if rest := get[List[machine.Due]](s, t, "listDue", "cursor="+due.Next, "demo"); len(rest.Items) != 1 || rest.Items[0].Run != 1 {
		t.Errorf("%+v", rest)
	}
	get[List[machine.Message]](s, t, "listMessages", "job=demo")
	for _, id := range []string{"getJob", "startJob", "stopJob", "pauseJob", "resumeJob", "getProgress", "listDue", "listRuns", "listPages", "listItems", "listExports", "listProblems", "listRejects", "getHealth", "listChanges", "getFigures", "getMeasured"} {
		s.refused(t, 404, id, "", "", nil, "nobody")
	}
	s.refused(t, 404, "getStatus", "job=nobody", "", nil)
}

func testRuns(s *server, t *testing.T) {
	first := get[List[machine.Run]](s, t, "listRuns", "limit=1", "demo")
	if len(first.Items) != 1 || first.Items[0].Run != 2 || first.Next == "" {
		t.Fatalf("%+v", first)
	}
	resp, _ := s.ask(t, "listRuns", "limit=1", "", nil, "demo")
	link := resp.Header.Get("Link")
	second := get[List[machine.Run]](s, t, "listRuns", "limit=1&cursor="+first.Next, "demo")
	if len(second.Items) != 1 || second.Items[0].Run != 1 || second.Next != "" || !strings.Contains(link, first.Next) || !strings.HasSuffix(link, `rel="next"`) {
		t.Errorf("%+v, %s", second, link)
	}
	if r := get[machine.Run](s, t, "getRun", "", "demo", "last"); r.Run != 2 || r.Pages == 0 {
		t.Errorf("%+v", r)
	}
	s.refused(t, 404, "getRun", "", "", nil, "demo", "9")
	s.refused(t, 400, "getRun", "", "", nil, "demo", "x")
	if h := get[RunHealth](s, t, "getHealth", "", "demo"); len(h.Fields) == 0 {
		t.Error("no field has figures")
	}
	if p := get[List[machine.Problem]](s, t, "listProblems", "run=1", oddName); len(p.Items) == 0 {
		t.Error("no problems")
	}
	var rejects []machine.Reject
	for cursor := ""; ; {
		part := get[List[machine.Reject]](s, t, "listRejects", "run=1&limit=1&cursor="+cursor, oddName)
		rejects = append(rejects, part.Items...)
		if cursor = part.Next; cursor == "" {
			break
		}
	}
	if all := get[List[machine.Reject]](s, t, "listRejects", "run=1", oddName).Items; len(all) != 3 || len(all) != len(rejects) {
		t.Errorf("%d rejects, one by one %d", len(all), len(rejects))
	}
}

func testChanges(s *server, t *testing.T) {
	resp, text := s.ask(t, "listChanges", "from=0&to=1&limit=0", "", nil, "demo")
	lines := 0
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); lines++ {
		var c machine.Change
		if err := json.Unmarshal(scan.Bytes(), &c); err != nil || c.Change != "added" || c.Job != "demo" {
			t.Fatalf("%v: %s", err, scan.Text())
		}
	}
	if lines < 50 {
		t.Errorf("%s: %d changes", resp.Status, lines)
	}
	s.ask(t, "listChanges", "", "", nil, "demo")
	s.refused(t, 400, "listChanges", "from=2&to=1", "", nil, "demo")
	s.refused(t, 404, "listChanges", "to=7", "", nil, "demo")
}

func testPages(s *server, t *testing.T) {
	var pages []machine.Page
	for cursor := ""; ; {
		part := get[List[machine.Page]](s, t, "listPages", "limit=7&cursor="+cursor, "demo")
		pages = append(pages, part.Items...)
		if cursor = part.Next; cursor == "" {
			break
		}
	}
	seen := map[string]bool{}
	for _, p := range pages {
		seen[p.URL] = true
	}
	if all := get[List[machine.Page]](s, t, "listPages", "limit=500", "demo").Items; len(all) != len(pages) || len(seen) != len(pages) || len(all) < 50 {
		t.Errorf("%d pages, part by part %d, %d of them different", len(all), len(pages), len(seen))
	}
	for _, p := range get[List[machine.Page]](s, t, "listPages", "state=failed&status=4", "demo").Items {
		if p.State != "failed" || p.Response.Status/100 != 4 {
			t.Errorf("%+v", p)
		}
	}
	start := pages[0].URL
	query := "url=" + url.QueryEscape(start)
	if p := get[machine.PageDetail](s, t, "getPage", query, "demo"); p.URL != start || len(p.History) != 2 || p.Response == nil {
		t.Errorf("%+v", p)
	}
	resp, body := s.ask(t, "getBody", query, "", nil, "demo")
	if !strings.Contains(string(body), "<html") || !strings.HasPrefix(resp.Header.Get("Content-Disposition"), "attachment") ||
		resp.Header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
		t.Errorf("%v: %.100s", resp.Header, body)
	}
	s.refused(t, 404, "getPage", "url=http://nowhere.example/", "", nil, "demo")
	s.refused(t, 400, "getPage", "", "", nil, "demo")
}

func testRecords(s *server, t *testing.T) {
	items := get[List[machine.Item]](s, t, "listItems", "", "demo").Items
	if len(items) == 0 || items[0].Item != "product" {
		t.Fatalf("%+v", items)
	}
	first := get[RecordList](s, t, "listRecords", "item=product&limit=10&sort=_key", "demo")
	if len(first.Items) != 10 || first.Total != items[0].Records || first.Next == "" {
		t.Fatalf("%d of %d records, next %q", len(first.Items), first.Total, first.Next)
	}
	second := get[RecordList](s, t, "listRecords", "item=product&limit=10&sort=_key&cursor="+first.Next, "demo")
	if second.Items[0].Key <= first.Items[9].Key {
		t.Errorf("%q follows %q", second.Items[0].Key, first.Items[9].Key)
	}
	back := get[RecordList](s, t, "listRecords", "item=product&limit=10&sort=_key&before="+second.Previous, "demo")
	if back.Items[0].Key != first.Items[0].Key {
		t.Errorf("back at %q", back.Items[0].Key)
	}
	cheap := get[RecordList](s, t, "listRecords", "item=product&limit=1000&filter="+url.QueryEscape("price:<:20"), "demo")
	if len(cheap.Items) == 0 || len(cheap.Items) >= int(first.Total) {
		t.Errorf("%d of %d records are cheap", len(cheap.Items), first.Total)
	}
	d := get[machine.RecordDetail](s, t, "getRecord", "item=product&key="+url.QueryEscape(first.Items[0].Key), "demo")
	if len(d.Versions) != 1 || d.Versions[0].LastRun != 2 {
		t.Errorf("%+v", d)
	}
	s.refused(t, 404, "listRecords", "item=none", "", nil, "demo")
	s.refused(t, 400, "listRecords", "item=product&filter=none:=:1", "", nil, "demo")
	s.refused(t, 400, "listRecords", "item=product&filter=price", "", nil, "demo")
	s.refused(t, 400, "listRecords", "item=product&sort=none", "", nil, "demo")
	s.refused(t, 404, "getRecord", "item=product&key=none", "", nil, "demo")
}

func testExports(s *server, t *testing.T) {
	files := get[List[machine.ExportFile]](s, t, "listExports", "", "demo").Items
	if len(files) != 3 || files[0].File != "products.jsonl" {
		t.Fatalf("%+v", files)
	}
	resp, text := s.ask(t, "getExport", "", "", nil, "demo", "1", "products.jsonl")
	if int64(len(text)) != files[0].Bytes || !strings.Contains(resp.Header.Get("Content-Disposition"), "products.jsonl") {
		t.Errorf("%d bytes, %v", len(text), resp.Header)
	}
	// What stands beside an export, and what a link leads to, is nobody's business.
	if err := os.Symlink(filepath.Join(s.dir, "serve.yaml"), filepath.Join(s.dir, "out", "products.jsonl.gone.jsonl")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../serve.yaml", "serve.yaml", "..", "products.jsonl.gone.jsonl", "/etc/passwd"} {
		s.refused(t, 404, "getExport", "", "", nil, "demo", "1", name)
	}
	s.refused(t, 404, "getExport", "", "", nil, "demo", "2", "products.jsonl")
	for format, begins := range map[string]string{"": "{", "jsonl": "{", "csv": "sku,", "parquet": "PAR1"} {
		_, text := s.ask(t, "exportRecords", "item=product&format="+format, "", nil, "demo")
		if !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s: %.50q", format, text)
		}
	}
	_, text = s.ask(t, "exportRecords", "item=product&fields=sku,name&where="+url.QueryEscape("price_amount < 20"), "", nil, "demo")
	if n := bytes.Count(text, []byte("\n")); n == 0 || n > 40 || bytes.Contains(text, []byte(`"price"`)) {
		t.Errorf("%d lines: %.200s", n, text)
	}
	was := exportStalled
	exportStalled = 300 * time.Millisecond
	for name, condition := range map[string]string{
		"a count without end":    "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c) > 0",
		"many times all records": "(SELECT count(*) FROM records a, records b, records c, records d, records e) > 0",
	} {
		t.Run(name, func(t *testing.T) {
			s.refused(t, 503, "exportRecords", "item=product&where="+url.QueryEscape(condition), "", nil, "demo")
		})
	}
	exportStalled = was
	s.refused(t, 404, "exportRecords", "item=none", "", nil, "demo")
	s.refused(t, 400, "exportRecords", "item=product&fields=none", "", nil, "demo")
	s.refused(t, 400, "exportRecords", "item=product&where="+url.QueryEscape("1) UNION SELECT 1 --"), "", nil, "demo")
	for _, where := range []string{"load_extension('x')", "json_extract(name, '$.a') = 1"} { // what only shows with a record
		s.refused(t, 400, "exportRecords", "item=product&where="+url.QueryEscape(where), "", nil, "demo")
	}
}

func testFiles(s *server, t *testing.T) {
	yaml := map[string]string{"Content-Type": mediaYAML}
	const job = "start: https://new.example/\n"
	_, text := s.ask(t, "putFile", "", job, yaml, "new.yaml")
	if !strings.Contains(string(text), `"job":"new"`) {
		t.Errorf("%s", text)
	}
	get[machine.Job](s, t, "getJob", "", "new")
	resp, text := s.ask(t, "getFile", "", "", nil, "new.yaml")
	tag := resp.Header.Get("ETag")
	if string(text) != job || tag == "" {
		t.Fatalf("%s, tag %q", text, tag)
	}
	if resp, _ := s.ask(t, "getFile", "", "", map[string]string{"If-None-Match": tag}, "new.yaml"); resp.StatusCode != 304 {
		t.Errorf("the same file: %s", resp.Status)
	}
	const changed = job + "limits: {pages: 5}\n"
	s.refused(t, 428, "putFile", "", changed, yaml, "new.yaml")
	s.refused(t, 412, "putFile", "", changed, map[string]string{"If-None-Match": "*"}, "new.yaml")
	s.refused(t, 412, "putFile", "", changed, map[string]string{"If-Match": `"other"`}, "new.yaml")
	resp, _ = s.ask(t, "putFile", "", changed, map[string]string{"If-Match": `"other", ` + tag}, "new.yaml")
	s.refused(t, 412, "putFile", "", job, map[string]string{"If-Match": tag}, "new.yaml") // a lost update
	p := s.refused(t, 422, "putFile", "", "start: nowhere\nlimit: 5\n", map[string]string{"If-Match": resp.Header.Get("ETag")}, "new.yaml")
	if len(p.Mistakes) != 2 || p.Mistakes[0].Line != 1 || p.Mistakes[0].File != "new.yaml" {
		t.Errorf("%+v", p.Mistakes)
	}
	if _, text := s.ask(t, "getFile", "", "", nil, "new.yaml"); string(text) != changed {
		t.Errorf("a file with mistakes was written: %s", text)
	}
	s.refused(t, 428, "deleteFile", "", "", nil, "new.yaml")
	s.ask(t, "deleteFile", "", "", map[string]string{"If-Match": resp.Header.Get("ETag")}, "new.yaml")
	s.refused(t, 404, "getFile", "", "", nil, "new.yaml")
	s.refused(t, 404, "getJob", "", "", nil, "new")
	for _, name := range []string{"serve.yaml", "../new.yaml", "..", ".hidden.yaml", "out/x.yaml", `..\x.yaml`, "x.txt", "/etc/passwd", "a\x00.yaml", "C:x.yaml", strings.Repeat("x", 300) + ".yaml"} {
		s.refused(t, 400, "getFile", "", "", nil, name)
		s.refused(t, 400, "putFile", "", job, yaml, name)
		s.refused(t, 400, "deleteFile", "", "", map[string]string{"If-Match": "*"}, name)
	}
	check := func(query, body string) machine.Checked {
		_, text := s.ask(t, "checkFile", query, body, yaml)
		var c machine.Checked
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := check("file=lamps.yaml", "start: https://a.example/\nschedule: {cron: \"@daily\"}\n"); !c.OK || c.Job != "lamps" || len(c.Next) != 3 {
		t.Errorf("%+v", c)
	}
	if c := check("", "strat: https://a.example/\n"); c.OK || len(c.Mistakes) == 0 || c.Mistakes[0].Line != 1 {
		t.Errorf("%+v", c)
	}
}

func testMistakes(s *server, t *testing.T) {
	if p := s.refused(t, 400, "listRuns", "limmit=1", "", nil, "demo"); p.Advice != "did you mean limit?" {
		t.Errorf("%+v", p)
	}
	for _, query := range []string{"limit=0", "limit=x", "limit=-1", "limit=1&limit=2", "cursor=!", "cursor=" + encodeCursor("listPages", 1), "cursor=" + encodeCursor("listRuns", "x"), "cursor=" + encodeCursor("listRuns", nil)} {
		s.refused(t, 400, "listRuns", query, "", nil, "demo")
	}
	s.refused(t, 400, "listPages", "state=lost", "", nil, "demo")
	s.refused(t, 400, "listPages", "cursor="+encodeCursor("listPages", "x"), "", nil, "demo")
	s.refused(t, 400, "startJob", "", "{", nil, "demo")
	s.refused(t, 400, "startJob", "", `{"frehs": true}`, nil, "demo")
	s.refused(t, 400, "startJob", "", `{"fresh": true, "continue": true}`, nil, "demo")
	s.refused(t, 400, "startJob", "", `{} {}`, nil, "demo")
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/api/v1/nothing", 404}, {"GET", "/api/v2/jobs", 404}, {"POST", "/api/v1/jobs", 405}, {"GET", "/api/v1/jobs/demo/start", 405},
		{"HEAD", "/api/v1/jobs/demo/start", 405}, {"HEAD", "/api/v1/jobs", 200}, {"GET", "/api/v1/", 200}, {"GET", "/api/v1/openapi.json", 200}, {"GET", "/api/v1/index.css", 200},
	} {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), tt.method, s.url+tt.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != tt.want || tt.want == 405 && resp.Header.Get("Allow") == "" {
				t.Errorf("%s, want %d", resp.Status, tt.want)
			}
		})
	}
}

// FuzzCursor: a cursor is a place or it is refused, whatever somebody sends.
func FuzzCursor(f *testing.F) {
	f.Add(encodeCursor("listRuns", 12))
	f.Add(encodeCursor("listRecords", `["a",1]`))
	f.Add("W10")
	f.Fuzz(func(t *testing.T, cursor string) {
		var n int
		if decodeCursor("listRuns", cursor, &n) == nil {
			var back int
			if err := decodeCursor("listRuns", encodeCursor("listRuns", n), &back); err != nil || back != n {
				t.Errorf("%q is %d, and that comes back as %d, %v", cursor, n, back, err)
			}
		}
		var text string
		decodeCursor("listRecords", cursor, &text)
	})
}
