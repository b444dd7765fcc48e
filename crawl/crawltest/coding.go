package crawltest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// encoders apply a content-coding. "raw-deflate" is what some servers send as
// deflate, without the zlib header.
var encoders = map[string]func(w io.Writer) (io.WriteCloser, error){
	"gzip":        func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	"x-gzip":      func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	"deflate":     func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil },
	"raw-deflate": func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.DefaultCompression) },
	"br":          func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, 4), nil },
	"zstd":        func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
}

// Encode applies content-codings in their order: gzip, deflate, raw-deflate,
// br or zstd. It panics on others.
func Encode(body io.Reader, codings ...string) []byte {
	var out bytes.Buffer
	for _, coding := range codings {
		out = bytes.Buffer{}
		encode := encoders[coding]
		if encode == nil {
			panic(fmt.Sprintf("crawltest: unknown content-coding %q", coding))
		}
		w, err := encode(&out)
		if err != nil {
			panic(err)
		}
		if _, err := io.Copy(w, body); err != nil {
			panic(err)
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
		body = bytes.NewReader(out.Bytes())
	}
	return out.Bytes()
}

// Coded answers with a body that has these bytes and claims to be HTML with
// the Content-Encoding given.
func Coded(contentEncoding string, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", contentEncoding)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	})
}

// Bomb answers with size zero bytes in content-codings that make them few.
func Bomb(size int64, codings ...string) http.Handler {
	return Coded(strings.Join(codings, ", "), Encode(io.LimitReader(zeros{}, size), codings...))
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TruncatedGzip answers with the first half of the page's gzip.
func TruncatedGzip(page string) http.Handler {
	b := Encode(strings.NewReader(page), "gzip")
	return Coded("gzip", b[:len(b)/2])
}

// WrongCRC answers with gzip whose checksum is wrong.
func WrongCRC(page string) http.Handler {
	b := Encode(strings.NewReader(page), "gzip")
	b[len(b)-8] ^= 0xff
	return Coded("gzip", b)
}

// PlainGzip says that the page is gzip, but it is not.
func PlainGzip(page string) http.Handler { return Coded("gzip", []byte(page)) }
