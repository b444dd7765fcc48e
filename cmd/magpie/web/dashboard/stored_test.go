package dashboard

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/why"
	"github.com/magpie-crawl/magpie/store"
)

// Trees of pages fill the memory: as long as there is one, others wait, for
// whatever view it is.
func TestFewTreesAtATime(t *testing.T) {
	d := newDashboard(Options{DB: openStore(t)})
	for range cap(rereading) {
		done, err := rereadTurn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer done()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	p := &pagePage{}
	p.Why = &why.Page{Page: &store.Page{URL: "http://a.test/", Response: &store.Response{ContentType: "text/html"}}}
	if err := d.readBody(ctx, p); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the page: %v", err)
	}
}
