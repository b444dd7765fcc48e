package demo

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// get asks the site without a network.
func get(t *testing.T, s *Site, path string) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Result()
}

func body(t *testing.T, resp *http.Response) []byte {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// calm is a site whose faults have happened.
func calm() *Site {
	s := New()
	for path := range faults {
		s.failed[path] = true
	}
	return s
}

// TestProductEncodings parses each product's page as a crawler would: from
// its bytes and its Content-Type.
func TestProductEncodings(t *testing.T) {
	site := calm()
	sources := map[string]int{}
	for _, p := range site.Products() {
		sources[p.Source]++
		t.Run(p.SKU, func(t *testing.T) {
			resp := get(t, site, p.Path)
			if resp.StatusCode != http.StatusOK {
				t.Fatal(resp.Status)
			}
			src := body(t, resp)
			if p.Encoding != "UTF-8" && bytes.Contains(src, []byte(p.Name)) && !ascii(p.Name) {
				t.Errorf("the page is in UTF-8, not in %s", p.Encoding)
			}
			doc, err := htmlparse.ParseBytes(src, &htmlparse.Options{ContentType: resp.Header.Get("Content-Type")})
			if err != nil {
				t.Fatal(err)
			}
			dropTemplates(doc.Root)
			if strings.ContainsAny(text(doc.Root), "\uFFFD\x1A") {
				t.Error("the page has lost characters")
			}
			if e := doc.Encoding; !strings.EqualFold(e.Name, p.Encoding) || e.Source != p.Source {
				t.Errorf("read as %s by %s, want %s by %s", e.Name, e.Source, p.Encoding, p.Source)
			}
			if got := text(cascadia.Query(doc.Root, cascadia.MustCompile("h1"))); got != p.Name {
				t.Errorf("name is %q, want %q", got, p.Name)
			}
		})
	}
	for _, source := range []string{"bom", "transport", "meta", "xml-declaration", "detected"} {
		if sources[source] == 0 {
			t.Errorf("no page's encoding is decided by %s", source)
		}
	}
}

func TestListingEncodings(t *testing.T) {
	site := calm()
	for _, c := range site.categories {
		for i, query := range []string{"", "?page=2", "?page=3"} {
			path := "/" + c.Dir + "/" + query
			t.Run(path, func(t *testing.T) {
				resp := get(t, site, path)
				doc, err := htmlparse.ParseBytes(body(t, resp), &htmlparse.Options{ContentType: resp.Header.Get("Content-Type")})
				if err != nil {
					t.Fatal(err)
				}
				if want := c.declaration(i + 1); !strings.EqualFold(doc.Encoding.Name, want.Encoding) || doc.Encoding.Source != want.Decides {
					t.Errorf("read as %+v, want %+v", doc.Encoding, want)
				}
				if got := text(cascadia.Query(doc.Root, cascadia.MustCompile("h1"))); got != c.Name {
					t.Errorf("heading is %q, want %q", got, c.Name)
				}
			})
		}
	}
}

// TestDeclarations holds each declaration to the places it is meant for.
func TestDeclarations(t *testing.T) {
	site := calm()
	for _, c := range site.categories {
		for _, p := range c.Products {
			t.Run(p.SKU, func(t *testing.T) {
				resp := get(t, site, escape(p.Path))
				src := string(body(t, resp))
				d := p.Declaration
				if got := resp.Header.Get("Content-Type"); got != d.Type {
					t.Errorf("Content-Type: %s, want %s", got, d.Type)
				}
				if strings.HasPrefix(d.Encoding, "UTF-16") {
					return // its bytes are not searched for ASCII
				}
				if at := strings.Index(src, d.Meta); at < 0 || at+len(d.Meta) > 1024 {
					t.Errorf("%s is at %d", d.Meta, at)
				}
				if !strings.HasPrefix(strings.TrimPrefix(src, "\uFEFF"), d.Prolog) {
					t.Errorf("the page does not begin with %s", d.Prolog)
				}
				if d.LateMeta != "" && strings.Index(src, d.LateMeta) <= 1024 {
					t.Errorf("%s is at %d", d.LateMeta, strings.Index(src, d.LateMeta))
				}
			})
		}
	}
}

// TestEncodingsMatter shows that a page read by another encoding goes wrong:
// the shop would be no test otherwise.
func TestEncodingsMatter(t *testing.T) {
	site := calm()
	for _, p := range site.Products() {
		if ascii(p.Name) || strings.HasPrefix(p.Encoding, "UTF") && p.Source == "bom" { // a BOM overrules the label
			continue
		}
		t.Run(p.SKU, func(t *testing.T) {
			wrong := "iso-8859-5"
			doc, err := htmlparse.ParseBytes(body(t, get(t, site, p.Path)), &htmlparse.Options{Charset: wrong})
			if err != nil {
				t.Fatal(err)
			}
			if got := text(cascadia.Query(doc.Root, cascadia.MustCompile("h1"))); got == p.Name {
				t.Errorf("%q reads well as %s too", got, wrong)
			}
		})
	}
}

func ascii(s string) bool {
	for _, r := range s {
		if r > 0x7F {
			return false
		}
	}
	return true
}

// text is a node's text as a reader sees it, nearly: blanks are collapsed.
func text(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Trim(blanks.ReplaceAllString(b.String(), " "), " ")
}
