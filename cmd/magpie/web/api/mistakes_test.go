package api

import (
	"net/http"
	"testing"
)

func testMistakes(s *server, t *testing.T) {
	if p := s.refused(t, 400, "listRuns", "limmit=1", "", nil, "demo"); p.Advice != "did you mean limit?" {
		t.Errorf("%+v", p)
	}
	for _, query := range []string{"limit=0", "limit=x", "limit=-1", "limit=1&limit=2", "cursor=!", "cursor=" + encodeCursor("listPages", 1), "cursor=" + encodeCursor("listRuns", "x"), "cursor=" + encodeCursor("listRuns", nil)} {
		s.refused(t, 400, "listRuns", query, "", nil, "demo")
	}
	s.refused(t, 400, "listPages", "state=lost", "", nil, "demo")
	s.refused(t, 400, "listPages", "cursor="+encodeCursor("listPages", "x"), "", nil, "demo")
	s.refused(t, 400, "startJob", "", "{", nil, "demo")
	s.refused(t, 400, "startJob", "", `{"frehs": true}`, nil, "demo")
	s.refused(t, 400, "startJob", "", `{"fresh": true, "continue": true}`, nil, "demo")
	s.refused(t, 400, "startJob", "", `{} {}`, nil, "demo")
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/api/v1/nothing", 404}, {"GET", "/api/v2/jobs", 404}, {"POST", "/api/v1/jobs", 405}, {"GET", "/api/v1/jobs/demo/start", 405},
		{"HEAD", "/api/v1/jobs/demo/start", 405}, {"HEAD", "/api/v1/jobs", 200}, {"GET", "/api/v1/", 200}, {"GET", "/api/v1/openapi.json", 200}, {"GET", "/api/v1/index.css", 200},
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
			resp.Body.Close()
			if resp.StatusCode != tt.want || tt.want == 405 && resp.Header.Get("Allow") == "" {
				t.Errorf("%s, want %d", resp.Status, tt.want)
			}
		})
	}
}
