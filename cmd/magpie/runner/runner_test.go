package runner

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier/couriertest"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// TestAfter holds that what fails once a crawl is finished keeps nothing else
// from being done.
func TestAfter(t *testing.T) {
	hook := couriertest.New(t)
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "<h1>a thing</h1>%d", asked.Add(1)) }))
	defer site.Close()

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	job, err := config.Parse(filepath.Join(dir, "job.yaml"), fmt.Appendf(nil, `
start: %s/
keep: last
items: {thing: {fields: {title: h1}}}
export: [{item: thing, format: jsonl, path: file/a.jsonl}, {item: thing, format: jsonl, path: b.jsonl}, {item: thing, format: jsonl, path: file/c.jsonl}]
webhook: {url: %q, secret: "${HOOK_SECRET}", on: finish}
`, site.URL, hook.URL))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "magpie.db")
	db, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func() *Outcome {
		crawler, err := crawl.New(job.Options)
		if err != nil {
			t.Fatal(err)
		}
		return (&Run{DB: db, Job: job, Crawler: crawler}).Do(t.Context())
	}
	run()
	// Such as a page of the database that is damaged.
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`CREATE TRIGGER damaged BEFORE UPDATE OF codec ON bodies BEGIN SELECT RAISE(ABORT, 'it is damaged'); END`); err != nil {
		t.Fatal(err)
	}
	o := run() // has the first's body dropped
	for _, want := range []string{"it is damaged", "a.jsonl", "c.jsonl"} {
		if o.Err == nil || !strings.Contains(o.Err.Error(), want) {
			t.Errorf("%s is not told: %v", want, o.Err)
		}
	}
	if o.State != Finished || len(o.Exports) != 1 || o.Exports[0].Records != 1 {
		t.Errorf("%+v", o)
	}
	if o.Sent != 1 || hook.Count() != 2 {
		t.Errorf("%d messages sent, %d taken", o.Sent, hook.Count())
	}
}
