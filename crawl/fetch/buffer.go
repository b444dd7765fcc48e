package fetch

import (
	"bytes"
	"errors"
	"io"
)

// errLimit ends the reading of a body that is larger than its limit.
var errLimit = errors.New("larger than the limit")

const (
	minBuffer  = 64 << 10
	keepBuffer = LargeBody
)

// buffer reads bodies. It is used again for small ones, which are most.
type buffer struct{ b []byte }

// read reads r to its end. It returns at most limit bytes, with errLimit if
// there are more, or with the error of r. Before it keeps more than LargeBody
// bytes it calls large, whose error ends it; large may be nil.
func (b *buffer) read(r io.Reader, limit int64, large func() error) ([]byte, error) {
	if b.b == nil {
		b.b = make([]byte, min(minBuffer, limit+1))
	}
	n := 0
	var err error
	for err == nil {
		if n == len(b.b) {
			if int64(n) > limit {
				n, err = int(limit), errLimit
				break
			}
			if n >= LargeBody && large != nil {
				if err = large(); err != nil {
					n = 0
					break
				}
				large = nil
			}
			// Few steps: the sum of those left for the garbage collector
			// stays well below the last.
			larger := make([]byte, min(int64(n)*4, limit+1))
			copy(larger, b.b)
			b.b = larger
		}
		var m int
		m, err = r.Read(b.b[n:])
		n += m
	}
	if int64(n) > limit {
		n, err = int(limit), errLimit
	}
	if err == io.EOF {
		err = nil
	}
	if len(b.b) <= keepBuffer {
		return bytes.Clone(b.b[:n]), err
	}
	body := b.b[:n:n]
	if n < len(b.b)/2 {
		body = bytes.Clone(body)
	}
	b.b = nil
	return body, err
}
