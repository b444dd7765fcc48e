package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

const (
	acceptEncoding = "gzip, br, zstd, deflate"

	// maxCodings is how many content-codings may lie on one another.
	maxCodings = 2

	// maxZstdWindow is what a zstd content-coding may ask a client to keep
	// (RFC 9659, section 3).
	maxZstdWindow = 8 << 20
)

// contentCodings reads Content-Encoding fields: the names of codings in the
// order in which they were applied (RFC 9110, section 8.4). unknown is the
// first name that is none of ours.
func contentCodings(fields []string) (codings []string, unknown string) {
	for _, field := range fields {
		for name := range strings.SplitSeq(field, ",") {
			name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "x-")
			switch {
			case name == "" || name == "identity":
			case decoders[name] != nil:
				codings = append(codings, name)
			case unknown == "":
				unknown = name
			}
		}
	}
	return codings, unknown
}

// decode undoes codings, the last first. What it says of them goes to out.
// The reader must not be used after release.
func decode(r io.Reader, codings []string, limit int64, out *Response) (decoded io.Reader, release func()) {
	var layers []*layer
	for i := len(codings) - 1; i >= 0; i-- {
		l := decoders[codings[i]].Get().(*layer)
		layers = append(layers, l)
		// A coded body can grow without end while nothing comes out of it.
		l.in.Reset(&capped{r: r, left: limit + codedRoom(limit)})
		r = l.start(codings[i], out)
	}
	return r, func() {
		for _, l := range layers {
			l.in.Reset(nil)
			l.pool.Put(l)
		}
	}
}

// codedRoom is how many bytes more than limit a coded body may have.
func codedRoom(limit int64) int64 { return limit/8 + 64<<10 }

// capped reads at most left bytes, then fails with errLimit.
type capped struct {
	r    io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errLimit
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// layer undoes one content-coding. It is pooled: decoders are costly to make
// and some keep megabytes.
type layer struct {
	in   *bufio.Reader
	pool *sync.Pool
	// reset makes the decoder start on in; it may read from it.
	reset func() (io.Reader, error)
	// plain tells by the first bytes that a body does not have the coding it
	// claims.
	plain func(head []byte) bool
}

// start returns the reader of the decoded bytes.
func (l *layer) start(coding string, out *Response) io.Reader {
	head, err := l.in.Peek(16)
	if len(head) == 0 {
		return failing{err} // no body, as with 304
	}
	if l.plain(head) {
		out.warn("not %s as it claims, the body is kept as sent", coding)
		return l.in
	}
	r, err := l.reset()
	if err != nil {
		return failing{fmt.Errorf("header: %w", err)}
	}
	return r
}

// failing is a reader of nothing but an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// decoders are the content-codings that are undone.
var decoders = map[string]*sync.Pool{
	"gzip": newPool(func(l *layer) {
		z := new(gzip.Reader)
		l.reset = func() (io.Reader, error) { return z, z.Reset(l.in) }
		l.plain = func(head []byte) bool { return !bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }
	}),
	"deflate": newPool(newDeflate),
	"br": newPool(func(l *layer) {
		z := brotli.NewReader(nil)
		l.reset = func() (io.Reader, error) { return z, z.Reset(l.in) }
		l.plain = isMarkup
	}),
	"zstd": newPool(func(l *layer) {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			panic(err) // the options are wrong
		}
		l.reset = func() (io.Reader, error) { return zstdReader{z}, z.Reset(l.in) }
		l.plain = func(head []byte) bool {
			return !bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) && // a frame
				!(len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18})) // one to skip
		}
	}),
}

// newDeflate undoes deflate, which is zlib's format (RFC 9110, section
// 8.4.1.2), but which some servers send without zlib's header.
func newDeflate(l *layer) {
	withHeader, bare := zlibReader{}, flate.NewReader(nil)
	l.reset = func() (io.Reader, error) {
		if head, _ := l.in.Peek(2); len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
			return withHeader.reset(l.in)
		}
		return bare, bare.(flate.Resetter).Reset(l.in, nil)
	}
	l.plain = isMarkup
}

// zlibReader makes its reader with the first body: a new one wants to read.
type zlibReader struct{ io.ReadCloser }

func (z *zlibReader) reset(r io.Reader) (_ io.Reader, err error) {
	if z.ReadCloser == nil {
		z.ReadCloser, err = zlib.NewReader(r)
		return z.ReadCloser, err
	}
	return z.ReadCloser, z.ReadCloser.(zlib.Resetter).Reset(r, nil)
}

// zstdReader brings what the decoder has of a frame whose checksum is wrong,
// which it says before it hands over the last block.
type zstdReader struct{ *zstd.Decoder }

func (z zstdReader) Read(p []byte) (int, error) {
	n, err := z.Decoder.Read(p)
	if n == 0 && errors.Is(err, zstd.ErrCRCMismatch) {
		return z.Decoder.Read(p)
	}
	return n, err
}

// isMarkup tells HTML and XML from codings that have no mark at their start.
func isMarkup(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	for _, start := range []string{"<!doctype", "<!--", "<html", "<head", "<?xml"} {
		if len(head) >= len(start) && bytes.EqualFold(head[:len(start)], []byte(start)) {
			return true
		}
	}
	return false
}

func newPool(fill func(*layer)) *sync.Pool {
	pool := &sync.Pool{}
	pool.New = func() any {
		l := &layer{in: bufio.NewReader(nil), pool: pool}
		fill(l)
		return l
	}
	return pool
}
