package store

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
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

// A body that is not compared with its hash is still compared with something.
func TestUnpackFast(t *testing.T) {
	src := bodySamples["a page"]
	older, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false)) // as before frames had checksums
	if err != nil {
		t.Fatal(err)
	}
	whole, unchecked, raw := pack(src), pack(src), pack(bodySamples["noise"])
	unchecked.data = older.EncodeAll(src, nil)
	shorter := whole
	shorter.size--
	other, otherUnchecked, otherRaw := whole, unchecked, raw
	other.data = whole.data[:len(whole.data)-4] // without its checksum
	otherUnchecked.hash, otherRaw.hash = raw.hash, whole.hash
	for _, c := range []struct {
		name string
		body body
		want []byte // nil: ErrDamaged
	}{
		{"whole", whole, src},
		{"without a checksum", unchecked, src},
		{"as it is", raw, bodySamples["noise"]},
		{"another size", shorter, nil},
		{"cut", other, nil},
		{"another body, without a checksum", otherUnchecked, nil},
		{"another body, as it is", otherRaw, nil},
		{"nothing", body{codec: codecZstd, size: 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := unpackFast(c.body, zstdDecoder(), nil)
			if c.want == nil != errors.Is(err, ErrDamaged) || !bytes.Equal(got, c.want) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	t.Run("each bit turned", func(t *testing.T) {
		buf := make([]byte, 0, 2*len(src))
		for bit := range 8 * len(whole.data) {
			b := whole
			b.data = bytes.Clone(whole.data)
			b.data[bit/8] ^= 1 << (bit % 8)
			if got, err := unpackFast(b, zstdDecoder(), buf); err == nil && !bytes.Equal(got, src) || err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("bit %d: another body, or %v", bit, err)
			}
		}
	})
	t.Run("in memory that is used again", func(t *testing.T) {
		buf := make([]byte, 0, len(src)+zstdMargin)
		got, err := unpackFast(whole, zstdDecoder(), buf)
		if err != nil || !bytes.Equal(got, src) || &got[0] != &buf[:1][0] {
			t.Errorf("%d bytes elsewhere, %v", len(got), err)
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
