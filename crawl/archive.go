package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/crawl/warc"
)

// maxArchive is the size from which on another file is begun.
const maxArchive = 1 << 30

// archive writes the exchanges of a run to web archives: those of pages,
// sitemaps and robots.txt, whatever they were answered, tries that are made
// again included; those of a login are not among them. Answers of 304, and what
// brings the same as an answer before it in the file, become revisit records. It is written and flushed before the transaction that
// stores how long it is, so that after a crash it is cut to what is stored:
// file and database always agree. A nil archive takes nothing.
type archive struct {
	dir     string
	run     Run
	file    *os.File // nil: none was begun
	name    string
	number  int
	end     int64
	records *warc.Writer
	info    string // ID of the file's warcinfo record

	originals warc.Originals // of this file, so that it can be read without others
}

// openArchive cuts the files of earlier processes. New ones are begun when
// there is something to write; what stands in the folder otherwise is left
// alone.
func openArchive(ctx context.Context, dir string, run Run) (*archive, error) {
	if dir == "" {
		return nil, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	var cutErr error
	files := 0 // so that no name comes twice, be its file gone or not
	err = run.Archives(ctx, func(file string, end int64) bool {
		files++
		cutErr = cut(file, end)
		return cutErr == nil
	})
	return &archive{dir: dir, run: run, number: files}, errors.Join(err, cutErr)
}

// cut shortens a file to what is committed of it. A file that was moved away
// or handed on is none of our business.
func cut(file string, end int64) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("archive: %w", err)
	case info.Size() < end:
		return fmt.Errorf("archive %s has %d bytes, and the database knows of %d: it was changed", file, info.Size(), end)
	case info.Size() == end:
		return nil
	case end == 0: // nothing of it was committed
		return os.Remove(file)
	}
	if err := os.Truncate(file, end); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// append writes the exchanges of visits that are about to be stored.
