package sitemap

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/magpie-crawl/magpie/weburl"
)

const base = "https://shop.example/sitemaps/main.xml"

func parse(t testing.TB, body []byte) *Sitemap {
	t.Helper()
	u, err := weburl.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(body, u)
}

// lines writes entries as "URL", "URL date" or "URL date priority".
func lines(entries []Entry) []string {
	var out []string
	for _, e := range entries {
		s := e.URL.String()
		if !e.LastMod.IsZero() {
			s += " " + e.LastMod.Format(time.RFC3339)
		}
		if e.Priority != DefaultPriority {
			s += fmt.Sprintf(" %g", e.Priority)
		}
		out = append(out, s)
	}
	return out
}

func urlset(entries string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + entries + `</urlset>`
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, body string
		format     Format
		want       []string
		warnings   []string // a part of each
	}{
		{"urlset", urlset("<url>\n<loc>\n https://shop.example/a?b=1&amp;c=2 \n</loc><lastmod>2024-05-06</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url><url><loc>https://shop.example/b</loc></url>"),
			URLSet, []string{"https://shop.example/a?b=1&c=2 2024-05-06T00:00:00Z 0.8", "https://shop.example/b"}, nil},
		{"index", `<sitemapindex><sitemap><loc>https://shop.example/1.xml.gz</loc><lastmod>2024-05-06T07:08:09+02:00</lastmod></sitemap></sitemapindex>`,
			Index, []string{"https://shop.example/1.xml.gz 2024-05-06T07:08:09+02:00"}, nil},
		{"prefixes", `<s:urlset xmlns:s="http://www.google.com/schemas/sitemap/0.84"><s:url><s:loc>https://shop.example/a</s:loc></s:url></s:urlset>`,
			URLSet, []string{"https://shop.example/a"}, nil},
		{"extensions are not the page", urlset(`<url><image:image><image:loc>https://shop.example/1.jpg</image:loc></image:image><loc>https://shop.example/a</loc><image:image><image:loc>https://shop.example/2.jpg</image:loc></image:image><xhtml:link rel="alternate" hreflang="de" href="https://shop.example/de"/></url>`),
			URLSet, []string{"https://shop.example/a"}, nil},
		{"CDATA and comments", urlset(`<url><loc><!-- x --><![CDATA[https://shop.example/a?b&c]]></loc></url>`),
			URLSet, []string{"https://shop.example/a?b&c"}, nil},
		{"made canonical", urlset(`<url><loc>HTTPS://SHOP.example:443/ü#top</loc></url>`),
			URLSet, []string{"https://shop.example/%C3%BC"}, nil},
		{"relative", urlset(`<url><loc>/a</loc></url><url><loc>b.html</loc></url>`),
			URLSet, []string{"https://shop.example/a", "https://shop.example/sitemaps/b.html"}, nil},
		{"no URLs", urlset(`<url><loc></loc></url><url><lastmod>2024</lastmod></url><url><loc>mailto:a@b.example</loc></url><url><loc>http://a b/</loc></url>`),
			URLSet, nil, []string{"4 entries without"}},
		{"priority out of range", urlset(`<url><loc>/a</loc><priority>7</priority></url><url><loc>/b</loc><priority>NaN</priority></url><url><loc>/c</loc><priority>0</priority></url>`),
			URLSet, []string{"https://shop.example/a", "https://shop.example/b", "https://shop.example/c 0"}, nil},
		{"empty urlset", urlset(""), URLSet, nil, nil},
		{"declaration of another version", `<?xml version='1.1' standalone="yes"?><urlset><url><loc>/a</loc></url></urlset>`, URLSet, []string{"https://shop.example/a"}, nil},
		{"space before the declaration", "\n  " + urlset(`<url><loc>/a</loc></url>`), URLSet, []string{"https://shop.example/a"}, nil},

		{"text", "https://shop.example/a\r\n\r\n  https://shop.example/b  \nhttps://shop.example/c", Text, []string{"https://shop.example/a", "https://shop.example/b", "https://shop.example/c"}, nil},
		{"text with a BOM", "\ufeffhttps://shop.example/a\n", Text, []string{"https://shop.example/a"}, nil},
		{"text with other lines", "Pages:\nhttps://shop.example/a\n/b\n" + strings.Repeat("x", 100_000) + "\nhttps://shop.example/c\n", Text, []string{"https://shop.example/a", "https://shop.example/c"}, []string{"2 entries without"}},
		{"other text", "Not found\n", Unknown, nil, []string{"1 entries without"}},
		{"empty", "", Unknown, nil, []string{"empty"}},

		{"RSS", `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>x</title><link>https://shop.example/</link><atom:link href="https://shop.example/feed" rel="self"/><item><atom:link href="https://shop.example/x"/><title>A</title><link>https://shop.example/a</link><pubDate>Mon, 06 May 2024 07:08:09 +0000</pubDate></item></channel></rss>`,
			RSS, []string{"https://shop.example/a 2024-05-06T07:08:09Z"}, nil},
		{"RSS without links", `<rss><channel><item><guid>https://shop.example/a</guid></item><item><guid isPermaLink="false">https://shop.example/b</guid></item><item><guid>17</guid></item><item><guid isPermaLink="true">https://shop.example/c</guid><link>https://shop.example/d</link></item></channel></rss>`,
			RSS, []string{"https://shop.example/a", "https://shop.example/d"}, []string{"2 entries without"}},
		{"RSS 1.0", `<rdf:RDF><channel rdf:about="x"><link>https://shop.example/</link></channel><item rdf:about="y"><link>https://shop.example/a</link><dc:date>2024-05-06</dc:date></item></rdf:RDF>`,
			RSS, []string{"https://shop.example/a 2024-05-06T00:00:00Z"}, nil},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://shop.example/"/><entry><published>2020-01-01T00:00:00Z</published><link rel="edit" href="https://shop.example/edit"/><link href="https://shop.example/a"/><updated>2024-05-06T07:08:09Z</updated></entry><entry><link rel="alternate" href="/b"/><updated>2024-05-06T07:08:09Z</updated><published>2020-01-01T00:00:00Z</published></entry></feed>`,
			Atom, []string{"https://shop.example/a 2024-05-06T07:08:09Z", "https://shop.example/b 2024-05-06T07:08:09Z"}, nil},

		{"HTML", "<!DOCTYPE html><html><body><url><loc>/a</loc></url>", Unknown, nil, []string{"document type"}},
		{"HTML without a doctype", "<html><body><url><loc>/a</loc></url></body></html>", Unknown, nil, []string{`root element is "html"`}},
		{"DOCTYPE with entities", `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "https://shop.example/a"><!ENTITY b SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>`, Unknown, nil, []string{"document type"}},
		{"DOCTYPE after entries", `<urlset><url><loc>/a</loc></url><!doctype x><url><loc>/b</loc></url></urlset>`, Unknown, nil, []string{"document type"}},
		{"undeclared entity", `<urlset><url><loc>/a&nbsp;b</loc></url></urlset>`, URLSet, []string{"https://shop.example/a&nbsp;b"}, nil},
		{"bare ampersand", `<urlset><url><loc>https://shop.example/?a=1&b=2</loc></url></urlset>`, URLSet, []string{"https://shop.example/?a=1&b=2"}, nil},
		{"cut off in a tag", `<urlset><url><loc>/a</loc></url><url><loc>/b</lo`, URLSet, []string{"https://shop.example/a", "https://shop.example/b"}, []string{"broken off at line 1"}},
		{"broken in the middle", "<urlset>\n<url><loc>/a</loc></url>\n<url><loc>/b</loc><<url>", URLSet, []string{"https://shop.example/a", "https://shop.example/b"}, []string{"broken off at line 3"}},
		{"entries that are not closed", `<urlset><url><loc>/a</loc><url><loc>/b</loc><priority>0.1<url><loc>/c</loc></url></urlset>`, URLSet, []string{"https://shop.example/a", "https://shop.example/b 0.1", "https://shop.example/c"}, nil},
		{"end tags that match nothing", `<urlset></x></url><url></x></x><loc>/z</loc></url><url><loc>/a</loc></x></url></urlset></urlset></urlset>`, URLSet, []string{"https://shop.example/a"}, []string{"1 entries without"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := parse(t, []byte(tt.body))
			if diff := cmp.Diff(tt.want, lines(got.Entries)); diff != "" || got.Format != tt.format {
				t.Errorf("format %q, want %q; -want +got:\n%s", got.Format, tt.format, diff)
			}
			checkWarnings(t, got, tt.warnings)
		})
	}
}

