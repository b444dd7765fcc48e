package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Bounds of a record's header.
const (
	maxLine   = 64 << 10
	maxFields = 1000
)

// DamagedError says that a part of a file could not be read as a record. The
// records behind it can be.
type DamagedError struct {
	Offset int64 // in the file
	Err    error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("damaged record at byte %d: %v", e.Offset, e.Err)
}

// Unwrap returns what is wrong.
func (e *DamagedError) Unwrap() error { return e.Err }

// Reader reads the records of a file one after the other, in constant memory.
type Reader struct {
	src     *source
	zip     *gzip.Reader  // nil: it is not compressed
	text    *bufio.Reader // records
	member  int64         // offset of the current member
	behind  bool          // a record of it was read
	block   io.LimitedReader
	started bool
	damaged bool  // the place of the next record is to be found
	from    int64 // behind this offset
}

// NewReader returns a Reader of a file, compressed or not.
func NewReader(r io.Reader) *Reader {
	return &Reader{src: &source{file: r}}
}

// offset is the place in the file, or in the records that are its members,
// that is read next.
func (r *Reader) offset() int64 {
	if r.zip != nil {
		return r.member
	}
	return r.src.offset() - int64(r.text.Buffered())
}

// Next returns the next record, io.EOF after the last one. A *DamagedError
// costs a record: Next can be called again. Any other error is the file's.
func (r *Reader) Next() (*Record, error) {
	if err := r.advance(); err != nil {
		return nil, err
	}
	at := r.offset()
	rec, err := r.header()
	if err != nil {
		if err == io.EOF {
			return nil, err
		}
		return nil, r.damage(at, err)
	}
	rec.Offset, rec.Direct = at, r.zip == nil || !r.behind
	r.behind = true
	r.block = io.LimitedReader{R: r.text, N: rec.length}
	rec.Block = &blockReader{r}
	return rec, nil
}

// damage makes the next call look for the next record.
func (r *Reader) damage(at int64, err error) error {
	r.damaged, r.block.N, r.from = true, 0, at+1
	return &DamagedError{at, err}
}

// blockReader reads the block of the current record.
type blockReader struct{ r *Reader }

func (b *blockReader) Read(p []byte) (int, error) {
	n, err := b.r.block.Read(p)
	if err == io.EOF && b.r.block.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// advance moves to the start of the next record.
func (r *Reader) advance() error {
	if !r.started {
		return r.start()
	}
	if !r.damaged && r.block.N > 0 {
		if _, err := io.Copy(io.Discard, &r.block); err != nil || r.block.N > 0 {
			if err == nil {
				err = fmt.Errorf("the block ends %d bytes early: %w", r.block.N, io.ErrUnexpectedEOF)
			}
			return r.damage(r.offset(), err)
		}
	}
	if r.damaged {
		r.damaged = false
		if err := r.resync(); err != nil {
			return err
		}
	}
	return r.skipBlank()
}

// start looks whether the file is compressed.
func (r *Reader) start() error {
	r.started = true
	if !bytes.HasPrefix(r.src.peek(len(gzipMagic)), gzipMagic) {
		r.text = bufio.NewReader(r.src)
		return r.skipBlank()
	}
	r.zip, r.text = new(gzip.Reader), bufio.NewReader(nil)
	if err := r.nextMember(); err != nil {
		return err
	}
	return r.skipBlank()
}

// skipBlank skips the lines between records, and moves on to the next member
// where one ends.
func (r *Reader) skipBlank() error {
	for {
		c, err := r.text.ReadByte()
		switch {
		case err == io.EOF && r.zip != nil:
			if err := r.nextMember(); err != nil {
				return err
			}
		case err == io.EOF:
			return io.EOF
		case err != nil:
			if r.zip != nil {
				return r.damage(r.member, fmt.Errorf("gzip: %w", err))
			}
			return err
		case c != '\r' && c != '\n':
			return r.text.UnreadByte()
		}
	}
}

// nextMember goes on to the next gzip member.
func (r *Reader) nextMember() error {
	r.member, r.behind = r.src.offset(), false
	head := r.src.peek(len(gzipMagic))
	if len(head) == 0 {
		return r.src.err // io.EOF: that was the last
	}
	err := errors.New("no gzip member")
	if bytes.Equal(head, gzipMagic) {
		err = r.zip.Reset(r.src)
	}
	if err != nil {
		return r.damage(r.member, fmt.Errorf("gzip: %w", err))
	}
	r.zip.Multistream(false)
	r.text.Reset(r.zip)
	return nil
}

// gzipMagic begins a member: the mark, and the one method that there is.
var gzipMagic = []byte{0x1f, 0x8b, 8}

// plainMagic begins a record behind another, also in files whose lines end
// without CR.
var plainMagic = []byte("\nWARC/")

// resync finds the next record behind something damaged.
func (r *Reader) resync() error {
	r.src.back(r.from)
	if r.zip == nil {
		if err := r.src.find(plainMagic); err != nil {
			return err
		}
		r.text.Reset(r.src)
		return nil
	}
	for {
		if err := r.src.find(gzipMagic); err != nil {
			return err
		}
		r.member, r.behind = r.src.offset(), false
		if r.zip.Reset(r.src) == nil {
			r.zip.Multistream(false)
			r.text.Reset(r.zip)
			if head, _ := r.text.Peek(len("WARC/")); string(head) == "WARC/" {
				return nil
			}
		}
		// Not a member after all: the bytes that looked like one are read.
	}
}

// header reads the version and the fields of a record.
func (r *Reader) header() (*Record, error) {
	version, err := r.line()
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(version, "WARC/") {
		return nil, fmt.Errorf("%.20q is no WARC version", version)
	}
	rec := &Record{Version: version}
	for {
		line, err := r.line()
		switch {
		case err != nil:
			return nil, unexpected(err)
		case line == "":
			length := rec.Header.Get("Content-Length")
			rec.length, err = strconv.ParseInt(length, 10, 64)
			if err != nil || rec.length < 0 {
				return nil, fmt.Errorf("Content-Length %.40q is no length", length)
			}
			return rec, nil
		case len(rec.Header) >= maxFields:
			return nil, fmt.Errorf("more than %d fields", maxFields)
		case (line[0] == ' ' || line[0] == '\t') && len(rec.Header) > 0: // goes on with the last one
			last := &rec.Header[len(rec.Header)-1]
			if len(last.Value)+len(line) > maxLine {
				return nil, fmt.Errorf("field %.40q is longer than %d bytes", last.Name, maxLine)
			}
			last.Value += " " + strings.TrimSpace(line)
		default:
			name, value, ok := strings.Cut(line, ":")
			if !ok {
				return nil, fmt.Errorf("%.40q is no field", line)
			}
			rec.Header = append(rec.Header, Field{strings.TrimSpace(name), strings.TrimSpace(value)})
		}
	}
}

// line reads a line without its end.
func (r *Reader) line() (string, error) {
	var line []byte
	for {
		part, err := r.text.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return "", fmt.Errorf("a line is longer than %d bytes", maxLine)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			if err == io.EOF && len(line) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
		return strings.TrimRight(string(line), "\r\n"), nil
	}
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
