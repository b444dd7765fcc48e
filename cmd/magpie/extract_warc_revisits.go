package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/warc"
)

// originals finds what revisit records refer to, in the archives that are read.
type originals struct {
	names   []string // of the archives
	index   warc.Index
	waiting []warc.Place // revisits whose originals were not met before them
	last    bool         // all archives are read: nothing is worth waiting for
}

// nowhere is the offset of what cannot be read once more.
const nowhere = -1

// place is where a record of the archive at an index can be read once more.
func (o *originals) place(rec *warc.Record, index int) warc.Place {
	if o.names[index] == "-" || !rec.Direct {
		return warc.Place{File: index, Offset: nowhere}
	}
	return warc.Place{File: index, Offset: rec.Offset}
}

// page reads a record that is an HTML page, of the archive at an index; what
// says what it is where it is none.
func (o *originals) page(rec *warc.Record, index int) (page *crawl.Page, what string, err error) {
	kind := rec.Type()
	if !slices.Contains([]string{warc.TypeResponse, warc.TypeResource, warc.TypeRevisit}, kind) {
		return nil, otherRecords, nil
	}
	if !isURL(rec.TargetURI()) {
		return nil, otherProtocols, nil
	}
	if kind == warc.TypeRevisit {
		if page, what, err = o.revisit(rec, index); err != nil {
			err = fmt.Errorf("revisit of %s: %w", rec.TargetURI(), err)
		}
		return page, what, err
	}
	o.index.Add(rec, o.place(rec, index))
	resp, err := rec.Response(maxFetched)
	if err != nil {
		return nil, notHTTP, nil
	}
	page, what = archivedPage(rec, resp)
	return page, what, nil
}

// revisit reads the page that a revisit record stands for.
func (o *originals) revisit(rec *warc.Record, index int) (page *crawl.Page, what string, err error) {
	visit, err := rec.Revisit()
	if err != nil {
		return nil, "", err
	}
	if what := headOnly(visit); what != "" {
		return nil, what, nil
	}
	at, found := o.index.Find(rec)
	switch own := o.place(rec, index); {
	case !found && !o.last && own.Offset != nowhere:
		o.waiting = append(o.waiting, own)
		return nil, waiting, nil
	case !found:
		return nil, "", fmt.Errorf("its content stands in another record, that of %s, which is not in the archives given", referred(rec))
	case at.Offset == nowhere:
		return nil, "", errors.New("its content stands in an earlier record, which cannot be read once more: that takes a file, compressed by records if at all")
	}
	original, err := o.read(at)
	if err != nil {
		return nil, "", fmt.Errorf("its content stands in a record of %s: %w", o.names[at.File], err)
	}
	o.index.Add(rec, at) // later revisits may refer to this one
	page, what = archivedPage(rec, visit.Of(original))
	return page, what, nil
}

// headOnly says what a revisit is by its head alone, "" where that is not
// enough to pass it over.
func headOnly(visit *warc.Revisit) (what string) {
	if visit.Status == 0 || visit.NotModified() {
		return ""
	}
	if _, what = archivedPage(&warc.Record{}, &warc.Response{Status: visit.Status, Header: visit.Header}); what == notHTML && visit.Header.Get("Content-Type") == "" {
		return ""
	}
	return what
}

// referred names the record that a revisit refers to, as far as it does.
func referred(rec *warc.Record) string {
	for _, field := range []string{"WARC-Refers-To-Target-URI", "WARC-Refers-To", "WARC-Payload-Digest"} {
		if value := rec.Header.Get(field); value != "" {
			return fmt.Sprintf("%.200s", value)
		}
	}
	return "unnamed"
}

// read reads the response at a place.
func (o *originals) read(at warc.Place) (resp *warc.Response, err error) {
	err = o.open(at, func(rec *warc.Record) error {
		if kind := rec.Type(); kind != warc.TypeResponse && kind != warc.TypeResource {
			return fmt.Errorf("it is a %s now", kind)
		}
		resp, err = rec.Response(maxFetched)
		return err
	})
	return resp, err
}

// open reads the record at a place.
func (o *originals) open(at warc.Place, read func(*warc.Record) error) error {
	file, err := os.Open(o.names[at.File])
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Seek(at.Offset, io.SeekStart); err != nil {
		return err
	}
	rec, err := warc.NewReader(file).Next()
	if err != nil {
		return err
	}
	return read(rec)
}

// waitingRevisits takes records from the revisits whose originals were not met
// before them, once all archives are read.
func (e *extraction) waitingRevisits(ctx context.Context, known *originals) (c archiveCounts, err error) {
	known.last, c.passed = true, map[string]int{}
	for _, at := range known.waiting {
		if ctx.Err() != nil {
			return c, ctx.Err()
		}
		name, what, result := e.waitingRevisit(known, at)
		if what != "" {
			c.passed[what]++
			continue
		}
		if err := e.tellArchived(name, result, &c); err != nil {
			return c, err
		}
	}
	if c.pages > 0 {
		e.tellCounts("revisits that waited for what they refer to", c)
	}
	return c, nil
}

// waitingRevisit takes records from the revisit at a place, whose name it returns.
func (e *extraction) waitingRevisit(known *originals, at warc.Place) (name, what string, result archivedResult) {
	name = known.names[at.File]
	result.err = known.open(at, func(rec *warc.Record) (err error) {
		name = rec.TargetURI()
		var page *crawl.Page
		if page, what, err = known.page(rec, at.File); err == nil && what == "" {
			result = e.archivedRecords(name, page)
			err = result.err
		}
		return err
	})
	return name, what, result
}
