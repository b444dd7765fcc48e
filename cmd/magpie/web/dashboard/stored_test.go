package dashboard

import (
	"net/http"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// Where a value came from is shown at its place, whatever the encoding and the
// ends of lines.
func TestPlacesInSource(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "x", Fields: []extract.Field{{Name: "name", CSS: "h1"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	const page = "<!doctype html>\r\n<title>ä</title>\r\n<body>ü<h1>Größe</h1>"
	utf16 := []byte{0xFF, 0xFE}
	for _, r := range page {
		utf16 = append(utf16, byte(r), byte(r>>8))
	}
	latin1 := []byte{}
	for _, r := range page {
		latin1 = append(latin1, byte(r))
	}
	for name, body := range map[string]string{
		"UTF-8": page, "a byte order mark": "\uFEFF" + page, "UTF-16": string(utf16), "windows-1252": string(latin1),
		"old Mac lines": strings.ReplaceAll(page, "\r\n", "\r"), "no end of lines": strings.ReplaceAll(page, "\r\n", ""),
	} {
		t.Run(name, func(t *testing.T) {
			s, err := parseStored(&store.Page{URL: "https://example.com/", Response: &store.Response{ContentType: "text/html", Header: http.Header{}}}, []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			_, list := s.explain(x)
			if len(list) != 1 || len(list[0].Tried) != 1 {
				t.Fatalf("%+v", list)
			}
			e := explainedOf(s, &list[0], extract.Field{}, "/page?url=x")
			at := e.Tried[0]
			if at.Excerpt == nil || at.Excerpt.Piece != "<h1>Größe</h1>" || !strings.HasSuffix(at.Excerpt.Before, "ü") {
				t.Errorf("the place is %s, the excerpt %+v", at.Place, at.Excerpt)
			}
			line := at.Line[strings.LastIndex(at.Line, "L")+1:]
			if lines := sourceLines(s.Text); line != map[bool]string{true: "1", false: "3"}[len(lines) == 1] {
				t.Errorf("line %s of %d", line, len(lines))
			}
		})
	}
}
