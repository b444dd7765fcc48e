package dataset

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/crawl/warc"
)

// Page is a stored response to be written.
type Page struct {
	URL       string
	FetchedAt time.Time
	Status    int
	Header    http.Header
	Body      []byte
	Truncated bool // more was sent than is stored
}

// WARCWriter writes pages to a web archive. What the server sent is not stored whole:
// headers that tell of codings that were undone get a name of their own, and
// the length is that of the body. A body that was written before is referred to.
type WARCWriter struct {
	out  *warc.Writer
	info string // what the records refer to

	originals warc.Originals
}

// NewWARC returns a writer of an archive that is to be called name, and writes
// its first record. It compresses its records itself, unless name says that
// they are plain.
func NewWARC(w io.Writer, name, software string) (*WARCWriter, error) {
	a := &WARCWriter{out: warc.NewWriter(w)}
	if CompressionOf(name) == Plain {
		a.out = warc.NewPlainWriter(w)
	}
	var err error
	a.info, err = a.out.Write(warc.Header{
		{Name: "WARC-Type", Value: warc.TypeWarcinfo},
		{Name: "WARC-Filename", Value: oneLine(name)},
		{Name: "Content-Type", Value: "application/warc-fields"},
	}, fmt.Appendf(nil, "software: %s (https://github.com/magpie-crawl/magpie)\r\nformat: WARC file version 1.1\r\n"+
		"conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"+
		"description: made of stored pages, codings of the transfer undone\r\n", oneLine(software)))
	return a, err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Write writes a page.
func (a *WARCWriter) Write(p *Page) error {
	h := warc.Header{
		{Name: "WARC-Target-URI", Value: p.URL},
		{Name: "WARC-Date", Value: warc.FormatDate(p.FetchedAt)},
		{Name: "WARC-Warcinfo-ID", Value: a.info},
		{Name: "Content-Type", Value: "application/http; msgtype=response"},
	}
	sum, size := sha1.Sum(p.Body), int64(len(p.Body))
	if p.Truncated {
		h = append(h, warc.Field{Name: "WARC-Truncated", Value: "length"})
	} else if revisit := a.originals.Revisit(sum[:], size); revisit != nil {
		_, err := a.out.Write(append(h, revisit...), p.head())
		return err
	}
	h = append(h, warc.Field{Name: "WARC-Type", Value: warc.TypeResponse},
		warc.Field{Name: "WARC-Payload-Digest", Value: warc.FormatDigest(sum[:])})
	id, err := a.out.Write(h, slices.Concat(p.head(), p.Body))
	if err == nil && !p.Truncated {
		a.originals.Add(sum[:], size, id, h)
	}
	return err
}

// head is the status line and the header of a stored response. A page
// that had not changed since was answered 304: what is stored with it is what
// that stands for, and so is its status.
func (p *Page) head() []byte {
	status := p.Status
	if status == http.StatusNotModified {
		status = http.StatusOK
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	var names []string
	for name := range p.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		written := name
		switch http.CanonicalHeaderKey(name) {
		case "Content-Length":
			continue
		case "Content-Encoding", "Transfer-Encoding":
			written = "X-Archive-Orig-" + name
		}
		for _, value := range p.Header[name] {
			b.WriteString(written + ": " + strings.NewReplacer("\r", " ", "\n", " ").Replace(value) + "\r\n")
		}
	}
	b.WriteString("Content-Length: " + strconv.Itoa(len(p.Body)) + "\r\n\r\n")
	return b.Bytes()
}
