package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/warc"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// archived is a page of a web archive on its way: done receives what came of
// it.
type archived struct {
	name string // for people
	done chan archivedResult
}

type archivedResult struct {
	extract.Result
	err     error
	damaged bool // err is about the archive
	cut     bool // the page is not whole
}

// archiveCounts say what became of an archive's records.
type archiveCounts struct {
	pages, cut, failed, damaged, rejects int
	passed                               map[string]int // records that are no pages, by what they are
}

func (c *archiveCounts) add(more archiveCounts) {
	c.pages += more.pages
	c.failed += more.failed
	c.rejects += more.rejects
}

// runArchives takes records from the pages in web archives: files, or - for
// the standard input.
func (e *extraction) runArchives(ctx context.Context, names []string) error {
	total, known := archiveCounts{}, &originals{names: names}
	for i, name := range names {
		c, err := e.archive(ctx, known, i)
		total.add(c)
		if err != nil && (ctx.Err() != nil || errors.Is(err, errSink)) {
			return err
		}
		if err != nil {
			total.failed++
			e.notice(notice{Kind: "error", Input: name, Detail: err.Error()})
		}
		if c.pages > 0 || err == nil {
			e.tellCounts(name, c)
		}
	}
	c, err := e.waitingRevisits(ctx, known)
	if err != nil {
		return err
	}
	total.add(c)
	if err := e.sink.close(); err != nil {
		return fmt.Errorf("write records: %w", err)
	}
	switch {
	case total.pages == 0:
		return errFailed
	case total.failed > 0 || total.rejects > 0:
		return errIncomplete
	}
	return nil
}

// errSink is wrapped by the errors of writing records.
var errSink = errors.New("write records")

// archive takes records from one archive of those known, the one at an index. The
// pages are worked on by all processors; what comes of them is written in the
// order of the file.
func (e *extraction) archive(ctx context.Context, known *originals, index int) (c archiveCounts, err error) {
	name := known.names[index]
	file := io.ReadCloser(io.NopCloser(e.stdin))
	if name != "-" {
		if file, err = os.Open(name); err != nil {
			return c, err
		}
	}
	defer file.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	c.passed = map[string]int{}
	queue := make(chan archived, 2*runtime.GOMAXPROCS(0)) // in order, and a bound of what is in memory
	readErr := make(chan error, 1)
	go func() {
		defer close(queue)
		readErr <- e.readArchive(ctx, warc.NewReader(file), known, index, queue, c.passed)
	}()
	for page := range queue {
		result := <-page.done
		if err != nil {
			continue // only to let the others end
		}
		if err = e.tellArchived(page.name, result, &c); err != nil {
			cancel()
		}
	}
	if readErr := <-readErr; err == nil {
		err = readErr
	}
	return c, err
}

// tellArchived writes what came of a page, and counts it.
func (e *extraction) tellArchived(name string, result archivedResult, c *archiveCounts) error {
	if result.err != nil {
		if c.failed++; result.damaged {
			c.damaged++
		}
		e.notice(notice{Kind: "error", Input: name, Detail: result.err.Error()})
		return nil
	}
	if c.pages++; result.cut {
		c.cut++
	}
	c.rejects += len(result.Rejects)
	if err := e.tell(name, result.Result); err != nil {
		return fmt.Errorf("%w: %w", errSink, err)
	}
	return nil
}

// readArchive puts the pages of an archive into the queue, and counts in
// passed what it passes over.
func (e *extraction) readArchive(ctx context.Context, r *warc.Reader, known *originals, index int, queue chan<- archived, passed map[string]int) error {
	name := known.names[index]
	put := func(a archived) {
		select {
		case queue <- a:
		case <-ctx.Done():
		}
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for ctx.Err() == nil {
		rec, err := r.Next()
		var damaged *warc.DamagedError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &damaged):
			put(failedArchived(name, archivedResult{err: fmt.Errorf("%s: %w", name, err), damaged: true}))
			continue
		case err != nil:
			return fmt.Errorf("read %s: %w", name, err)
		}
		page, what, err := known.page(rec, index)
		switch {
		case err != nil:
			put(failedArchived(rec.TargetURI(), archivedResult{err: err}))
			continue
		case what != "":
			passed[what]++
			continue
		}
		a := archived{rec.TargetURI(), make(chan archivedResult, 1)}
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			a.done <- e.archivedRecords(a.name, page)
		}()
		put(a)
	}
	return ctx.Err()
}

// failedArchived is a page that nothing more comes of.
func failedArchived(name string, result archivedResult) archived {
	a := archived{name, make(chan archivedResult, 1)}
	a.done <- result
	return a
}

// What records are passed over for.
const (
	otherRecords   = "records of other types"
	otherProtocols = "responses of other protocols"
	notHTTP        = "responses that are not HTTP"
	noPageByStatus = "responses that are no pages by their status"
	notHTML        = "responses that are not HTML"
	waiting        = "revisits of records that stand behind them, or elsewhere"
)

// archivedPage makes a page of a response; what says what it is where it is
// none.
func archivedPage(rec *warc.Record, resp *warc.Response) (page *crawl.Page, what string) {
	if resp.Status < 200 || resp.Status > 299 {
		return nil, noPageByStatus
	}
	page = &crawl.Page{FetchedAt: rec.Date(), Status: resp.Status, Header: resp.Header, ContentType: resp.Header.Get("Content-Type"), Body: resp.Body, Truncated: resp.Truncated}
	if !page.IsHTML() {
		return nil, notHTML
	}
	return page, ""
}

// archivedRecords takes the records from a page of an archive.
func (e *extraction) archivedRecords(address string, page *crawl.Page) archivedResult {
	u, err := url.Parse(address)
	if err != nil {
		return archivedResult{err: fmt.Errorf("%q is no URL: %w", address, errors.Unwrap(err))}
	}
	contentType := page.ContentType
	if e.flags.contentType != "" {
		contentType = e.flags.contentType
	}
	doc, err := htmlparse.ParseBytes(page.Body, &htmlparse.Options{Charset: e.flags.charset, ContentType: contentType})
	if err != nil {
		return archivedResult{err: fmt.Errorf("parse %s: %w", address, err)}
	}
	result := e.extractor.Extract(extract.Page{Root: doc.Root, URL: u, Lang: page.Header.Get("Content-Language"), Header: page.Header, FetchedAt: page.FetchedAt})
	return archivedResult{Result: result, cut: page.Truncated}
}

// tellCounts tells what an archive had.
func (e *extraction) tellCounts(name string, c archiveCounts) {
	detail := fmt.Sprintf("%d pages", c.pages)
	if c.cut > 0 {
		detail += fmt.Sprintf(", %d of them cut", c.cut)
	}
	if c.damaged > 0 {
		detail += fmt.Sprintf("; %d damaged records", c.damaged)
	}
	var passed []string
	for _, what := range slices.Sorted(maps.Keys(c.passed)) {
		passed = append(passed, fmt.Sprintf("%d %s", c.passed[what], what))
	}
	if len(passed) > 0 {
		detail += "; passed over: " + strings.Join(passed, ", ")
	}
	e.notice(notice{Kind: "note", Input: name, Detail: detail})
}
