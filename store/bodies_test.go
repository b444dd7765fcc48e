package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/store/internal/body"
)

var bodySamples = map[string][]byte{
	"nothing":          nil,
	"a byte":           {0},
	"a page":           []byte(strings.Repeat("<li><a href=/catalogue/lantern>Lantern</a></li>\n", 200)),
	"noise":            noise(10_000),
	"zeros":            make([]byte, 3<<20),
	"a zstd frame":     body.Pack(make([]byte, 1000)).Data,
	"more than a word": noise(1<<16 + 1),
}

func TestDamagedBody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	crawlSite(t, beginTest(t, db), 10, nil)
	page, err := db.Page(t.Context(), testJob.Name, siteURL(1), 0)
	if err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, `UPDATE bodies SET data = X'3C7469746C653E39393C2F7469746C653E'`)
	if b, err := db.Body(t.Context(), page.Response); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
		t.Errorf("Body = %q, %v, want ErrDamaged", b, err)
	}
}
