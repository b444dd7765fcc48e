package warc

import (
	"bytes"
	"io"
)

const (
	historySize = 64 << 10 // bytes that can be gone back
	sourceSize  = 4 * historySize
)

// source reads a file through a buffer that keeps what was read last, so that
// the search for the next record can begin before the place where something
// damaged was found out.
type source struct {
	file io.Reader
	buf  [sourceSize]byte
	r, w int   // buf[r:w] is to be read
	end  int64 // offset in the file of buf[w]
	err  error // of file, once all of buf is read
}

// offset is the place in the file of the next byte.
func (s *source) offset() int64 { return s.end - int64(s.w-s.r) }

// fill reads on. It returns false when there is no more.
func (s *source) fill() bool {
	if s.err != nil {
		return false
	}
	if s.w == len(s.buf) {
		from := max(0, s.r-historySize)
		copy(s.buf[:], s.buf[from:s.w])
		s.r, s.w = s.r-from, s.w-from
	}
	var n int
	for n == 0 && s.err == nil {
		n, s.err = s.file.Read(s.buf[s.w:])
	}
	s.w += n
	s.end += int64(n)
	return n > 0
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	if s.r == s.w && !s.fill() {
		return 0, s.err
	}
	n := copy(p, s.buf[s.r:s.w])
	s.r += n
	return n, nil
}

// ReadByte implements io.ByteReader: decoders that find it read no further than
// they have to.
func (s *source) ReadByte() (byte, error) {
	if s.r == s.w && !s.fill() {
		return 0, s.err
	}
	s.r++
	return s.buf[s.r-1], nil
}

// peek returns the next n bytes, fewer where the file ends. n is at most
// historySize.
func (s *source) peek(n int) []byte {
	for s.w-s.r < n && s.fill() {
	}
	return s.buf[s.r:min(s.r+n, s.w)]
}

// back goes back to an offset, or as far as there is anything kept.
func (s *source) back(offset int64) {
	s.r = max(0, s.r-int(min(max(0, s.offset()-offset), sourceSize)))
}

// find moves to the next mark. It returns the file's error where there is
// none: io.EOF at its end.
func (s *source) find(mark []byte) error {
	for {
		if i := bytes.Index(s.buf[s.r:s.w], mark); i >= 0 {
			s.r += i
			return nil
		}
		s.r = max(s.r, s.w-len(mark)+1)
		if !s.fill() {
			s.r = s.w
			return s.err
		}
	}
}
