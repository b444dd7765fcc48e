package crawl_test

import (
	"path/filepath"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// What a crawl tells of is in the database already, for everybody to see.
// (That it is on disk then is store's: synchronous=FULL.)
func TestToldIsStored(t *testing.T) {
	s := chain(t, 31)
	path := filepath.Join(t.TempDir(), "test.db")
	db := openStoreAt(t, path)
	var reader *store.DB
	told := 0
	run(t, db, quick(t, s, func(o *crawl.Options) {
		o.OnVisit = func(v *crawl.Visit) {
			if reader == nil {
				var err error
				if reader, err = store.OpenReadOnly(path, store.Options{}); err != nil {
					t.Error(err)
					return
				}
				t.Cleanup(func() { reader.Close() })
			}
			p, err := reader.Page(t.Context(), "test", v.Request.URL, 0)
			if err != nil || p.State != v.State || p.Response == nil {
				t.Errorf("%s is told and not stored: %+v, %v", v.Request.URL, p, err)
			}
			told++
		}
	}))
	if told != 31 {
		t.Errorf("%d visits were told of, want 31", told)
	}
}
