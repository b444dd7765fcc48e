package api

import (
	"io"
	"net/http"
	"testing"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

func testMistakes(s *server, t *testing.T) {
	if p := s.refused(t, 400, "listRuns", "limmit=1", "", nil, "demo"); p.Advice != "did you mean limit?" {
		t.Errorf("%+v", p)
	}
	for _, query := range []string{"limit=0", "limit=x", "limit=-1", "limit=1&limit=2", "limit=%zz", "limit=1;cursor=x", "cursor=!", "cursor=" + encodeCursor("listPages", 1), "cursor=" + encodeCursor("listRuns", "x"), "cursor=" + encodeCursor("listRuns", nil)} {
		s.refused(t, 400, "listRuns", query, "", nil, "demo")
	}
	s.refused(t, 400, "listPages", "state=lost", "", nil, "demo")
	s.refused(t, 400, "listPages", "cursor="+encodeCursor("listPages", "x"), "", nil, "demo")
	s.refused(t, 400, "startJob", "", "{", nil, "demo")
	s.refused(t, 400, "startJob", "", `{"frehs": true}`, nil, "demo")
	s.refused(t, 400, "startJob", "", `{"fresh": true, "continue": true}`, nil, "demo")
	for _, body := range []string{`{} {}`, `{}]`, `{}x`} {
		s.refused(t, 400, "startJob", "", body, nil, "demo")
	}
	for _, tt := range []struct {
		method, path string
		want         int
		allow        string
	}{
		{"GET", "/api/v1/nothing", 404, ""}, {"GET", "/api/v1/\u009b2J", 404, ""}, {"GET", "/api/v2/jobs", 404, ""},
		{"POST", "/api/v1/jobs", 405, "GET, HEAD"}, {"GET", "/api/v1/jobs/demo/start", 405, "POST"}, {"HEAD", "/api/v1/jobs/demo/start", 405, "POST"},
		{"POST", "/api/v1/files/demo.yaml", 405, "GET, HEAD, PUT, DELETE"},
		{"HEAD", "/api/v1/jobs", 200, ""}, {"GET", "/api/v1/", 200, ""}, {"GET", "/api/v1/openapi.json", 200, ""}, {"GET", "/api/v1/index.css", 200, ""},
	} {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), tt.method, s.url+tt.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if allow := resp.Header.Get("Allow"); resp.StatusCode != tt.want || allow != tt.allow {
				t.Errorf("%s, want %d; allowed %q, want %q", resp.Status, tt.want, allow, tt.allow)
			}
			if tt.want >= 400 && harmless.Lines(string(text)) != string(text) {
				t.Errorf("what a terminal would obey: %q", text)
			}
		})
	}
}
