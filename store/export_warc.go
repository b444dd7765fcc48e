package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/crawl/warc"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// makePages writes the pages of a job to a web archive.
func (x *export) makePages(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	f := x.files[0]
	_, err := x.writePages(ctx, f.stream, f.about.Path, f.about.Compression == dataset.Plain)
	if err != nil {
		return err
	}
	f.packed, err = dataset.Plain.Writer(f.stream) // the archive compresses its records itself
	return err
}

// exportPages writes a web archive to a stream.
func (db *DB) exportPages(ctx context.Context, w io.Writer, name string, o ExportOptions) (int64, error) {
	x := &export{db: db, options: o}
	return x.writePages(ctx, w, name, true)
}

// writePages writes the stored responses of the job, of each URL the last one
// or with Since those of later runs, in the order in which the URLs were first
// met. Pages whose body is not kept are left out. What the server sent is not stored whole: headers that tell of codings
// that were undone get a name of their own, and the length is that of the body.
func (x *export) writePages(ctx context.Context, w io.Writer, name string, plain bool) (int64, error) {
	out := warc.NewWriter(w)
	if plain {
		out = warc.NewPlainWriter(w)
	}
	info, err := out.Write(warc.Header{
		{Name: "WARC-Type", Value: warc.TypeWarcinfo},
		{Name: "WARC-Filename", Value: oneLine(name)},
		{Name: "Content-Type", Value: "application/warc-fields"},
	}, fmt.Appendf(nil, "software: %s (https://github.com/magpie-crawl/magpie)\r\nformat: WARC file version 1.1\r\n"+
		"conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"+
		"description: made of stored pages, codings of the transfer undone\r\n", oneLine(x.options.Software)))
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	for p, err := range x.db.Pages(ctx, PageFilter{Job: x.options.Job}) {
		if err != nil {
			return x.written, err
		}
		if p.Response == nil || p.Run <= x.options.Since {
			continue
		}
		body, err := x.db.Body(ctx, p.Response)
		if errors.Is(err, ErrNotKept) {
			continue
		}
		if err != nil {
			return x.written, fmt.Errorf("export %s: %w", p.URL, err)
		}
		if err := writePage(out, info, &p, body); err != nil {
			return x.written, fmt.Errorf("export %s: %w", p.URL, err)
		}
		x.count()
	}
	return x.written, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func writePage(out *warc.Writer, info string, p *Page, body []byte) error {
	h := warc.Header{
		{Name: "WARC-Type", Value: warc.TypeResponse},
		{Name: "WARC-Target-URI", Value: p.URL},
		{Name: "WARC-Date", Value: warc.FormatDate(p.Response.FetchedAt)},
		{Name: "WARC-Warcinfo-ID", Value: info},
		{Name: "Content-Type", Value: "application/http; msgtype=response"},
		{Name: "WARC-Payload-Digest", Value: warc.Digest(body)},
	}
	if p.Response.Truncated {
		h = append(h, warc.Field{Name: "WARC-Truncated", Value: "length"})
	}
	_, err := out.Write(h, slices.Concat(responseHead(p.Response, len(body)), body))
	return err
}

// responseHead is the status line and the header of a stored response. A page
// that had not changed since was answered 304: what is stored with it is what
// that stands for, and so is its status.
func responseHead(r *Response, length int) []byte {
	status := r.Status
	if status == http.StatusNotModified {
		status = http.StatusOK
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	var names []string
	for name := range r.Header {
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
		for _, value := range r.Header[name] {
			b.WriteString(written + ": " + strings.NewReplacer("\r", " ", "\n", " ").Replace(value) + "\r\n")
		}
	}
	b.WriteString("Content-Length: " + strconv.Itoa(length) + "\r\n\r\n")
	return b.Bytes()
}
