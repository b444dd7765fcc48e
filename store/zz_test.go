package store

import (
	"github.com/klauspost/compress/zstd"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	fs, _ := filepath.Glob("/work/shared/corpus/pages/*/source.html")
	var tr, te, all [][]byte
	for i, f := range fs {
		b, _ := os.ReadFile(f)
		all = append(all, b)
		if i%4 != 0 {
			tr = append(tr, b)
		} else {
			te = append(te, b)
		}
	}
	size := func(pages [][]byte, d []byte) (float64, int, time.Duration) {
		o := []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedBestCompression)}
		if d != nil {
			o = append(o, zstd.WithEncoderDict(d))
		}
		e := newEncoder(o...)
		n, r := 0, 0
		t0 := time.Now()
		for _, p := range pages {
			n += len(e.EncodeAll(p, nil))
			r += len(p)
		}
		return float64(r) / float64(n), n, time.Since(t0)
	}
	r0, _, _ := size(te, nil)
	ra, na, ta := size(all, nil)
	t.Logf("no dict: heldout %.2f all %.2f (%d) %v", r0, ra, na, ta)
	for _, sz := range []int{32 << 10, 112 << 10, 256 << 10, 1 << 20, 2 << 20, 4 << 20} {
		t0 := time.Now()
		d := buildDictionary(tr, sz)
		td := time.Since(t0)
		r, _, _ := size(te, d)
		d = buildDictionary(all, sz)
		_, pd := packDictionary(d)
		r2, n2, t2 := size(all, d)
		t.Logf("%d: dict %d packed %d in %v heldout %.2f all %.2f %v; with dict counted %.2f", sz, len(d), len(pd), td, r, r2, t2, 25719900/float64(n2+len(pd)))
	}
}
