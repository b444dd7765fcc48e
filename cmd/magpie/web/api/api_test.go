package api

import (
	"testing"
)

// TestAPI asks a real server for every operation.
func TestAPI(t *testing.T) {
	s := startServer(t)
	for _, tt := range []struct {
		name string
		test func(*server, *testing.T)
	}{
		{"jobs", testJobs}, {"runs", testRuns}, {"changes", testChanges}, {"pages", testPages}, {"records", testRecords}, {"exports", testExports},
		{"insight", testInsight}, {"search", testSearch},
		{"files", testFiles}, {"settings", testSettings}, {"mistakes", testMistakes},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(s, t) })
	}
	for i := range routes {
		if !s.used[routes[i].id] {
			t.Errorf("%s was not asked for with success", routes[i].id)
		}
	}
}
