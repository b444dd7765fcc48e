package body

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

var samples = map[string][]byte{
	"nothing":          nil,
	"a byte":           {0},
	"a page":           []byte(strings.Repeat("<li><a href=/catalogue/lantern>Lantern</a></li>\n", 200)),
	"noise":            noise(10_000),
	"zeros":            make([]byte, 3<<20),
	"a zstd frame":     Pack(make([]byte, 1000)).Data,
	"more than a word": noise(1<<16 + 1),
}

func TestPack(t *testing.T) {
	for name, src := range samples {
		t.Run(name, func(t *testing.T) {
			b := Pack(src)
			if b.Size != len(src) || len(b.Data) > len(src) || b.Data == nil {
				t.Errorf("packed to %d bytes with size %d, from %d", len(b.Data), b.Size, len(src))
			}
			if got, err := Unpack(b, Decoder()); err != nil || !bytes.Equal(got, src) {
				t.Errorf("unpack: %d bytes, %v", len(got), err)
			}
		})
	}
	t.Run("a page becomes small", func(t *testing.T) {
		if src := samples["a page"]; len(Pack(src).Data) > len(src)/10 {
			t.Errorf("%d bytes of %d", len(Pack(src).Data), len(src))
		}
	})
}

// What a damaged database holds is never taken for a body.
func FuzzUnpack(f *testing.F) {
	for _, src := range samples {
		b := Pack(src)
		f.Add(b.Data, b.Codec, b.Size)
	}
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd}, Zstd, -1)
	f.Add([]byte("x"), "lz77", 1)
	hash := Pack([]byte("another body")).Hash
	f.Fuzz(func(t *testing.T, data []byte, codec string, size int) {
		if got, err := Unpack(Body{Hash: hash, Size: size, Codec: codec, Data: data}, Decoder()); err == nil && string(got) != "another body" {
			t.Errorf("unpack = %q", got)
		}
	})
}

// A body that is not compared with its hash is still compared with something.
func TestUnpackFast(t *testing.T) {
	src := samples["a page"]
	older, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false)) // as before frames had checksums
	if err != nil {
		t.Fatal(err)
	}
	whole, unchecked, raw := Pack(src), Pack(src), Pack(samples["noise"])
	unchecked.Data = older.EncodeAll(src, nil)
	shorter := whole
	shorter.Size--
	other, otherUnchecked, otherRaw := whole, unchecked, raw
	other.Data = whole.Data[:len(whole.Data)-4] // without its checksum
	otherUnchecked.Hash, otherRaw.Hash = raw.Hash, whole.Hash
	for _, c := range []struct {
		name string
		body Body
		want []byte // nil: ErrDamaged
	}{
		{"whole", whole, src},
		{"without a checksum", unchecked, src},
		{"as it is", raw, samples["noise"]},
		{"another size", shorter, nil},
		{"cut", other, nil},
		{"another body, without a checksum", otherUnchecked, nil},
		{"another body, as it is", otherRaw, nil},
		{"nothing", Body{Codec: Zstd, Size: 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := UnpackFast(c.body, Decoder(), nil)
			if c.want == nil != errors.Is(err, ErrDamaged) || !bytes.Equal(got, c.want) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	t.Run("each bit turned", func(t *testing.T) {
		buf := make([]byte, 0, 2*len(src))
		for bit := range 8 * len(whole.Data) {
			b := whole
			b.Data = bytes.Clone(whole.Data)
			b.Data[bit/8] ^= 1 << (bit % 8)
			if got, err := UnpackFast(b, Decoder(), buf); err == nil && !bytes.Equal(got, src) || err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("bit %d: another body, or %v", bit, err)
			}
		}
	})
	t.Run("in memory that is used again", func(t *testing.T) {
		buf := make([]byte, 0, len(src)+margin)
		got, err := UnpackFast(whole, Decoder(), buf)
		if err != nil || !bytes.Equal(got, src) || &got[0] != &buf[:1][0] {
			t.Errorf("%d bytes elsewhere, %v", len(got), err)
		}
	})
}

// noise is what does not compress.
func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return b
}