func (a *archive) append(ctx context.Context, visits []*Visit) error {
	if a == nil {
		return nil
	}
	wrote := false
	for _, v := range visits {
		if err := a.add(ctx, v); err != nil {
			return fmt.Errorf("archive %s: %w", a.name, err)
		}
		wrote = wrote || v.Archived != nil
	}
	if !wrote {
		return nil
	}
	if err := a.file.Sync(); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// add writes the exchanges of one visit.
func (a *archive) add(ctx context.Context, v *Visit) error {
	own := v.response != nil && v.response.Raw != nil
	if !own && len(v.asides) == 0 {
		return nil
	}
	if a.file == nil || a.end >= maxArchive {
		if err := a.begin(ctx); err != nil {
			return err
		}
	}
	for _, aside := range v.asides {
		if err := a.exchange(aside, nil); err != nil {
			return err
		}
	}
	offset := int64(-1)
	if own {
		offset = a.end
		if err := a.exchange(v.response, notModified(v)); err != nil {
			return err
		}
	}
	v.Archived = &Archived{File: a.file.Name(), Offset: offset, End: a.end}
	return nil
}

// exchange writes a response, so that it stands where the page's offset says,
// and the request behind it. notModified is nil for what is no such answer.
func (a *archive) exchange(r *fetch.Response, notModified warc.Header) error {
	common := warc.Header{
		{Name: "WARC-Target-URI", Value: r.Raw.URL},
		{Name: "WARC-Date", Value: archiveDate(r.FetchedAt)},
		{Name: "WARC-Warcinfo-ID", Value: a.info},
	}
	if r.Raw.IP != "" {
		common = append(common, warc.Field{Name: "WARC-IP-Address", Value: r.Raw.IP})
	}
	if r.Proto == "HTTP/2.0" { // which the heads do not tell
		common = append(common, warc.Field{Name: "WARC-Protocol", Value: "h2"})
	}
	id, err := a.response(r, append(slices.Clip(common), warc.Field{Name: "Content-Type", Value: "application/http; msgtype=response"}), notModified)
	if err != nil {
		return err
	}
	_, err = a.records.Write(append(slices.Clip(common),
		warc.Field{Name: "WARC-Type", Value: warc.TypeRequest},
		warc.Field{Name: "Content-Type", Value: "application/http; msgtype=request"},
		warc.Field{Name: "WARC-Concurrent-To", Value: id}), r.Raw.Request)
	return err
}

// response writes the record of a response: what it brought, or that this was
// brought before.
func (a *archive) response(r *fetch.Response, h, notModified warc.Header) (id string, err error) {
	raw := r.Raw
	if notModified != nil {
		return a.records.Write(append(h, notModified...), slices.Concat(raw.Response, raw.Body))
	}
	if raw.Truncated {
		h = append(h, warc.Field{Name: "WARC-Truncated", Value: "length"})
	} else if revisit := a.originals.Revisit(raw.PayloadSHA1, raw.PayloadSize); revisit != nil {
		return a.records.Write(append(h, revisit...), raw.Response)
	}
	h = append(h, warc.Field{Name: "WARC-Type", Value: warc.TypeResponse})
	if raw.PayloadSHA1 != nil {
		h = append(h, warc.Field{Name: "WARC-Payload-Digest", Value: warc.FormatDigest(raw.PayloadSHA1)})
	}
	id, err = a.records.Write(h, slices.Concat(raw.Response, raw.Body))
	if err == nil && !raw.Truncated {
		a.originals.Add(raw.PayloadSHA1, raw.PayloadSize, id, h)
	}
	return id, err
}

// archiveDate is a time as WARC-Date has it, as exact as the store keeps it:
// revisits of later runs name it.
func archiveDate(t time.Time) string { return warc.FormatDate(t.Truncate(time.Millisecond)) }

// notModified is what makes a record that of a revisit, nil for other answers
// than 304.
// https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#profile-server-not-modified
func notModified(v *Visit) warc.Header {
	if v.Page == nil || !v.Page.NotModified {
		return nil
	}
	h := warc.Header{
		{Name: "WARC-Type", Value: warc.TypeRevisit},
		{Name: "WARC-Profile", Value: warc.ProfileNotModified},
		{Name: "WARC-Refers-To-Target-URI", Value: v.Request.URL},
	}
	if past := v.Request.Past; past != nil {
		h = append(h, warc.Field{Name: "WARC-Refers-To-Date", Value: archiveDate(past.FetchedAt)})
	}
	return h
}

// begin begins another file, under a name that is not taken.
func (a *archive) begin(ctx context.Context) error {
	if err := a.close(); err != nil {
		return err
	}
	now := time.Now().UTC()
	for ; ; a.number++ {
		a.name = fmt.Sprintf("magpie-%s-%05d.warc.gz", now.Format("20060102150405"), a.number)
		file, err := os.OpenFile(filepath.Join(a.dir, a.name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		a.file, a.end = file, 0
		a.originals = warc.Originals{}
		break
	}
	a.number++
	if err := a.run.AddArchive(ctx, a.file.Name()); err != nil {
		return err
	}
	a.records = warc.NewWriter(&counted{a.file, &a.end})
	var err error
	a.info, err = a.records.Write(warc.Header{
		{Name: "WARC-Type", Value: warc.TypeWarcinfo},
		{Name: "WARC-Filename", Value: a.name},
		{Name: "Content-Type", Value: "application/warc-fields"},
	}, fmt.Appendf(nil, "software: magpie (https://github.com/magpie-crawl/magpie)\r\nformat: WARC file version 1.1\r\n"+
		"conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\nrun: %d\r\n", a.run.Info().Number))
	return err
}

func (a *archive) close() error {
	if a == nil || a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// counted counts what is written to a file.
type counted struct {
	w io.Writer
	n *int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	*c.n += int64(n)
	return n, err
}
