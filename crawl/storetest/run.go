package storetest

import (
	"context"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// begin begins a run that is closed when the test ends.
func begin(t *testing.T, s crawl.Store, j crawl.Job) crawl.Run {
	t.Helper()
	r, err := s.Begin(t.Context(), j)
	if err != nil {
		t.Fatalf("Begin: %v", err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// again closes a run as it is and begins anew.
func again(t *testing.T, s crawl.Store, r crawl.Run, j crawl.Job) crawl.Run {
	t.Helper()
	if err := r.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	return begin(t, s, j)
}

// next finishes a run and begins the next one.
func next(t *testing.T, s crawl.Store, r crawl.Run, j crawl.Job) crawl.Run {
	t.Helper()
	finish(t, r, "")
	return again(t, s, r, j)
}

// finish finishes a run. reason is the limit that ended it; "": none did.
func finish(t *testing.T, r crawl.Run, reason string) {
	t.Helper()
	if err := r.Finish(t.Context(), reason); err != nil {
		t.Fatalf("Finish: %v", err)
	}
}

// commit commits visits, of which each must be stored.
func commit(t *testing.T, r crawl.Run, visits ...*crawl.Visit) []crawl.Committed {
	t.Helper()
	out, err := r.Commit(t.Context(), visits)
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
	if len(out) != len(visits) {
		t.Fatalf("Commit returned %d results for %d visits", len(out), len(visits))
	}
	for i, c := range out {
		if !c.Stored || c.Err != nil {
			t.Fatalf("visit %d of %s: Stored = %v, Err = %v", i, visits[i].Request.URL, c.Stored, c.Err)
		}
	}
	return out
}

// refused commits a visit, which must change nothing.
func refused(t *testing.T, r crawl.Run, v *crawl.Visit) {
	t.Helper()
	out, err := r.Commit(t.Context(), []*crawl.Visit{v})
	if err != nil || out[0].Stored || len(out[0].Added) > 0 {
		t.Errorf("Commit: %+v, %v", out, err)
	}
}

// canceled is a context that has ended.
func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
