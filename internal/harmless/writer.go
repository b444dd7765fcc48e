package harmless

import (
	"bytes"
	"io"
)

// Writer makes what is written through it harmless, but for line
// feeds.
type Writer struct {
	out  io.Writer
	line []byte // begun, without its end
}

// NewWriter returns a writer to out. The caller must call Flush at the end.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

func (w *Writer) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n')
	if end < 0 {
		w.line = append(w.line, p...)
		return len(p), nil
	}
	w.line = append(w.line, p[:end]...)
	var b bytes.Buffer
	for line := range bytes.SplitSeq(w.line, []byte("\n")) {
		b.WriteString(Text(string(bytes.TrimSuffix(line, []byte("\r")))))
		b.WriteByte('\n')
	}
	w.line = append(w.line[:0], p[end+1:]...)
	if _, err := w.out.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes a last line without an end.
func (w *Writer) Flush() error {
	_, err := io.WriteString(w.out, Text(string(w.line)))
	w.line = nil
	return err
}
