package demo

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// TestRecords holds the records that the job takes from each product's page
// to the truth.
func TestRecords(t *testing.T) {
	const start = "http://127.0.0.1:41234/"
	job, err := config.Parse("job.yaml", []byte(JobAt(start)))
	if err != nil {
		t.Fatal(err)
	}
	site := calm()
	for _, p := range site.Products() {
		t.Run(p.SKU, func(t *testing.T) {
			resp := get(t, site, p.Path)
			doc, err := htmlparse.ParseBytes(body(t, resp), &htmlparse.Options{ContentType: resp.Header.Get("Content-Type")})
			if err != nil {
				t.Fatal(err)
			}
			page, err := url.Parse(start + p.Path[1:])
			if err != nil {
				t.Fatal(err)
			}
			result := job.Options.Extractor.Extract(extract.Page{Root: doc.Root, URL: page})
			if len(result.Records) != 1 || len(result.Rejects) != 0 {
				t.Fatalf("%d records, rejects %+v", len(result.Records), result.Rejects)
			}
			r := result.Records[0]
			if len(r.Problems) > 0 {
				t.Errorf("problems: %+v", r.Problems)
			}
			if diff := cmp.Diff(p.Record(start), decoded(t, r.Fields)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// decoded is an object as it is read back from JSON.
func decoded(t *testing.T, o extract.Object) map[string]any {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}