func checkWarnings(t *testing.T, s *Sitemap, parts []string) {
	t.Helper()
	if len(s.Warnings) != len(parts) {
		t.Fatalf("warnings %q, want %q", s.Warnings, parts)
	}
	for i, part := range parts {
		if !strings.Contains(s.Warnings[i], part) {
			t.Errorf("warning %q does not say %q", s.Warnings[i], part)
		}
	}
}

func TestLastMod(t *testing.T) {
	tests := []struct{ in, want string }{
		{"2024", "2024-01-01T00:00:00Z"},
		{"2024-05", "2024-05-01T00:00:00Z"},
		{"2024-05-06", "2024-05-06T00:00:00Z"},
		{"2024-05-06T07:08Z", "2024-05-06T07:08:00Z"},
		{"2024-05-06T07:08+01:00", "2024-05-06T07:08:00+01:00"},
		{"2024-05-06T07:08:09.123+01:00", "2024-05-06T07:08:09+01:00"},
		{"2024-05-06T07:08:09+0100", "2024-05-06T07:08:09+01:00"},
		{"2024-05-06T07:08:09", "2024-05-06T07:08:09Z"},
		{" 2024-05-06 07:08:09 ", "2024-05-06T07:08:09Z"},
		{"Mon, 6 May 2024 07:08:09 +0100", "2024-05-06T07:08:09+01:00"},
		{"Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09Z"},
		{"Mon, 06 May 2024 07:08:09 EST", "2024-05-06T07:08:09-05:00"},
		{"6 May 2024 07:08 PDT", "2024-05-06T07:08:00-07:00"},
		{"Mon, 06 May 24 07:08:09 UT", "2024-05-06T07:08:09Z"},
		{"6 May 24 07:08 +0100", "2024-05-06T07:08:00+01:00"},
		{"Mon, 06 May 2024 07:08:09 XYZ", "2024-05-06T07:08:09Z"},
		{"2024-05-06 07:08:09 UTC", "2024-05-06T07:08:09Z"},
		{"2024-05-06T07:08:09+01", "2024-05-06T07:08:09+01:00"},
		{"yesterday", "0001-01-01T00:00:00Z"},
		{"2024-13-45", "0001-01-01T00:00:00Z"},
		{"", "0001-01-01T00:00:00Z"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			if got := parseTime(tt.in).Format(time.RFC3339); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	const text = `<urlset><url><loc>/caf%s</loc></url></urlset>`
	utf16 := func(order unicode.Endianness) func(string) []byte {
		return func(s string) []byte {
			b, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().Bytes([]byte(s))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	latin1 := func(s string) []byte {
		b, err := charmap.ISO8859_1.NewEncoder().Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	utf8 := func(s string) []byte { return []byte(s) }
	tests := []struct {
		name, declaration string
		encode            func(string) []byte
		path              string
		warnings          []string
	}{
		{"UTF-8", `<?xml version="1.0" encoding="utf-8"?>`, utf8, "/caf%C3%A9", nil},
		{"UTF-8 with a BOM", "\ufeff" + `<?xml version="1.0"?>`, utf8, "/caf%C3%A9", nil},
		{"no declaration", "", utf8, "/caf%C3%A9", nil},
		{"ISO-8859-1", `<?xml version="1.0" encoding='ISO-8859-1' ?>`, latin1, "/caf%C3%A9", nil},
		{"UTF-16 little-endian", `<?xml version="1.0" encoding="UTF-16"?>`, utf16(unicode.LittleEndian), "/caf%C3%A9", nil},
		{"UTF-16 big-endian", "", utf16(unicode.BigEndian), "/caf%C3%A9", nil},
		{"declared UTF-16, is UTF-8", `<?xml version="1.0" encoding="UTF-16"?>`, utf8, "/caf%C3%A9", nil},
		{"bytes that are not UTF-8", `<?xml version="1.0" encoding="utf-8"?>`, latin1, "/caf%EF%BF%BD", nil},
		{"unknown", `<?xml version="1.0" encoding="klingon"?>`, utf8, "/caf%C3%A9", []string{"klingon"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := parse(t, tt.encode(tt.declaration+fmt.Sprintf(text, "é")))
			if diff := cmp.Diff([]string{"https://shop.example" + tt.path}, lines(got.Entries)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			checkWarnings(t, got, tt.warnings)
		})
	}
}

func gzipped(t testing.TB, s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	var many strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, "<url><loc>/%d-%x</loc></url>", i, i*i*7919)
	}
	body := gzipped(t, urlset(many.String()))
	t.Run("whole", func(t *testing.T) {
		got := parse(t, body)
		if len(got.Entries) != 2000 || len(got.Warnings) != 0 {
			t.Errorf("%d entries, %q", len(got.Entries), got.Warnings)
		}
	})
	t.Run("truncated", func(t *testing.T) {
		got := parse(t, body[:len(body)/2])
		if n := len(got.Entries); n < 500 || n > 1500 {
			t.Errorf("%d entries", n)
		}
		checkWarnings(t, got, []string{"broken off"})
	})
	t.Run("header alone", func(t *testing.T) {
		checkWarnings(t, parse(t, body[:5]), []string{"gzip"})
	})
	t.Run("text", func(t *testing.T) {
		if got := parse(t, gzipped(t, "https://shop.example/a\n")); len(got.Entries) != 1 {
			t.Errorf("%d entries", len(got.Entries))
		}
	})
}

func TestLimits(t *testing.T) {
	t.Run("number of URLs", func(t *testing.T) {
		got := parse(t, []byte(urlset(strings.Repeat("<url><loc>/a</loc></url>", MaxURLs+1))))
		if len(got.Entries) != MaxURLs {
			t.Errorf("%d entries", len(got.Entries))
		}
		checkWarnings(t, got, []string{"more than 50000 URLs"})
	})
	t.Run("exactly the number of URLs", func(t *testing.T) {
		got := parse(t, []byte(strings.Repeat("http://a/\n", MaxURLs)))
		if len(got.Entries) != MaxURLs {
			t.Errorf("%d entries", len(got.Entries))
		}
		checkWarnings(t, got, nil)
	})
	for name, filler := range map[string]string{"gzip bomb of spaces": " ", "gzip bomb of depth": "<x>"} {
		t.Run(name, func(t *testing.T) {
			if raceEnabled {
				t.Skip("the race detector makes it take a minute, and there is no concurrency in it")
			}
			bomb := gzipped(t, urlset("<url><loc>/a</loc></url>"+strings.Repeat(filler, MaxSize/len(filler))))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := parse(t, bomb)
			runtime.ReadMemStats(&after)
			if len(got.Entries) != 1 {
				t.Errorf("%d entries", len(got.Entries))
			}
			if w := strings.Join(got.Warnings, "\n"); !strings.Contains(w, "larger than") {
				t.Errorf("warnings %q", w)
			}
			if got := after.Sys - before.Sys; got > 200<<20 {
				t.Errorf("took %d MiB of memory", got>>20)
			}
		})
	}
	t.Run("a location without end", func(t *testing.T) {
		got := parse(t, []byte(urlset("<url><loc>/a"+strings.Repeat("a<!-- -->", 1<<18)+"</loc></url><url><loc>/b</loc></url>")))
		if diff := cmp.Diff([]string{"https://shop.example/b"}, lines(got.Entries)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(urlset("<url><loc>/a</loc><lastmod>2024-05-06</lastmod><priority>0.8</priority></url>")))
	f.Add([]byte(`<feed><entry><link href="/a"/></entry></feed>`))
	f.Add([]byte(`<rss><channel><item><link>/a</link></item></channel></rss>`))
	f.Add([]byte("https://shop.example/a\n"))
	f.Add([]byte("\xff\xfe<\x00a\x00"))
	f.Add([]byte("<?xml version='1.0' encoding='shift_jis'?><urlset><url><loc>/\x83\x5c</loc></url></urlset>"))
	f.Add(gzipped(f, urlset("<url><loc>/a</loc></url>")))
	f.Fuzz(func(t *testing.T, body []byte) {
		s := parse(t, body)
		for _, e := range s.Entries {
			if e.URL == (weburl.URL{}) || !(e.Priority >= 0 && e.Priority <= 1) {
				t.Errorf("entry %+v", e)
			}
		}
		if s.Format == Unknown && len(s.Entries) > 0 {
			t.Errorf("%d entries of no format", len(s.Entries))
		}
		if len(s.Warnings) > 5 {
			t.Errorf("warnings %q", s.Warnings)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	body := []byte(urlset(strings.Repeat("<url><loc>https://shop.example/catalogue/a-light-in-the-attic_1000/index.html</loc><lastmod>2024-05-06</lastmod></url>\n", 1000)))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		parse(b, body)
	}
}
