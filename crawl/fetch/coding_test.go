package fetch

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl/crawltest"
)

func TestCodings(t *testing.T) {
	encode := func(codings ...string) []byte { return crawltest.Encode(strings.NewReader(page), codings...) }
	gz, br, zs := encode("gzip"), encode("br"), encode("zstd")
	large := strings.Repeat(page, 20)
	largeZstd := crawltest.Encode(strings.NewReader(large), "zstd")
	largeZstd[len(largeZstd)-1] ^= 1
	tests := []struct {
		name, field string
		sent        []byte
		want        string // "start": the start of the page
		warning     string // a part of the one there is
	}{
		{"gzip", "gzip", gz, page, ""},
		{"in any case", " GZip ", gz, page, ""},
		{"x-gzip", "x-gzip", gz, page, ""},
		{"deflate", "deflate", encode("deflate"), page, ""},
		{"deflate without zlib's header", "deflate", encode("raw-deflate"), page, ""},
		{"br", "br", br, page, ""},
		{"zstd", "zstd", zs, page, ""},
		{"two", "gzip, br", encode("gzip", "br"), page, ""},
		{"two of one kind", "gzip, gzip", encode("gzip", "gzip"), page, ""},
		{"identity", "identity", []byte(page), page, ""},
		{"identity and gzip", "identity, gzip", gz, page, ""},
		{"empty field", "", []byte(page), page, ""},
		{"members of gzip", "gzip", append(append([]byte{}, gz...), gz...), page + page, ""},
		{"frames of zstd", "zstd", append(append([]byte{0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 'x'}, zs...), zs...), page + page, ""},
		{"no body", "gzip", nil, "", ""},
		{"no body in br", "br", nil, "", ""},

		{"truncated gzip", "gzip", gz[:len(gz)-20], "start", "unexpected EOF"},
		{"gzip without its end", "gzip", gz[:len(gz)-8], page, "EOF"},
		{"wrong checksum of gzip", "gzip", append(append([]byte{}, gz[:len(gz)-8]...), 1, 2, 3, 4, 5, 6, 7, 8), page, "checksum"},
		{"wrong checksum of zstd", "zstd", append(append([]byte{}, zs[:len(zs)-1]...), zs[len(zs)-1]^1), page, "CRC"},
		{"wrong checksum of zstd in blocks", "zstd", largeZstd, large, "CRC"},
		{"text after gzip", "gzip", append(append([]byte{}, gz...), "<!-- bye -->"...), page, "gzip"},
		{"zeros after gzip", "gzip", append(append([]byte{}, gz...), make([]byte, 500)...), page, "gzip"},
		{"text after br", "br", append(append([]byte{}, br...), "<!-- bye -->"...), page, "br"},
		{"truncated br", "br", br[:len(br)-5], "start", "br"},
		{"truncated two", "gzip, br", encode("gzip", "br")[:100], "start", "gzip, br"},

		{"says gzip, is plain", "gzip", []byte(page), page, "not gzip"},
		{"says zstd, is plain", "zstd", []byte(page), page, "not zstd"},
		{"says br, is plain HTML", "br", []byte(" \n<!DOCTYPE html>" + page), " \n<!DOCTYPE html>" + page, "not br"},
		{"says deflate, is plain HTML", "deflate", []byte("<html>" + page), "<html>" + page, "not deflate"},
		{"says two, is one", "gzip, br", append([]byte("<html>"), gz...), "<html>" + string(gz), "not"},
		{"a coding that nobody knows", "utf-8", []byte(page), page, `"utf-8"`},
		{"one that nobody knows on one that we do", "gzip, aes128gcm", gz, string(gz), `"aes128gcm"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := crawltest.NewServer(t, crawltest.Coded(tt.field, tt.sent))
			r := get(t, newWorker(t, Options{}), s.URL+"/")
			if tt.want == "start" {
				if len(r.Body) == 0 || len(r.Body) >= len(page) || !strings.HasPrefix(page, string(r.Body)) {
					t.Errorf("%d bytes that are not the start of the page", len(r.Body))
				}
			} else if string(r.Body) != tt.want {
				t.Errorf("got %d bytes, want %d", len(r.Body), len(tt.want))
			}
			if warnings := strings.Join(r.Warnings, "\n"); (tt.warning == "") != (warnings == "") || !strings.Contains(warnings, tt.warning) {
				t.Errorf("warnings %q, want %q", r.Warnings, tt.warning)
			}
			if r.Truncated || r.Header.Get("Content-Encoding") != strings.TrimSpace(tt.field) {
				t.Errorf("truncated %v, Content-Encoding %q", r.Truncated, r.Header.Get("Content-Encoding"))
			}
		})
	}
}

// FuzzBody reads any bytes in any codings: never more than the limit, and all
// of them where no coding is claimed.
func FuzzBody(f *testing.F) {
	for _, coding := range []string{"gzip", "deflate", "raw-deflate", "br", "zstd"} {
		field := strings.TrimPrefix(coding, "raw-")
		f.Add(field, crawltest.Encode(strings.NewReader(page), coding))
		f.Add("gzip, "+field, crawltest.Encode(strings.NewReader(page), "gzip", coding))
	}
	f.Add("utf-8", []byte(page))
	const limit = 50_000
	var w wire
	w.opts = Options{BodyLimit: limit}.withDefaults()
	f.Fuzz(func(t *testing.T, field string, body []byte) {
		resp := &http.Response{Header: http.Header{"Content-Encoding": {field}}, Body: io.NopCloser(bytes.NewReader(body))}
		var out Response
		if err := w.readBody(t.Context(), func(error) {}, resp, &out); err != nil {
			if err.Reason != ReasonCoding || out.Body != nil {
				t.Errorf("%v, %d bytes", err, len(out.Body))
			}
			return
		}
		codings, _ := contentCodings([]string{field})
		if len(out.Body) > limit || out.Truncated && len(codings) == 0 && len(out.Body) != limit {
			t.Errorf("%d bytes, truncated %v", len(out.Body), out.Truncated)
		}
		if len(codings) == 0 && !bytes.Equal(out.Body, body[:min(len(body), limit)]) {
			t.Error("the body is not as sent")
		}
	})
}
