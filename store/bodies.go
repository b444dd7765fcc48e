package store

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// How a body is held: bodies.codec.
const (
	codecZstd = "zstd"
	codecNone = "none" // as it is: compressing would not make it smaller
)

// maxBody bounds what a damaged database can make unpack ask for. A crawl's
// own limit is far below it.
const maxBody = 1 << 30

// zstdMargin is what the decoder wants to have room for behind a body, to write
// it faster.
const zstdMargin = 64

// body is a response body as it is stored.
type body struct {
	hash  [sha256.Size]byte // of the body itself
	size  int               // of the body itself
	codec string
	data  []byte
}

var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	// The body's own hash makes zstd's checksum superfluous.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return e
})

var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxBody))
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return d
})

func pack(src []byte) body {
	b := body{hash: sha256.Sum256(src), size: len(src), codec: codecZstd}
	b.data = zstdEncoder().EncodeAll(src, make([]byte, 0, len(src)/3+64))
	if len(b.data) >= len(src) {
		b.codec, b.data = codecNone, append([]byte{}, src...) // not nil, which would be NULL
	}
	return b
}

// unpack returns the body that b holds. What does not have b's hash is an
// error, never a body.
func unpack(b body) ([]byte, error) {
	src := b.data
	switch b.codec {
	case codecNone:
	case codecZstd:
		var err error
		if src, err = zstdDecoder().DecodeAll(b.data, make([]byte, 0, min(max(b.size, 0), 32<<20)+zstdMargin)); err != nil {
			return nil, fmt.Errorf("%w: body: %w", ErrDamaged, err)
		}
	default:
		return nil, fmt.Errorf("body is held as %q, which this version does not know", b.codec)
	}
	if sha256.Sum256(src) != b.hash {
		return nil, fmt.Errorf("%w: body does not have its hash", ErrDamaged)
	}
	return src, nil
}

// putBody stores a body unless its content is there, and returns its id.
func (c *commit) putBody(b *body) (int64, error) {
	var id int64
	found, err := c.tx.row(`SELECT id FROM bodies WHERE hash = ?`, []any{b.hash[:]}, &id)
	if err != nil || found {
		return id, err
	}
	return c.tx.insert(`INSERT INTO bodies (hash, size, codec, data) VALUES (?, ?, ?, ?)`,
		b.hash[:], b.size, b.codec, b.data)
}
