package dataset

import (
	"github.com/klauspost/compress/zstd"
	pages "github.com/parquet-go/parquet-go/compress/zstd"
)

// pageSize is about how long the pages of a column are before compression.
const pageSize = 256 << 10

// pageCodec compresses pages. The library's own encoder keeps a history of
// many megabytes, which pages are too short to make use of.
type pageCodec struct {
	pages.Codec
	encoder *zstd.Encoder
}

func newPageCodec() *pageCodec {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(pageSize), zstd.WithLowerEncoderMem(true),
		zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return &pageCodec{encoder: e}
}

// Encode implements compress.Codec.
func (c *pageCodec) Encode(dst, src []byte) ([]byte, error) {
	return c.encoder.EncodeAll(src, dst[:0]), nil
}
