package warc

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// plain writes records as they stand in a file that is not compressed.
func plain(records ...string) string { return strings.Join(records, "\r\n\r\n") + "\r\n\r\n" }

func record(kind, uri, block string, fields ...string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n%sContent-Length: %d\r\n\r\n%s",
		kind, uri, strings.Join(append(fields, ""), "\r\n"), len(block), block)
}

func zip(t *testing.T, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		if _, err := io.WriteString(z, p); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// readAll tells of each record its type, its URI and its block, and of damage that there was some.
func readAll(t testing.TB, file string) (told []string) {
	t.Helper()
	r := NewReader(strings.NewReader(file))
	for {
		rec, err := r.Next()
		var damaged *DamagedError
		switch {
		case err == io.EOF:
			return told
		case errors.As(err, &damaged):
			told = append(told, "damaged")
			if len(told) > 100 {
				t.Fatal("there is no end to it")
			}
			continue
		case err != nil:
			t.Fatal(err)
		}
		block, err := io.ReadAll(rec.Block)
		if err != nil {
			told = append(told, rec.Type()+" cut")
			continue
		}
		told = append(told, fmt.Sprintf("%s %s %s", rec.Type(), rec.TargetURI(), block))
	}
}

func TestReader(t *testing.T) {
	a, b, c := record("warcinfo", "", "software: x"), record("response", "http://a.test/", "block a"), record("Response", "<http://b.test/>", "")
	all := []string{"warcinfo  software: x", "response http://a.test/ block a", "response http://b.test/ "}
	broken := strings.Replace(b, "Content-Length: 7", "Content-Length: x", 1)
	one := zip(t, b+"\r\n\r\n")
	cases := []struct {
		name, file string
		want       []string
	}{
		{"empty", "", nil},
		{"plain", plain(a, b, c), all},
		{"a member for each record", zip(t, a+"\r\n\r\n", b+"\r\n\r\n", c+"\r\n\r\n"), all},
		{"one member", zip(t, plain(a, b, c)), all},
		{"bare newlines", strings.ReplaceAll(plain(a, b, c), "\r\n", "\n"), all},
		{"no newlines behind the last", a + "\r\n\r\n" + b, all[:2]},
		{"folded field", strings.Replace(b, "http://a.test/", "http:\r\n //a.test/", 1), []string{"response http: //a.test/ block a"}},
		{"damaged header", plain(a, broken, c), []string{all[0], "damaged", all[2]}},
		{"damaged header, bare newlines", strings.ReplaceAll(plain(a, broken, c), "\r\n", "\n"), []string{all[0], "damaged", all[2]}},
		{"damaged header in a member", zip(t, a+"\r\n\r\n", broken+"\r\n\r\n", c+"\r\n\r\n"), []string{all[0], "damaged", all[2]}},
		{"damaged member", one + one[:20] + strings.Repeat("\xff", len(one)-20) + one, []string{all[1], "damaged", all[1]}},
		{"something else between members", one + "garbage" + one, []string{all[1], "damaged", all[1]}},
		{"cut within a block", b[:len(b)-3], []string{"response cut", "damaged"}},
		{"cut within a header", a + "\r\n\r\n" + b[:40], []string{all[0], "damaged"}},
		{"no archive", "<!DOCTYPE html><p>Not found", []string{"damaged"}},
		{"length beyond the end", strings.Replace(b, "Content-Length: 7", "Content-Length: 9223372036854775807", 1), []string{"response cut", "damaged"}},
		{"endless line", "WARC/1.0\r\nX: " + strings.Repeat("x", 1<<20), []string{"damaged"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, readAll(t, test.file)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOffsets reads each record again from the place that the reader tells.
func TestOffsets(t *testing.T) {
	a, b, c := record("warcinfo", "", "software: x"), record("response", "http://a.test/", "block a"), record("response", "http://b.test/", "block b")
	for name, file := range map[string]string{"plain": plain(a, b, c), "members": zip(t, a+"\r\n\r\n", b+"\r\n\r\n", c+"\r\n\r\n")} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(strings.NewReader(file))
			for range 3 {
				rec, err := r.Next()
				if err != nil {
					t.Fatal(err)
				}
				again, err := NewReader(strings.NewReader(file[rec.Offset:])).Next()
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(rec.Header, again.Header); diff != "" {
					t.Errorf("at %d (-first +again):\n%s", rec.Offset, diff)
				}
			}
		})
	}
}

func TestDate(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2024-05-06T07:08:09Z":           time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC),
		"2024-05-06T07:08:09.123456789Z": time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.UTC),
		"2024-05-06T07:08Z":              time.Date(2024, 5, 6, 7, 8, 0, 0, time.UTC),
		"2024-05-06":                     time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC),
		"2024-05":                        time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC),
		"2024":                           time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
		"yesterday":                      {},
		"":                               {},
	} {
		t.Run(text, func(t *testing.T) {
			r := Record{Header: Header{{"WARC-Date", text}}}
			if got := r.Date(); !got.Equal(want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

func TestWriter(t *testing.T) {
	var file bytes.Buffer
	w := NewWriter(&file)
	info, err := w.Write(Header{{"WARC-Type", TypeWarcinfo}, {"Content-Type", "application/warc-fields"}}, []byte("software: magpie\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	when := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	if _, err := w.Write(Header{{"WARC-Type", TypeResponse}, {"WARC-Target-URI", "http://a.test/"}, {"WARC-Date", FormatDate(when)}, {"WARC-Warcinfo-ID", info}}, []byte("HTTP/1.1 200 OK\r\n\r\nx")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(Header{{"WARC-Type", "x\r\nEvil: 1"}}, nil); err == nil {
		t.Error("a field with a line break was written")
	}
	r := NewReader(&file)
	first, err := r.Next()
	if err != nil || first.Header.Get("WARC-Record-ID") != info || !strings.HasPrefix(info, "<urn:uuid:") || first.Date().IsZero() {
		t.Errorf("%+v, %v", first, err)
	}
	second, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	// The digest was computed by sha1sum and base32.
	if second.Header.Get("WARC-Block-Digest") != Digest([]byte("HTTP/1.1 200 OK\r\n\r\nx")) || !second.Date().Equal(when) || second.Length() != 20 || second.Version != "WARC/1.1" {
		t.Errorf("%+v", second)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("a third record: %v", err)
	}
	if got, want := Digest([]byte("abc")), "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"; got != want {
		t.Errorf("Digest = %q, want %q", got, want)
	}
}

func TestResponse(t *testing.T) {
	zipped := zip(t, "<p>x")
	cases := []struct {
		name, block string
		fields      string
		want        Response
	}{
		{"plain", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x", "", Response{Status: 200, Body: []byte("<p>x")}},
		{"no reason, bare newlines", "HTTP/2 404\nA: b\n\n<p>x", "", Response{Status: 404, Body: []byte("<p>x")}},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<p\r\n2;a=b\r\n>x\r\n0\r\n\r\n", "", Response{Status: 200, Body: []byte("<p>x")}},
		{"chunked, with a long extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;signature=0123456789abcdef\r\n<p>x\r\n0\r\n\r\n", "", Response{Status: 200, Body: []byte("<p>x")}},
		{"interim responses before it", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>x", "", Response{Status: 200, Body: []byte("<p>x")}},
		{"said to be chunked, but not any more", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>x", "", Response{Status: 200, Body: []byte("<p>x")}},
		{"gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zipped, "", Response{Status: 200, Body: []byte("<p>x")}},
		{"said to be gzip, but not any more", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n<p>x", "",
			Response{Status: 200, Body: []byte("<p>x"), Warnings: []string{"not gzip as it claims, the body is kept as sent"}}},
		{"as Common Crawl has it", "HTTP/1.1 200 OK\r\nX-Crawl-Content-Encoding: gzip\r\nX-Crawl-Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n<p>x", "WARC-Truncated: length",
			Response{Status: 200, Body: []byte("<p>x"), Truncated: true}},
		{"too long", "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 200), "", Response{Status: 200, Body: []byte(strings.Repeat("x", 100)), Truncated: true}},
		{"chunked, cut", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n<p>", "", Response{Status: 200, Body: []byte("<p>"), Truncated: true,
			Warnings: []string{`read body with content-coding "": unexpected EOF`}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var fields []string
			if c.fields != "" {
				fields = append(fields, c.fields)
			}
			rec, err := NewReader(strings.NewReader(record("response", "http://a.test/", c.block, fields...))).Next()
			if err != nil {
				t.Fatal(err)
			}
			got, err := rec.Response(100)
			if err != nil {
				t.Fatal(err)
			}
			got.Header = nil
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, block := range []string{"", "<p>x", "HTTP/1.1 x\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 100)} {
		t.Run(fmt.Sprintf("%.30q", block), func(t *testing.T) {
			rec, err := NewReader(strings.NewReader(record("response", "http://a.test/", block))).Next()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := rec.Response(100); err == nil {
				t.Errorf("%+v", got)
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(plain(record("response", "http://a.test/", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"))))
	f.Add([]byte("\x1f\x8b\x08\x00WARC/1.0\r\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r := NewReader(bytes.NewReader(file))
		last := int64(-1)
		for range len(file) + 2 { // every call takes at least a byte
			rec, err := r.Next()
			var damaged *DamagedError
			switch {
			case err == io.EOF:
				return
			case errors.As(err, &damaged):
				continue
			case err != nil:
				t.Fatal(err)
			}
			if rec.Offset < last || rec.Offset > int64(len(file)) {
				t.Fatalf("a record at %d behind one at %d of %d bytes", rec.Offset, last, len(file))
			}
			last = rec.Offset
			if resp, err := rec.Response(1 << 16); err == nil && len(resp.Body) > 1<<16 {
				t.Fatalf("%d bytes of body", len(resp.Body))
			}
		}
		t.Fatal("there is no end to it")
	})
}
