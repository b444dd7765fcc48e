package store

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/warc"
)

func TestExportWARC(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	run := beginTest(t, db)
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	body := "<p>ü</p>" + strings.Repeat("x", 1000)
	_, err = run.Commit(t.Context(), []*crawl.Visit{{Request: due[0], State: crawl.Done, Page: &crawl.Page{
		FetchedAt: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), Status: 200, Body: []byte(body),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Content-Encoding": {"gzip"}, "Content-Length": {"77"}, "Transfer-Encoding": {"chunked"}, "X-Evil": {"a\r\nb: c"}},
	}}})
	if err := errors.Join(err, run.Finish(t.Context(), "pages"), run.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		t.Run(name, func(t *testing.T) {
			path, done := exportTo(t, db, name, ExportOptions{Job: testJob.Name})
			data := readFile(t, path)
			if compressed := strings.HasPrefix(data, "\x1f\x8b"); done.Records != 1 || compressed != strings.HasSuffix(name, ".gz") {
				t.Errorf("%+v, compressed: %v", done, compressed)
			}
			r := warc.NewReader(strings.NewReader(data))
			if first, err := r.Next(); err != nil || first.Type() != warc.TypeWarcinfo {
				t.Fatalf("first %v, %v", first, err)
			}
			record, err := r.Next()
			if err != nil || record.TargetURI() != due[0].URL || !record.Date().Equal(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)) {
				t.Fatalf("then %+v, %v", record, err)
			}
			got, err := record.Response(1 << 20)
			if err != nil || got.Status != 200 || string(got.Body) != body || got.Header.Get("B") != "" || got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("its response: %+v, %v", got, err)
			}
			if _, err := r.Next(); err != io.EOF {
				t.Errorf("and then: %v", err)
			}
		})
	}
}

// TestExportWARCRevisits holds that a body is written once, and referred to then.
func TestExportWARCRevisits(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	run := beginTest(t, db)
	body := strings.Repeat("<p>the same</p>", 200)
	for range 2 { // the first page, and those that it links to
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range due {
			v := siteVisit(3, q)
			v.Page.Body, v.Page.Header = []byte(body), http.Header{"X-Page": {q.URL}}
			if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(run.Finish(t.Context(), "pages"), run.Close()); err != nil {
		t.Fatal(err)
	}
	path, done := exportTo(t, db, "a.warc.gz", ExportOptions{Job: testJob.Name})
	records, responses := readArchive(t, path)
	if len(records) != 4 || done.Records != 3 {
		t.Fatalf("%d records, %+v", len(records), done)
	}
	original, revisit := records[1], records[2]
	if original.Type() != warc.TypeResponse || string(responses[1].Body) != body {
		t.Errorf("the first is %v", original.Header)
	}
	if revisit.Type() != warc.TypeRevisit || revisit.Header.Get("WARC-Refers-To") != original.Header.Get("WARC-Record-ID") ||
		revisit.Header.Get("WARC-Refers-To-Date") != original.Header.Get("WARC-Date") || revisit.Header.Get("WARC-Refers-To-Target-URI") != original.TargetURI() {
		t.Errorf("the second is %v", revisit.Header)
	}
	if len(responses[2].Body) != 0 || responses[2].Header.Get("X-Page") != revisit.TargetURI() {
		t.Errorf("its response: %+v", responses[2])
	}
}

// A page that the last run left alone has the response of an earlier one.
func TestExportWARCOfSeveralRuns(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	job := testJob
	job.Seeds = []crawl.Link{siteLink(0, 0), siteLink(1, 0), siteLink(2, 0)}
	for run := range 2 {
		r, err := db.Begin(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		due, _, err := r.Window(t.Context(), "shop.test", time.Now(), 3, nil)
		if err != nil || len(due) != 3 {
			t.Fatalf("Window = %v, %v", due, err)
		}
		var visits []*crawl.Visit
		for i, q := range due {
			v := &crawl.Visit{Request: q, State: crawl.Done,
				Page: &crawl.Page{FetchedAt: time.Now(), Status: 200, Body: fmt.Appendf(nil, "page %d, run %d", i, run+1)}}
			switch {
			case run == 1 && i == 0:
				v = &crawl.Visit{Request: q, State: crawl.Skipped, Reason: crawl.ReasonNotDue}
			case run == 1 && i == 1:
				v = &crawl.Visit{Request: q, State: crawl.Failed, Reason: "reset"}
			}
			visits = append(visits, v)
		}
		_, err = r.Commit(t.Context(), visits)
		if err := errors.Join(err, r.Finish(t.Context(), ""), r.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		since int
		want  []string
	}{
		"all":                {0, []string{"page 0, run 1", "page 1, run 1", "page 2, run 2"}},
		"since a run":        {1, []string{"page 2, run 2"}},
		"since the last run": {2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := exportTo(t, db, "a.warc", ExportOptions{Job: testJob.Name, Since: c.since})
			var got []string
			_, responses := readArchive(t, path)
			for _, response := range responses[1:] { // behind warcinfo
				got = append(got, string(response.Body))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// readArchive returns the records of an archive, and the responses in them; nil
// for those that hold none.
func readArchive(t *testing.T, path string) (records []*warc.Record, responses []*warc.Response) {
	t.Helper()
	for r := warc.NewReader(strings.NewReader(readFile(t, path))); ; {
		record, err := r.Next()
		if err == io.EOF {
			return records, responses
		}
		if err != nil {
			t.Fatal(err)
		}
		var response *warc.Response
		if record.Type() != warc.TypeWarcinfo {
			if response, err = record.Response(1 << 20); err != nil {
				t.Fatal(err)
			}
		}
		records, responses = append(records, record), append(responses, response)
	}
}
