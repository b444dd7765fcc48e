package crawl_test

import (
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/warc"
)

// eachRecord yields the records of the archives in a folder.
func eachRecord(t *testing.T, dir string) iter.Seq[*warc.Record] {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(*warc.Record) bool) {
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for r := warc.NewReader(f); ; {
				rec, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !yield(rec) {
					return
				}
			}
		}
	}
}

// archived reads the archives in a folder: type, URL without the site, and the first line of each block.
func archived(t *testing.T, dir string, s *site) (records []string, bodies map[string]string) {
	t.Helper()
	bodies = map[string]string{}
	for rec := range eachRecord(t, dir) {
		path := strings.TrimPrefix(rec.TargetURI(), s.URL)
		if ip := rec.Header.Get("WARC-IP-Address"); ip != "127.0.0.1" && rec.Type() != warc.TypeWarcinfo {
			t.Errorf("%s of %s came from %q", rec.Type(), path, ip)
		}
		if rec.Type() == warc.TypeResponse {
			resp, err := rec.Response(1 << 20)
			if err != nil {
				t.Fatal(err)
			}
			bodies[path] += string(resp.Body)
			records = append(records, fmt.Sprintf("response %s %d", path, resp.Status))
			continue
		}
		block, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(block), "\r\n")
		if rec.Type() == warc.TypeWarcinfo {
			line = ""
		}
		if strings.Contains(string(block), "secret") {
			t.Errorf("a secret was archived: %s", block)
		}
		records = append(records, strings.TrimSpace(rec.Type()+" "+path+" "+line))
	}
	return records, bodies
}

// exchanges are pairs of records, a response with its request, in the order of
// the alphabet: pages are read side by side.
func exchanges(records []string) []string {
	var list []string
	for i := 1; i+1 < len(records); i += 2 { // behind the warcinfo
		list = append(list, records[i]+", "+records[i+1])
	}
	slices.Sort(list)
	return append(records[:1:1], list...)
}

func TestArchive(t *testing.T) {
	s, dir, db := newSite(t), filepath.Join(t.TempDir(), "archive"), openStore(t)
	s.page("/", "/lost", "/moved", "/again")
	s.status("/moved", http.StatusFound, "Location", "/")
	s.page("/again")
	s.first(1, "/again", http.StatusServiceUnavailable)
	again := s.pages["/again"]
	s.pages["/again"] = func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"1"`)
		again(w, r)
	}
	options := quick(t, s, func(o *crawl.Options) {
		o.WARC = dir
		o.Politeness.Concurrency = 1
		o.Requests.Credentials = []crawl.Credentials{{Origin: s.URL, Bearer: "secret"}}
	})
	run(t, db, options)
	got, bodies := archived(t, dir, s)
	want := []string{
		"warcinfo",
		"response /robots.txt 404", "request /robots.txt GET /robots.txt HTTP/1.1",
		"response / 200", "request / GET / HTTP/1.1",
		"response /lost 404", "request /lost GET /lost HTTP/1.1",
		"response /moved 302", "request /moved GET /moved HTTP/1.1",
		"response /again 503", "request /again GET /again HTTP/1.1",
		"response /again 200", "request /again GET /again HTTP/1.1",
	}
	if diff := cmp.Diff(exchanges(want), exchanges(got)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if !strings.Contains(bodies["/again"], "<h1>/again</h1>") {
		t.Errorf("the body of /again is %q", bodies["/again"])
	}
	// What is behind that which the database knows is cut off, and other files are left alone.
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("half a record"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	other := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, db, options)
	got, _ = archived(t, dir, s)
	if len(got) != len(want)+len(want)-4 || // without robots.txt, which is known, and the try that failed
		!slices.Contains(got, "revisit /again HTTP/1.1 304 Not Modified") {
		t.Errorf("records of two runs: %q", got)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "mine" {
		t.Errorf("the other file: %q, %v", text, err)
	}
}

// recordsOf reads the records of the archives in a folder that are about a URL.
func recordsOf(t *testing.T, dir, url string) (list []warc.Header) {
	t.Helper()
	for rec := range eachRecord(t, dir) {
		if rec.TargetURI() == url && rec.Type() != warc.TypeRequest {
			list = append(list, rec.Header)
		}
	}
	return list
}

// TestArchiveRevisits holds that what was archived before is referred to by the
// names that its record has.
func TestArchiveRevisits(t *testing.T) {
	s, dir, db := newSite(t), t.TempDir(), openStore(t)
	s.page("/", "/1", "/2", "/still")
	same := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, strings.Repeat("<p>the same</p>", 200)) // comes in chunks
	}
	s.pages["/1"], s.pages["/2"] = same, same
	s.pages["/still"] = func(w http.ResponseWriter, r *http.Request) {
		if w.Header().Set("ETag", `"1"`); r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(w, "<p>still")
	}
	options := quick(t, s, func(o *crawl.Options) {
		o.WARC = dir
		o.Politeness.Concurrency = 1
	})
	run(t, db, options)
	refers := func(t *testing.T, original, revisit warc.Header, profile string) {
		t.Helper()
		got := map[string]string{}
		for _, name := range []string{"WARC-Type", "WARC-Profile", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"} {
			got[name] = revisit.Get(name)
		}
		want := map[string]string{"WARC-Type": "revisit", "WARC-Profile": profile,
			"WARC-Refers-To-Target-URI": original.Get("WARC-Target-URI"), "WARC-Refers-To-Date": original.Get("WARC-Date")}
		if diff := cmp.Diff(want, got); diff != "" || original.Get("WARC-Type") != "response" {
			t.Errorf("of a %s (-want +got):\n%s", original.Get("WARC-Type"), diff)
		}
	}
	t.Run("the same payload", func(t *testing.T) {
		list := slices.Concat(recordsOf(t, dir, s.URL+"/1"), recordsOf(t, dir, s.URL+"/2"))
		if len(list) != 2 {
			t.Fatalf("%d records: %v", len(list), list)
		}
		if list[0].Get("WARC-Type") == "revisit" { // the pages may come in any order
			slices.Reverse(list)
		}
		refers(t, list[0], list[1], warc.ProfileIdentical)
		if id := list[1].Get("WARC-Refers-To"); id != list[0].Get("WARC-Record-ID") || list[1].Get("WARC-Truncated") != "length" {
			t.Errorf("refers to %s and not to %s", id, list[0].Get("WARC-Record-ID"))
		}
		if d := list[1].Get("WARC-Payload-Digest"); d == "" || d != list[0].Get("WARC-Payload-Digest") || d != warc.Digest([]byte(strings.Repeat("<p>the same</p>", 200))) {
			t.Errorf("digests %q and %q", list[0].Get("WARC-Payload-Digest"), d)
		}
	})
	t.Run("not modified", func(t *testing.T) {
		run(t, db, options)
		list := recordsOf(t, dir, s.URL+"/still")
		if len(list) != 2 {
			t.Fatalf("%d records: %v", len(list), list)
		}
		refers(t, list[0], list[1], warc.ProfileNotModified)
	})
}
