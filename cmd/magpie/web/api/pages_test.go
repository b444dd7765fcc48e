package api

import (
	"net/url"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
)

func testPages(s *server, t *testing.T) {
	var pages []machine.Page
	for cursor := ""; ; {
		part := get[List[machine.Page]](s, t, "listPages", "limit=7&cursor="+cursor, "demo")
		pages = append(pages, part.Items...)
		if cursor = part.Next; cursor == "" {
			break
		}
	}
	seen := map[string]bool{}
	for _, p := range pages {
		seen[p.URL] = true
	}
	if all := get[List[machine.Page]](s, t, "listPages", "limit=500", "demo").Items; len(all) != len(pages) || len(seen) != len(pages) || len(all) < 50 {
		t.Errorf("%d pages, part by part %d, %d of them different", len(all), len(pages), len(seen))
	}
	for _, p := range get[List[machine.Page]](s, t, "listPages", "state=failed&status=4", "demo").Items {
		if p.State != "failed" || p.Response.Status/100 != 4 {
			t.Errorf("%+v", p)
		}
	}
	start := pages[0].URL
	query := "url=" + url.QueryEscape(start)
	if p := get[machine.PageDetail](s, t, "getPage", query, "demo"); p.URL != start || len(p.History) != 2 || p.Response == nil {
		t.Errorf("%+v", p)
	}
	resp, body := s.ask(t, "getBody", query, "", nil, "demo")
	if !strings.Contains(string(body), "<html") || !strings.HasPrefix(resp.Header.Get("Content-Disposition"), "attachment") ||
		resp.Header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
		t.Errorf("%v: %.100s", resp.Header, body)
	}
	s.refused(t, 404, "getPage", "url=http://nowhere.example/", "", nil, "demo")
	s.refused(t, 400, "getPage", "", "", nil, "demo")
}
