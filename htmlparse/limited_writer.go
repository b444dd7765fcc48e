package htmlparse

import (
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrMaxBytes is wrapped by the error of a write that was ended by
// RenderOptions.MaxBytes. What was written by then is the beginning of the
// whole.
var ErrMaxBytes = errors.New("output limit reached")

// writeBuffer is the size of a limitedWriter's buffer. What is larger goes
// past it.
const writeBuffer = 16 << 10

var writeBuffers = sync.Pool{New: func() any { return new([writeBuffer]byte) }}

// limitedWriter buffers output, ends it at a limit and keeps the first error.
type limitedWriter struct {
	w      io.Writer
	buffer *[writeBuffer]byte
	buf    []byte // the part of buffer that is filled; its capacity ends at the limit, so that there is one thing to check
	left   int64  // bytes that may go to w yet
	err    error
}

func newLimitedWriter(w io.Writer, limit int64) *limitedWriter {
	if limit <= 0 {
		limit = 1<<63 - 1
	}
	l := &limitedWriter{w: w, buffer: writeBuffers.Get().(*[writeBuffer]byte), left: limit}
	l.empty()
	return l
}

func (l *limitedWriter) empty() {
	l.buf = l.buffer[:0:min(writeBuffer, l.left)]
}

// tag writes an opening, a tag's name and a closing byte, where there is one.
func (l *limitedWriter) tag(opening, name, closing string) {
	if len(opening)+len(name)+len(closing) > cap(l.buf)-len(l.buf) {
		l.write(opening, name, closing)
		return
	}
	l.buf = append(append(append(l.buf, opening...), name...), closing...)
}

// attribute writes an attribute, its value escaped.
func (l *limitedWriter) attribute(key, value string) {
	if len(key)+len(value)+len(` =""`) > cap(l.buf)-len(l.buf) {
		l.write(" ", key, `="`)
		l.escape(&attributeEscapes, value)
		l.write(`"`)
		return
	}
	b := append(l.buf, ' ')
	b = append(b, key...)
	b = append(b, '=', '"')
	n := attributeEscapes.copyPlain(b[len(b):cap(b)], value)
	l.buf = b[:len(b)+n]
	if n < len(value) {
		l.escapeFrom(&attributeEscapes, value, n)
	}
	l.writeByte('"')
}

// write writes strings, each of them whole or not at all.
func (l *limitedWriter) write(strs ...string) {
	for _, s := range strs {
		l.writeString(s)
	}
}

// writeString is write for one string.
func (l *limitedWriter) writeString(s string) {
	if len(s) <= cap(l.buf)-len(l.buf) {
		l.buf = append(l.buf, s...)
		return
	}
	l.overflow(s)
}

// writeByte is write for one byte.
func (l *limitedWriter) writeByte(c byte) {
	if len(l.buf) < cap(l.buf) {
		l.buf = append(l.buf, c)
		return
	}
	l.overflow(string(c))
}

// overflow writes a string that there is no room for in the buffer.
func (l *limitedWriter) overflow(s string) {
	if l.err != nil {
		return
	}
	if int64(len(l.buf)+len(s)) > l.left {
		l.err = ErrMaxBytes
		l.buf = l.buf[:len(l.buf):len(l.buf)] // nothing shorter may follow
		return
	}
	l.flush()
	switch {
	case l.err != nil:
	case len(s) >= writeBuffer:
		_, l.err = io.WriteString(l.w, s)
		l.left -= int64(len(s))
		l.empty()
	default:
		l.buf = append(l.buf, s...)
	}
}

// flush writes out the buffer.
func (l *limitedWriter) flush() {
	if _, err := l.w.Write(l.buf); err != nil {
		l.err = err
		l.left = int64(len(l.buf)) // no room for anything
	}
	l.left -= int64(len(l.buf))
	l.empty()
}

// escape writes s with the escapes of e.
func (l *limitedWriter) escape(e *escapes, s string) {
	n := 0
	if len(s) <= cap(l.buf)-len(l.buf) {
		n = e.copyPlain(l.buf[len(l.buf):cap(l.buf)], s)
		l.buf = l.buf[:len(l.buf)+n]
	}
	if n < len(s) {
		l.escapeFrom(e, s, n)
	}
}

// escapeFrom is escape for what of s is behind its first i bytes.
func (l *limitedWriter) escapeFrom(e *escapes, s string, i int) {
	begun := i // what stands before begun is written
	for i = e.class.until(s, i); i < len(s); i = e.class.until(s, i) {
		escape, width := escapeAt(s, i)
		if len(escape) > 1 {
			l.writeString(s[begun:i])
			l.writeString(escape)
			begun = i + width
		}
		i += width
	}
	l.writeString(s[begun:])
}

// replace writes s with the replacements of r.
func (l *limitedWriter) replace(r *strings.Replacer, s string) {
	// A part at a time, so that a limit needs no memory for what exceeds it.
	const part = 4096
	for len(s) > part {
		if l.err != nil {
			return
		}
		end := part
		for end > part-4 && !utf8.RuneStart(s[end]) {
			end--
		}
		l.write(r.Replace(s[:end]))
		s = s[end:]
	}
	l.write(r.Replace(s))
}

// close writes what is buffered. It returns the first error of all. Nothing
// may be written any more.
func (l *limitedWriter) close() error {
	if len(l.buf) > 0 && (l.err == nil || l.err == ErrMaxBytes) {
		if _, err := l.w.Write(l.buf); err != nil && l.err == nil {
			l.err = err
		}
	}
	writeBuffers.Put(l.buffer)
	l.buffer, l.buf = nil, nil
	return l.err
}
