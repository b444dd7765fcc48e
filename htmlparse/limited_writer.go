package htmlparse

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// ErrMaxBytes is wrapped by the error of a write that was ended by
// RenderOptions.MaxBytes. What was written by then is the beginning of the
// whole.
var ErrMaxBytes = errors.New("output limit reached")

// limitedWriter buffers output, ends it at a limit and keeps the first error.
type limitedWriter struct {
	w    *bufio.Writer
	left int64 // bytes that may be written yet; below 0: no limit
	err  error
}

func newLimitedWriter(w io.Writer, limit int64) *limitedWriter {
	if limit <= 0 {
		limit = -1
	}
	return &limitedWriter{w: bufio.NewWriter(w), left: limit}
}

// write writes strings, each of them whole or not at all.
func (l *limitedWriter) write(strs ...string) {
	for _, s := range strs {
		if l.err != nil {
			return
		}
		if l.left >= 0 {
			if int64(len(s)) > l.left {
				l.err = ErrMaxBytes
				return
			}
			l.left -= int64(len(s))
		}
		_, l.err = l.w.WriteString(s)
	}
}

// escape writes s with the escapes of e.
func (l *limitedWriter) escape(e *escapes, s string) {
	begun := 0 // what stands before is written
	for i := 0; i < len(s); i++ {
		escape := e[s[i]]
		if escape == "" {
			continue
		}
		end := i + 1
		if s[i] == nbsp[0] {
			if end == len(s) || s[end] != nbsp[1] {
				continue // another character that begins so
			}
			end++
		}
		l.write(s[begun:i], escape)
		begun, i = end, end-1
	}
	l.write(s[begun:])
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

// close writes what is buffered. It returns the first error of all.
func (l *limitedWriter) close() error {
	if err := l.w.Flush(); l.err == nil {
		l.err = err
	}
	return l.err
}
