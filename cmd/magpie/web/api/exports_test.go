package api

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
)

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
	for item, want := range map[string]int{"product": 200, "none": 404} {
		t.Run("HEAD of "+item, func(t *testing.T) {
			_, p := path("exportRecords", "demo")
			resp, err := http.Head(s.url + p + "?item=" + item)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want || (resp.Header.Get("Content-Disposition") != "") != (want == 200) {
				t.Errorf("%s, want %d: %v", resp.Status, want, resp.Header)
			}
		})
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
