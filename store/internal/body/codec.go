package body

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// How a body is held: Body.Codec.
const (
	None           = "none"      // as it is: compressing would not make it smaller
	Zstd           = "zstd"      // in a hurry, by a crawl
	Best           = "zstd-best" // as small as can be, by gc
	WithDictionary = "zstd-dict" // so with a dictionary
	Dropped        = "dropped"   // not at all any more; hash and size are left
)

// ErrDamaged says that what is stored is not what was: every body and
// dictionary can be compared with something, and is.
var ErrDamaged = errors.New("the database is damaged")

// ErrNotKept says that a body was not kept, or not for as long: crawl.Keep.
var ErrNotKept = errors.New("the body was not kept, by keep of the job")

// maxSize bounds what a damaged database can make Unpack ask for. A crawl's
// own limit is far below it.
const maxSize = 1 << 30

// margin is what the decoder wants to have room for behind a body, to write
// it faster.
const margin = 64

// Body is a response body as it is stored.
type Body struct {
	Hash   [sha256.Size]byte // of the body itself
	Size   int               // of the body itself
	Codec  string
	Data   []byte
	Dict   int64  // id of the dictionary; 0: none
	Source []byte // the body itself where it is believed to be stored and data is not made
}

func newEncoder(options ...zstd.EOption) *zstd.Encoder {
	// With zstd's own checksum a body can be trusted for a tenth of what
	// comparing its hash costs; see UnpackFast.
	e, err := zstd.NewWriter(nil, append(options, zstd.WithEncoderCRC(true))...)
	if err != nil {
		panic(err) // only for options that do not exist, and dictionaries that were not built
	}
	return e
}

// A crawl has no time to lose: the fastest level takes a tenth of the best
// one's time, for bodies a sixth larger. gc makes up for it.
var fastEncoder = sync.OnceValue(func() *zstd.Encoder { return newEncoder(zstd.WithEncoderLevel(zstd.SpeedFastest)) })

// BestEncoder makes bodies as small as can be without a dictionary.
var BestEncoder = sync.OnceValue(func() *zstd.Encoder { return newEncoder(zstd.WithEncoderLevel(zstd.SpeedBestCompression)) })

func newDecoder(options ...zstd.DOption) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, append(options, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxSize))...)
}

// Decoder reads what was packed without a dictionary.
var Decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := newDecoder()
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return d
})

// Pack compresses a body in a hurry.
func Pack(src []byte) Body {
	return PackWith(fastEncoder(), Zstd, src)
}

// PackWith compresses a body, with an encoder for codec, unless that would
// not make it smaller.
func PackWith(e *zstd.Encoder, codec string, src []byte) Body {
	b := Body{Hash: sha256.Sum256(src), Size: len(src), Codec: codec}
	b.Data = e.EncodeAll(src, make([]byte, 0, len(src)/3+64))
	if len(b.Data) >= len(src) {
		b.Codec, b.Data = None, append([]byte{}, src...) // not nil, which would be NULL
	}
	return b
}

// Drop returns a body of which only hash and size are kept.
func Drop(src []byte) Body {
	return Body{Hash: sha256.Sum256(src), Size: len(src), Codec: Dropped, Data: []byte{}}
}

// Unpack returns the body that b holds; d is the decoder for its dictionary.
// What does not have b's hash is an error, never a body.
func Unpack(b Body, d *zstd.Decoder) ([]byte, error) {
	src, err := decode(b, d, nil)
	if err == nil {
		err = checkHash(b, src)
	}
	if err != nil {
		return nil, err
	}
	return src, nil
}

// UnpackFast is Unpack for who reads very many bodies: where zstd's own
// checksum, which the decoder has compared, and the size vouch for a body, its
// hash is not compared as well. Damage shows all the same; that a whole body
// has got into another one's place does not. The body is made in buf where it
// fits.
func UnpackFast(b Body, d *zstd.Decoder, buf []byte) ([]byte, error) {
	src, err := decode(b, d, buf)
	switch {
	case err != nil:
	case b.Codec == None || !hasChecksum(b.Data):
		err = checkHash(b, src)
	case len(src) != b.Size:
		err = fmt.Errorf("%w: body has %d bytes, and is said to have %d", ErrDamaged, len(src), b.Size)
	}
	if err != nil {
		return nil, err
	}
	return src, nil
}

func checkHash(b Body, src []byte) error {
	if sha256.Sum256(src) != b.Hash {
		return fmt.Errorf("%w: body does not have its hash", ErrDamaged)
	}
	return nil
}

// hasChecksum reports whether a zstd frame ends with a checksum of its content.
// https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1
func hasChecksum(frame []byte) bool {
	var h zstd.Header
	return h.Decode(frame) == nil && h.HasCheckSum
}

// decode returns what b holds, whether it is the body or not, in buf where it
// fits.
func decode(b Body, d *zstd.Decoder, buf []byte) ([]byte, error) {
	switch b.Codec {
	case None:
		return b.Data, nil
	case Zstd, Best, WithDictionary:
		if room := min(max(b.Size, 0), 32<<20) + margin; cap(buf) < room {
			buf = make([]byte, 0, room)
		}
		src, err := d.DecodeAll(b.Data, buf[:0])
		if err != nil {
			return nil, fmt.Errorf("%w: body: %w", ErrDamaged, err)
		}
		return src, nil
	case Dropped:
		return nil, ErrNotKept
	}
	return nil, fmt.Errorf("body is held as %q, which this version does not know", b.Codec)
}
