package crawl_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// gzipMember is a gzip member of an archive, read by nothing of ours.
type gzipMember struct {
	header textproto.MIMEHeader
	block  []byte
}

// gzipMembers reads an archive of which each record is a member of its own.
func gzipMembers(t *testing.T, path string) (list []gzipMember) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(data)
	for in.Len() > 0 {
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		r := bufio.NewReader(z)
		if version, err := r.ReadString('\n'); version != "WARC/1.1\r\n" || err != nil {
			t.Fatalf("version %q, %v", version, err)
		}
		m := gzipMember{}
		if m.header, err = textproto.NewReader(r).ReadMIMEHeader(); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		length, err := strconv.Atoi(m.header.Get("Content-Length"))
		if err != nil || len(rest) != length+4 || string(rest[length:]) != "\r\n\r\n" {
			t.Fatalf("a block of %d bytes and what follows it has %d: %v", length, len(rest), err)
		}
		m.block = rest[:length]
		list = append(list, m)
	}
	return list
}

func sha1Text(b []byte) string {
	sum := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// TestArchiveByTheStandard reads an archive by the standard library alone, and
// holds it against the standard of the format.
// https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
func TestArchiveByTheStandard(t *testing.T) {
	s, dir := newSite(t), t.TempDir()
	s.page("/", "/chunks", "/again", "/gzip", "/moved")
	chunks := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, strings.Repeat("<p>in chunks</p>", 200))
		w.(http.Flusher).Flush()
		io.WriteString(w, "<p>and more")
	}
	s.pages["/chunks"], s.pages["/again"] = chunks, chunks
	s.pages["/gzip"] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, "<p>packed")
		z.Close()
	}
	s.status("/moved", http.StatusFound, "Location", "/")
	run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.WARC = dir }))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	list := gzipMembers(t, files[0])
	if len(list) != 1+2*6 { // and robots.txt
		t.Errorf("%d records", len(list))
	}
	ids := map[string]bool{}
	payloads := map[string]int64{} // of responses, their sizes by digest
	for i, m := range list {
		kind := m.header.Get("WARC-Type")
		t.Run(strconv.Itoa(i)+" "+kind, func(t *testing.T) {
			id := m.header.Get("WARC-Record-ID")
			if ids[id] || !strings.HasPrefix(id, "<urn:uuid:") {
				t.Errorf("ID %q", id)
			}
			ids[id] = true
			if _, err := time.Parse(time.RFC3339, m.header.Get("WARC-Date")); err != nil || !strings.HasSuffix(m.header.Get("WARC-Date"), "Z") {
				t.Error(err)
			}
			if d := m.header.Get("WARC-Block-Digest"); d != sha1Text(m.block) {
				t.Errorf("block digest %s", d)
			}
			for name, values := range m.header {
				if len(values) != 1 {
					t.Errorf("%s stands there %d times", name, len(values))
				}
			}
			if i == 0 {
				if kind != "warcinfo" || m.header.Get("WARC-Target-URI") != "" || m.header.Get("WARC-Filename") != filepath.Base(files[0]) {
					t.Errorf("first is %v", m.header)
				}
				return
			}
			if m.header.Get("WARC-Warcinfo-ID") != list[0].header.Get("WARC-Record-ID") || !strings.HasPrefix(m.header.Get("WARC-Target-URI"), s.URL) {
				t.Errorf("%v", m.header)
			}
			switch kind {
			case "response", "revisit":
				standardResponse(t, m, payloads)
			case "request":
				r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(m.block)))
				if err != nil || s.URL+r.URL.Path != m.header.Get("WARC-Target-URI") {
					t.Errorf("%v, %v", r, err)
				}
				if to := m.header.Get("WARC-Concurrent-To"); to != list[i-1].header.Get("WARC-Record-ID") {
					t.Errorf("it belongs to %s", to)
				}
			default:
				t.Errorf("%v", m.header)
			}
		})
	}
}

// standardResponse holds a response against its record, and that what a revisit
// refers to is among the payloads.
func standardResponse(t *testing.T, m gzipMember, payloads map[string]int64) {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(m.block)), nil)
	if err != nil {
		t.Fatal(err)
	}
	digest := m.header.Get("WARC-Payload-Digest")
	if m.header.Get("WARC-Type") == "revisit" {
		if payloads[digest] == 0 || m.header.Get("WARC-Truncated") != "length" || !bytes.HasSuffix(m.block, []byte("\r\n\r\n")) {
			t.Errorf("revisit of what is not there: %v", m.header)
		}
		return
	}
	payload, err := io.ReadAll(resp.Body)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if d := sha1Text(payload); d != digest {
		t.Errorf("payload digest %s of %d bytes, want %s", digest, len(payload), d)
	}
	payloads[digest] = int64(len(payload))
}
