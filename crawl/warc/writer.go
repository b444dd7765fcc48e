package warc

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Writer writes records, each compressed by itself unless it is a plain one.
type Writer struct {
	w   io.Writer
	zip *gzip.Writer // nil: records are not compressed
}

// NewWriter returns a Writer that appends to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, zip: gzip.NewWriter(nil)} }

// NewPlainWriter returns a Writer that appends to w and does not compress.
func NewPlainWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a record. Content-Length and WARC-Block-Digest are added to the
// header; WARC-Record-ID and WARC-Date are, where it has none. It returns the
// record's ID.
func (w *Writer) Write(h Header, block []byte) (id string, err error) {
	if id = h.Get("WARC-Record-ID"); id == "" {
		id = NewRecordID()
		h = append(h[:len(h):len(h)], Field{"WARC-Record-ID", id})
	}
	if h.Get("WARC-Date") == "" {
		h = append(h[:len(h):len(h)], Field{"WARC-Date", FormatDate(time.Now())})
	}
	h = append(h[:len(h):len(h)], Field{"WARC-Block-Digest", Digest(block)}, Field{"Content-Length", fmt.Sprint(len(block))})
	var head bytes.Buffer
	head.WriteString("WARC/1.1\r\n")
	for _, f := range h {
		if strings.ContainsAny(f.Name+f.Value, "\r\n") {
			return "", fmt.Errorf("warc: field %q has more than one line", f.Name)
		}
		head.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	head.WriteString("\r\n")
	if err := w.parts(head.Bytes(), block, []byte("\r\n\r\n")); err != nil {
		return "", fmt.Errorf("warc: write record: %w", err)
	}
	return id, nil
}

// parts writes what a record is made of.
func (w *Writer) parts(parts ...[]byte) error {
	out := w.w
	if w.zip != nil {
		w.zip.Reset(w.w)
		out = w.zip
	}
	for _, part := range parts {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	if w.zip != nil {
		return w.zip.Close()
	}
	return nil
}

// NewRecordID returns a new identifier: the URN of a random UUID.
func NewRecordID() string {
	var b [16]byte
	rand.Read(b[:])         // never an error
	b[6] = b[6]&0x0f | 0x40 // version 4
	b[8] = b[8]&0x3f | 0x80 // https://www.rfc-editor.org/rfc/rfc9562#section-5.4
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Digest is the digest of a block or payload, as the tools of the field write
// it: SHA-1 in base 32.
func Digest(b []byte) string {
	sum := sha1.Sum(b)
	return FormatDigest(sum[:])
}

// FormatDigest is Digest of what has this SHA-1.
func FormatDigest(sum []byte) string { return "sha1:" + base32.StdEncoding.EncodeToString(sum) }

// FormatDate writes a time as WARC-Date has it, to the microsecond.
func FormatDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
