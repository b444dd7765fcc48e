package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl/warc"
)

// archive writes an archive of n pages and of what else archives have.
func archive(t *testing.T, path string, n int) {
	t.Helper()
	var file bytes.Buffer
	w := warc.NewWriter(&file)
	write := func(kind, uri, block string) {
		if _, err := w.Write(warc.Header{{Name: "WARC-Type", Value: kind}, {Name: "WARC-Target-URI", Value: uri}}, []byte(block)); err != nil {
			t.Fatal(err)
		}
	}
	page := func(header, body string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252\r\n" + header + "\r\n" + body
	}
	write(warc.TypeWarcinfo, "", "software: test\r\n")
	write(warc.TypeRequest, "http://a.test/", "GET / HTTP/1.1\r\n\r\n")
	for i := range n {
		write(warc.TypeResponse, fmt.Sprintf("http://a.test/%d", i), page("", fmt.Sprintf("<h1>P\xe4ge %d</h1>", i)))
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, "<h1>Zipped</h1>")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(warc.TypeResponse, "http://a.test/zipped", page("Content-Encoding: gzip\r\n", zipped.String()))
	write(warc.TypeResponse, "http://a.test/image", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG")
	write(warc.TypeResponse, "http://a.test/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<h1>Gone</h1>")
	write(warc.TypeRevisit, "http://a.test/0", "HTTP/1.1 200 OK\r\n\r\n")
	write(warc.TypeResponse, "dns:a.test", "1.2.3.4")
	file.WriteString("garbage")
	write(warc.TypeResponse, "http://a.test/last", page("", "<h1>Last</h1>"))
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestExtractWARC(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.warc.gz")
	archive(t, path, 300)
	var stdout, stderr bytes.Buffer
	code := run([]string{"extract", "--warc", "--css", "title=h1", "--meta", path}, strings.NewReader(""), &stdout, &stderr)
	if code != exitIncomplete { // something was damaged
		t.Errorf("exit code %d, want %d\n%s", code, exitIncomplete, stderr.String())
	}
	var want strings.Builder
	for i := range 300 {
		fmt.Fprintf(&want, "P\u00e4ge %d http://a.test/%d\n", i, i)
	}
	want.WriteString("Zipped http://a.test/zipped\nLast http://a.test/last\n")
	var got strings.Builder
	for line := range strings.Lines(stdout.String()) {
		_, title, _ := strings.Cut(line, `"title":"`)
		title, _, _ = strings.Cut(title, `"`)
		_, address, _ := strings.Cut(line, `"_url":"`)
		address, _, _ = strings.Cut(address, `"`)
		got.WriteString(title + " " + address + "\n")
	}
	if got.String() != want.String() {
		t.Errorf("records, in order:\n%s\nwant:\n%s", got.String(), want.String())
	}
	for _, text := range []string{"302 pages", "1 damaged records", "damaged record at byte", "unknown profile", "1 responses that are no pages by their status", "1 responses that are not HTML", "1 responses of other protocols", "2 records of other types"} {
		if !strings.Contains(stderr.String(), text) {
			t.Errorf("the error output lacks %q:\n%s", text, stderr.String())
		}
	}
}

func TestExtractWARCPages(t *testing.T) {
	const a, b = "http://a.test/a", "http://a.test/b"
	resource := func(uri, contentType string) warcRecord {
		return warcRecord{warc.TypeResource, uri, "<h1>resource</h1>", []string{"Content-Type", contentType}}
	}
	cut := archivedTitle(a, "cut")
	cut.fields = append(cut.fields, "WARC-Truncated", "time")
	cases := []struct {
		name string
		file string
		want string // titles with their URLs
		told string
	}{
		{"a page that was cut when it was archived", warcFile(t, cut, archivedTitle(b, "y")), "cut a, y b", "2 pages, 1 of them cut"},
		{"a resource that is a page", warcFile(t, resource(a, "text/html"), archivedTitle(b, "y")), "resource a, y b", "2 pages"},
		{"a resource that is none", warcFile(t, resource(a, "image/png"), archivedTitle(b, "y")), "y b", "1 responses that are not HTML"},
		{"a resource of another protocol", warcFile(t, resource("urn:x:y", "text/html"), archivedTitle(b, "y")), "y b", "1 responses of other protocols"},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run([]string{"extract", "--warc", "--css", "title=h1", "--meta", "-"}, strings.NewReader(test.file), &stdout, &stderr)
			if got := titles(stdout.String()); code != exitDone || got != test.want {
				t.Errorf("%q, want %q; exit code %d", got, test.want, code)
			}
			if !strings.Contains(stderr.String(), test.told) {
				t.Errorf("the error output lacks %q:\n%s", test.told, stderr.String())
			}
		})
	}
}
