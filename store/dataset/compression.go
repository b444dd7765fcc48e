package dataset

import (
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Compression is the ending of a compressed file's name.
type Compression string

// Compressions of JSONL and CSV.
const (
	Plain Compression = ""
	Gzip  Compression = ".gz"
	Zstd  Compression = ".zst"
)

// CompressionOf tells by a file's name how it is compressed.
func CompressionOf(path string) Compression {
	_, c := cutCompression(path)
	return c
}

func cutCompression(path string) (base string, c Compression) {
	for _, c := range []Compression{Gzip, Zstd} {
		if n := len(path) - len(c); n > 0 && strings.EqualFold(path[n:], string(c)) {
			return path[:n], Compression(path[n:])
		}
	}
	return path, Plain
}

// Check says why a format cannot be compressed so.
func (c Compression) Check(f Format) error {
	switch {
	case c == Plain, f == JSONL, f == CSV, f == WARC && strings.EqualFold(string(c), string(Gzip)):
		return nil
	case f == Parquet:
		return fmt.Errorf("parquet is compressed within: leave %s out of the file's name", c)
	default:
		return fmt.Errorf("%s cannot be compressed as %s: leave that out of the file's name", f, c)
	}
}

// Writer returns a writer that compresses to w. Close ends the compressed
// data and leaves w open.
func (c Compression) Writer(w io.Writer) (io.WriteCloser, error) {
	switch strings.ToLower(string(c)) {
	case string(Gzip):
		return gzip.NewWriter(w), nil
	case string(Zstd):
		// One encoder at a time: memory stays at a few megabytes.
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	default:
		return plainWriter{w}, nil
	}
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }
