package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl/warc"
)

// warcRecord is a record of an archive.
type warcRecord struct {
	kind, uri, block string
	fields           []string // names and values
}

const revisitedDate = "2026-01-02T03:04:05.678000Z"

// archivedTitle is the response of a page with a title.
func archivedTitle(uri, title string) warcRecord {
	body := "<h1>" + title + "</h1>"
	return warcRecord{warc.TypeResponse, uri, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body,
		[]string{"WARC-Date", revisitedDate, "WARC-Payload-Digest", warc.Digest([]byte(body))}}
}

// sameTitle is a revisit of a page with a title, under another URL.
func sameTitle(uri, title string) warcRecord {
	return warcRecord{warc.TypeRevisit, uri, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
		[]string{"WARC-Profile", warc.ProfileIdentical, "WARC-Truncated", "length", "WARC-Payload-Digest", warc.Digest([]byte("<h1>" + title + "</h1>"))}}
}

// notModified is a revisit of a page that has not changed since revisitedDate.
func notModified(uri string) warcRecord {
	return warcRecord{warc.TypeRevisit, uri, "HTTP/1.1 304 Not Modified\r\n\r\n",
		[]string{"WARC-Profile", warc.ProfileNotModified, "WARC-Refers-To-Target-URI", uri, "WARC-Refers-To-Date", revisitedDate, "WARC-Date", "2026-02-02T00:00:00Z"}}
}

func warcFile(t *testing.T, records ...warcRecord) string {
	t.Helper()
	var file bytes.Buffer
	w := warc.NewWriter(&file)
	for _, r := range records {
		h := warc.Header{{Name: "WARC-Type", Value: r.kind}, {Name: "WARC-Target-URI", Value: r.uri}}
		for i := 0; i < len(r.fields); i += 2 {
			h = append(h, warc.Field{Name: r.fields[i], Value: r.fields[i+1]})
		}
		if _, err := w.Write(h, []byte(r.block)); err != nil {
			t.Fatal(err)
		}
	}
	return file.String()
}

// oneMember compresses the records of a file as a whole.
func oneMember(t *testing.T, file string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var whole bytes.Buffer
	packed := gzip.NewWriter(&whole)
	if _, err := io.Copy(packed, z); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return whole.String()
}

func TestExtractWARCRevisits(t *testing.T) {
	const a, b, c = "http://a.test/a", "http://a.test/b", "http://a.test/c"
	image := archivedTitle(a, "x")
	image.block = strings.Replace(image.block, "text/html", "image/png", 1)
	bare := sameTitle(b, "x")
	bare.block = ""
	chain := notModified(a)
	chain.fields = append(chain.fields[:len(chain.fields)-4:len(chain.fields)-4], "WARC-Refers-To-Date", "2026-02-02T00:00:00Z")
	cases := []struct {
		name  string
		files []string // the standard input where there is one
		stdin bool
		code  int
		want  string   // titles with their URLs
		told  []string // on the error output
	}{
		{"of the same payload", []string{warcFile(t, archivedTitle(a, "x"), sameTitle(b, "x"), archivedTitle(c, "y"))}, false, exitDone,
			"x a, x b, y c", []string{"3 pages"}},
		{"that has no head", []string{warcFile(t, archivedTitle(a, "x"), bare)}, false, exitDone, "x a, x b", []string{"2 pages"}},
		{"of what had not changed", []string{warcFile(t, archivedTitle(a, "x"), notModified(a))}, false, exitDone, "x a, x a", []string{"2 pages"}},
		{"of a revisit", []string{warcFile(t, archivedTitle(a, "x"), notModified(a), chain)}, false, exitDone, "x a, x a, x a", []string{"3 pages"}},
		{"of an earlier file", []string{warcFile(t, archivedTitle(a, "x")), warcFile(t, sameTitle(b, "x"))}, false, exitDone, "x a, x b", nil},
		{"of a later file", []string{warcFile(t, sameTitle(b, "x"), archivedTitle(c, "y")), warcFile(t, archivedTitle(a, "x"))}, false, exitDone,
			"y c, x a, x b", []string{"1 revisits of records that stand behind them", "waited for what they refer to: 1 pages"}},
		{"of what is nowhere", []string{warcFile(t, sameTitle(b, "x"), archivedTitle(c, "y"))}, false, exitIncomplete,
			"y c", []string{b, "its content stands in another record, that of sha1:", "not in the archives given"}},
		{"of an image", []string{warcFile(t, image, bare, archivedTitle(c, "y"))}, false, exitDone, "y c", []string{"2 responses that are not HTML"}},
		{"in a file compressed as a whole", []string{oneMember(t, warcFile(t, archivedTitle(c, "y"), archivedTitle(a, "x"), sameTitle(b, "x")))}, false, exitIncomplete,
			"y c, x a", []string{b, "cannot be read once more"}},
		{"in the standard input", []string{warcFile(t, archivedTitle(a, "x"), sameTitle(b, "x"))}, true, exitIncomplete, "x a", []string{b, "cannot be read once more"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			args, stdin := []string{"extract", "--warc", "--css", "title=h1", "--meta"}, ""
			for i, file := range test.files {
				path := filepath.Join(t.TempDir(), string(rune('1'+i))+".warc.gz")
				if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
					t.Fatal(err)
				}
				if test.stdin {
					path, stdin = "-", file
				}
				args = append(args, path)
			}
			var stdout, stderr bytes.Buffer
			if code := run(args, strings.NewReader(stdin), &stdout, &stderr); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if diff := cmp.Diff(test.want, titles(stdout.String())); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, stderr.String())
			}
			for _, text := range test.told {
				if !strings.Contains(stderr.String(), text) {
					t.Errorf("the error output lacks %q:\n%s", text, stderr.String())
				}
			}
		})
	}
}

// titles tells of records their titles and the ends of their URLs.
func titles(lines string) string {
	var list []string
	for line := range strings.Lines(lines) {
		_, title, _ := strings.Cut(line, `"title":"`)
		title, _, _ = strings.Cut(title, `"`)
		_, address, _ := strings.Cut(line, `"_url":"http://a.test/`)
		address, _, _ = strings.Cut(address, `"`)
		list = append(list, title+" "+address)
	}
	return strings.Join(list, ", ")
}
