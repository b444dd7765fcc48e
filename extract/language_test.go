package extract_test

import (
	"flag"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

var update = flag.Bool("update", false, "write what comes out into the test data")

// TestLanguage runs the cases of testdata/language. A file has a page and
// cases: the item as a job file has it, with "want" in it, a line for each
// record, reject and problem.
func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("testdata/language/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page := string(archive.Files[0].Data)
		changed := false
		for i := 1; i+1 < len(archive.Files); i += 2 {
			spec, want := archive.Files[i], &archive.Files[i+1]
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+spec.Name, func(t *testing.T) {
				got := runCase(t, string(spec.Data), page)
				if *update && got != string(want.Data) {
					want.Data, changed = []byte(got), true
				}
				if diff := cmp.Diff(string(want.Data), got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
		if changed {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// runCase runs an item on a page.
func runCase(t *testing.T, spec, page string) string {
	job, err := config.Parse("job.yaml", []byte("start: https://shop.example/\nitems:\n  x:\n    "+strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n    ")+"\n"))
	if err != nil {
		return "mistake: " + err.Error() + "\n"
	}
	doc, err := htmlparse.ParseString(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse("https://shop.example/cat/lamps/brass-12?id=12&color=red&color=blue#top")
	if err != nil {
		t.Fatal(err)
	}
	p := extract.Page{Root: doc.Root, URL: u, Header: http.Header{"Last-Modified": {"Tue, 03 Nov 2026 10:00:00 GMT"}, "Link": {"<a>", "<b>"}},
		FetchedAt: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	result := job.Options.Extractor.Extract(p)
	explained, _ := job.Options.Extractor.Explain(p)
	if diff := cmp.Diff(result, explained); diff != "" {
		t.Errorf("explained, it comes out otherwise (-plain +explained):\n%s", diff)
	}
	fulfilSchemas(t, job.Options.Extractor, result.Records)
	var b strings.Builder
	tell(t, &b, "", result.Records)
	tell(t, &b, "reject ", result.Rejects)
	return b.String()
}

func tell(t *testing.T, b *strings.Builder, kind string, records []extract.Record) {
	for _, r := range records {
		line, err := r.Fields.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(kind + string(line) + "\n")
		for _, problem := range r.Problems {
			b.WriteString("  " + problem.Field + ": " + problem.Code + ": " + problem.Detail + "\n")
		}
	}
}
