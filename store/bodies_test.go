package store

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

var bodySamples = map[string][]byte{
	"nothing":          nil,
	"a byte":           {0},
	"a page":           []byte(strings.Repeat("<li><a href=/catalogue/lantern>Lantern</a></li>\n", 200)),
	"noise":            noise(10_000),
	"zeros":            make([]byte, 3<<20),
	"a zstd frame":     pack(make([]byte, 1000)).data,
	"more than a word": noise(1<<16 + 1),
}

func TestPack(t *testing.T) {
	for name, src := range bodySamples {
		t.Run(name, func(t *testing.T) {
			b := pack(src)
			if b.size != len(src) || len(b.data) > len(src) || b.data == nil {
				t.Errorf("packed to %d bytes with size %d, from %d", len(b.data), b.size, len(src))
			}
			if got, err := unpack(b, zstdDecoder()); err != nil || !bytes.Equal(got, src) {
				t.Errorf("unpack: %d bytes, %v", len(got), err)
			}
		})
	}
	t.Run("a page becomes small", func(t *testing.T) {
		if src := bodySamples["a page"]; len(pack(src).data) > len(src)/10 {
			t.Errorf("%d bytes of %d", len(pack(src).data), len(src))
		}
	})
}

// What a damaged database holds is never taken for a body.
func FuzzUnpack(f *testing.F) {
	for _, src := range bodySamples {
		b := pack(src)
		f.Add(b.data, b.codec, b.size)
	}
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd}, codecZstd, -1)
	f.Add([]byte("x"), "lz77", 1)
	hash := pack([]byte("another body")).hash
	f.Fuzz(func(t *testing.T, data []byte, codec string, size int) {
		if got, err := unpack(body{hash: hash, size: size, codec: codec, data: data}, zstdDecoder()); err == nil && string(got) != "another body" {
			t.Errorf("unpack = %q", got)
		}
	})
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
