package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/magpie-crawl/magpie/crawl/warc"
)

// maxArchive is the size from which on another file is begun.
const maxArchive = 1 << 30

// archive writes the exchanges of a run to web archives: those of pages and
// sitemaps, whatever they were answered, but for tries that are made again;
// robots.txt is not among them. Answers of 304 become revisit records. It is written and
// flushed before the transaction that stores how long it is, so that after a
// crash it is cut to what is stored: file and database always agree. A nil
// archive takes nothing.
type archive struct {
	dir     string
	run     Run
	file    *os.File // nil: none was begun
	name    string
	number  int
	end     int64
	records *warc.Writer
	info    string // ID of the file's warcinfo record
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
		if v.State == Pending || v.response == nil || v.response.Raw == nil || v.Page == nil {
			continue
		}
		if err := a.add(ctx, v); err != nil {
			return fmt.Errorf("archive %s: %w", a.name, err)
		}
		wrote = true
	}
	if !wrote {
		return nil
	}
	if err := a.file.Sync(); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// add writes one exchange: the response first, so that it stands where the
// page's offset says, and the request behind it.
func (a *archive) add(ctx context.Context, v *Visit) error {
	if a.file == nil || a.end >= maxArchive {
		if err := a.begin(ctx); err != nil {
			return err
		}
	}
	raw, offset := v.response.Raw, a.end
	common := warc.Header{
		{Name: "WARC-Target-URI", Value: v.Request.URL},
		{Name: "WARC-Date", Value: warc.FormatDate(v.Page.FetchedAt)},
		{Name: "WARC-Warcinfo-ID", Value: a.info},
	}
	response := append(common[:len(common):len(common)],
		warc.Field{Name: "WARC-Type", Value: warc.TypeResponse},
		warc.Field{Name: "Content-Type", Value: "application/http; msgtype=response"},
		warc.Field{Name: "WARC-Payload-Digest", Value: warc.Digest(raw.Body)})
	if v.Page.NotModified {
		response[3].Value = warc.TypeRevisit
		response[5] = warc.Field{Name: "WARC-Profile", Value: warc.ProfileNotModified}
		response = append(response, warc.Field{Name: "WARC-Refers-To-Target-URI", Value: v.Request.URL})
		if past := v.Request.Past; past != nil {
			response = append(response, warc.Field{Name: "WARC-Refers-To-Date", Value: warc.FormatDate(past.FetchedAt)})
		}
	}
	if v.Page.Truncated {
		response = append(response, warc.Field{Name: "WARC-Truncated", Value: "length"})
	}
	id, err := a.records.Write(response, append(raw.Response[:len(raw.Response):len(raw.Response)], raw.Body...))
	if err != nil {
		return err
	}
	request := append(common[:len(common):len(common)],
		warc.Field{Name: "WARC-Type", Value: warc.TypeRequest},
		warc.Field{Name: "Content-Type", Value: "application/http; msgtype=request"},
		warc.Field{Name: "WARC-Concurrent-To", Value: id})
	if _, err := a.records.Write(request, raw.Request); err != nil {
		return err
	}
	v.Archived = &Archived{File: a.file.Name(), Offset: offset, End: a.end}
	return nil
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
