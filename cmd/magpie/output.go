package main

import (
	"bytes"
	"encoding/json"
	"io"
)

// writeJSON writes v as one line of JSON.
func (a *app) writeJSON(v any) error {
	line, err := marshalLine(v)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(line)
	return err
}

// marshalLine returns v as one line of JSON that a terminal can be given.
func marshalLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return harmlessJSON(b.Bytes()), nil
}

// pageWriter returns a writer for text of pages. A terminal gets it line by
// line, made harmless; files and pipes get it as it is. The caller must call
// flush at the end.
func pageWriter(w io.Writer) (out io.Writer, flush func() error) {
	if !terminalOf(w).people {
		return w, func() error { return nil }
	}
	lines := &harmlessWriter{out: w}
	return lines, lines.flush
}

// harmlessWriter makes what is written through it harmless, but for line
// feeds.
type harmlessWriter struct {
	out  io.Writer
	line []byte // begun, without its end
}

func (w *harmlessWriter) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n')
	if end < 0 {
		w.line = append(w.line, p...)
		return len(p), nil
	}
	w.line = append(w.line, p[:end]...)
	var b bytes.Buffer
	for line := range bytes.SplitSeq(w.line, []byte("\n")) {
		b.WriteString(harmless(string(bytes.TrimSuffix(line, []byte("\r")))))
		b.WriteByte('\n')
	}
	w.line = append(w.line[:0], p[end+1:]...)
	if _, err := w.out.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes a last line without an end.
func (w *harmlessWriter) flush() error {
	_, err := io.WriteString(w.out, harmless(string(w.line)))
	w.line = nil
	return err
}
