package warc

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// first reads the first record of a file.
func first(t *testing.T, file string) *Record {
	t.Helper()
	rec, err := NewReader(strings.NewReader(file)).Next()
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestOriginals writes payloads and has those that come again refer to the first.
func TestOriginals(t *testing.T) {
	var o Originals
	long := func(text string) []byte { return []byte(text + strings.Repeat(".", minRevisit)) }
	write := func(id string, payload []byte) string {
		sum := sha1.Sum(payload)
		if h := o.Revisit(sum[:], int64(len(payload))); h != nil {
			return h.Get("WARC-Type") + " " + h.Get("WARC-Refers-To") + " " + h.Get("WARC-Refers-To-Target-URI") + " " + h.Get("WARC-Refers-To-Date") + " " + h.Get("WARC-Payload-Digest")
		}
		o.Add(sum[:], int64(len(payload)), id, Header{{"WARC-Target-URI", "http://a.test/" + id}, {"WARC-Date", "2026-01-02T03:04:05Z"}})
		return ""
	}
	for _, c := range []struct {
		name, id string
		payload  []byte
		want     string
	}{
		{"new", "1", long("x"), ""},
		{"the same", "2", long("x"), "revisit 1 http://a.test/1 2026-01-02T03:04:05Z " + Digest(long("x"))},
		{"another", "3", long("y"), ""},
		{"small", "4", []byte("z"), ""},
		{"small again", "5", []byte("z"), ""},
		{"the first once more", "6", long("x"), "revisit 1 http://a.test/1 2026-01-02T03:04:05Z " + Digest(long("x"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := write(c.id, c.payload); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	t.Run("the oldest is forgotten", func(t *testing.T) {
		for i := range maxOriginals - 1 { // and one is full
			sum := sha1.Sum(fmt.Append(nil, i))
			o.Add(sum[:], minRevisit, fmt.Sprint(i), nil)
		}
		if len(o.records) != maxOriginals || len(o.order) != maxOriginals {
			t.Errorf("%d and %d are known", len(o.records), len(o.order))
		}
		if got := write("7", long("x")); got != "" {
			t.Errorf("the first is still known: %s", got)
		}
		if got := write("8", long("x")); !strings.HasPrefix(got, "revisit 7 ") {
			t.Errorf("the one that took its place is not: %q", got)
		}
	})
}

func TestIndex(t *testing.T) {
	sum := sha1.Sum([]byte("block a"))
	original := record("response", "http://a.test/", "HTTP/1.1 200 OK\r\n\r\nblock a", "WARC-Record-ID: <urn:uuid:1>", "WARC-Payload-Digest: "+Digest([]byte("block a")))
	var x Index
	x.Add(first(t, original), Place{3, 77})
	const identical, notModified = "WARC-Profile: " + ProfileIdentical, "WARC-Profile: " + ProfileNotModified
	for _, c := range []struct {
		name   string
		fields []string
		found  bool
	}{
		{"by its ID", []string{identical, "WARC-Refers-To: <urn:uuid:1>"}, true},
		{"by its ID without brackets", []string{notModified, "WARC-Refers-To: urn:uuid:1"}, true},
		{"by URI and date", []string{notModified, "WARC-Refers-To-Target-URI: http://a.test/", "WARC-Refers-To-Date: 2024-05-06T07:08:09.000000Z"}, true},
		{"by its digest", []string{identical, "WARC-Payload-Digest: " + Digest([]byte("block a"))}, true},
		{"by its digest in base 16", []string{identical, fmt.Sprintf("WARC-Payload-Digest: SHA-1:%X", sum)}, true},
		{"another ID, but its digest", []string{identical, "WARC-Refers-To: <urn:uuid:2>", "WARC-Payload-Digest: " + Digest([]byte("block a"))}, true},
		{"another digest", []string{identical, "WARC-Payload-Digest: " + Digest([]byte("block b"))}, false},
		{"the digest of what a 304 brought", []string{notModified, "WARC-Payload-Digest: " + Digest([]byte("block a"))}, false},
		{"another date", []string{identical, "WARC-Refers-To-Target-URI: http://a.test/", "WARC-Refers-To-Date: 2024-05-06T07:08:10Z"}, false},
		{"no date", []string{identical, "WARC-Refers-To-Target-URI: http://a.test/"}, false},
		{"nothing", []string{identical}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, ok := x.Find(first(t, record("revisit", "http://b.test/", "", c.fields...)))
			if ok != c.found || ok && at != (Place{3, 77}) {
				t.Errorf("%v, %v", at, ok)
			}
		})
	}
}

func TestRevisit(t *testing.T) {
	original := &Response{Status: 200, Header: http.Header{"Content-Type": {"text/html"}, "X-A": {"1"}, "X-B": {"2"}}, Body: []byte("<p>x")}
	cases := []struct {
		name, profile, block string
		want                 *Response // nil: it cannot be read
	}{
		{"the same payload", ProfileIdentical, "HTTP/1.1 404 Not Found\r\nX-A: 3\r\nContent-Type: text/plain\r\n\r\n",
			&Response{Status: 404, Header: http.Header{"X-A": {"3"}, "Content-Type": {"text/plain"}}, Body: original.Body}},
		{"the same payload, without a head", ProfileIdentical, "", original},
		{"as WARC 1.0 has it", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest", "", original},
		{"not modified", ProfileNotModified, "HTTP/1.1 304 Not Modified\r\nX-A: 3\r\nContent-Length: 0\r\n\r\n",
			&Response{Status: 200, Header: http.Header{"X-A": {"3"}, "X-B": {"2"}, "Content-Type": {"text/html"}}, Body: original.Body}},
		{"another profile", "http://a.test/diff", "", nil},
		{"no profile", "", "", nil},
		{"a head that is none", ProfileIdentical, "<p>x", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v, err := first(t, record("revisit", "http://a.test/", c.block, "WARC-Profile: "+c.profile)).Revisit()
			if (err != nil) != (c.want == nil) {
				t.Fatalf("%+v, %v", v, err)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(c.want, v.Of(original)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if original.Header.Get("X-A") != "1" {
				t.Error("the original's header was changed")
			}
		})
	}
}

// TestDirect holds that a record is read first where it says so.
func TestDirect(t *testing.T) {
	a, b := record("response", "http://a.test/", "block a"), record("response", "http://b.test/", "block b")
	for _, c := range []struct {
		name, file string
		want       []bool
	}{
		{"plain", plain(a, b), []bool{true, true}},
		{"a member for each record", zip(t, a+"\r\n\r\n", b+"\r\n\r\n"), []bool{true, true}},
		{"one member", zip(t, plain(a, b)), []bool{true, false}},
		{"garbage between members", zip(t, a+"\r\n\r\n") + "garbage" + zip(t, b+"\r\n\r\n"), []bool{true, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []bool
			for r := NewReader(bytes.NewReader([]byte(c.file))); len(got) < len(c.want); {
				rec, err := r.Next()
				if err != nil {
					continue // the garbage
				}
				got = append(got, rec.Direct)
				if rec.Direct && first(t, c.file[rec.Offset:]).TargetURI() != rec.TargetURI() {
					t.Errorf("%s does not stand at %d", rec.TargetURI(), rec.Offset)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
