package dashboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/explain"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/store"
)

// storedPage is a page that was fetched, read again from what is stored.
type storedPage struct {
	*store.Page
	Text   string // decoded; "" if it is no text
	Doc    *htmlparse.Document
	Errors []htmlparse.ParseError // the first maxParseErrors, in the order of the source
	Faults int                    // how many there are
	tree   extract.Page
}

// What is read again for a page of the dashboard: larger bodies can be had as
// they are. Trees take many times their source, so that there is one at a time.
const (
	maxReread      = 8 << 20
	maxParseErrors = 100
)

var rereading = make(chan struct{}, 1) // 8 MiB of tags are a tree of 500 MB

// errTooLarge says that a body is larger than what is shown.
var errTooLarge = errors.New("the body is larger than " + words.Bytes(maxReread) + ": download it to look into it")

// errNoResponse says that there is no body.
var errNoResponse = errors.New("there was no response")

// body reads what is stored of a page.
func (d *dashboard) body(ctx context.Context, p *store.Page, limit int64) ([]byte, error) {
	switch {
	case p.Response == nil:
		return nil, errNoResponse
	case limit > 0 && p.Response.Size > limit:
		return nil, errTooLarge
	}
	return d.db.Body(ctx, p.Response)
}

// unreadable tells whether a page can't be read again for a reason that is told
// to who looks at it, rather than a failure.
func unreadable(err error) bool {
	return errors.Is(err, store.ErrNotKept) || errors.Is(err, errTooLarge) || errors.Is(err, errNoResponse) || errors.Is(err, store.ErrNotFound)
}

// rereadTurn waits until a page may be read again. done is to be called when
// nothing of its tree is needed any more: it is the trees that are there at a
// time that fill the memory, not those that are being made.
func rereadTurn(ctx context.Context) (done func(), err error) {
	select {
	case rereading <- struct{}{}:
		return func() { <-rereading }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reread parses a page's stored body as the crawl did. The caller has its turn,
// see rereadTurn.
func (d *dashboard) reread(ctx context.Context, p *store.Page) (s *storedPage, err error) {
	body, err := d.body(ctx, p, maxReread)
	if err != nil {
		return nil, err
	}
	defer func() { // as in a crawl: a fault of the program costs the page alone
		if fault := recover(); fault != nil {
			d.Log.Error("read a stored page again", "url", p.URL, "panic", fault, "stack", string(debug.Stack()))
			s, err = nil, fmt.Errorf("reading %s again failed: the log of magpie serve says why", p.URL)
		}
	}()
	return parseStored(p, body)
}

// parseStored parses a body with the places of its nodes.
func parseStored(p *store.Page, body []byte) (*storedPage, error) {
	s := &storedPage{Page: p}
	r := p.Response
	doc, err := htmlparse.ParseBytes(body, &htmlparse.Options{ContentType: r.ContentType, Positions: true, OnError: func(e htmlparse.ParseError) {
		if s.Faults++; s.Faults <= 20*maxParseErrors {
			s.Errors = append(s.Errors, e)
		}
	}})
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", p.URL, err)
	}
	slices.SortStableFunc(s.Errors, func(a, b htmlparse.ParseError) int { return cmp.Compare(a.Offset, b.Offset) })
	s.Errors = s.Errors[:min(len(s.Errors), maxParseErrors)]
	u, err := url.Parse(p.URL)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p.URL, err)
	}
	s.Doc = doc
	s.tree = extract.Page{Root: doc.Root, URL: u, Lang: r.Header.Get("Content-Language"), Header: r.Header, FetchedAt: r.FetchedAt}
	s.Text, err = htmlparse.Decode(body, doc.Encoding.Name)
	return s, err
}

// explain says how each value came about.
func (s *storedPage) explain(x *extract.Extractor) (extract.Result, []explain.Value) {
	result, list := x.Explain(s.tree)
	return result, explain.Values(s.Doc, s.tree, list)
}

// excerpt is a piece of a source with what stands around it.
type excerpt struct {
	Before, Piece, After string
	Cut                  bool // the piece is longer
}

// How much of a source an excerpt has, in bytes.
const excerptPiece, excerptAround = 600, 120

// excerptOf takes a piece out of a source.
func excerptOf(text string, span htmlparse.Span) *excerpt {
	if span.Start < 0 || span.End > len(text) || span.Start >= span.End {
		return nil
	}
	from, to := runeStart(text, max(0, span.Start-excerptAround)), runeStart(text, min(len(text), span.End+excerptAround))
	end := span.End
	x := &excerpt{}
	if end-span.Start > excerptPiece {
		end, x.Cut, to = runeStart(text, span.Start+excerptPiece), true, span.End
	}
	x.Before, x.Piece = text[from:span.Start], text[span.Start:end]
	if !x.Cut {
		x.After = text[end:to]
	}
	return x
}

// lines cuts a text into lines, as positions count them.
func sourceLines(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// pageOf finds what is known of a URL, which crawls keep in its canonical form.
func (d *dashboard) pageOf(ctx context.Context, job, address string, run int) (*store.Page, error) {
	if address == "" {
		return nil, &refusal{Status: http.StatusBadRequest, Text: "The address does not say which page: it has no url."}
	}
	return d.db.Page(ctx, job, canonical(address), run)
}

// fetched is the last time that a URL brought a body, up to a run: later visits
// may have found that it is as it was.
func (d *dashboard) fetched(ctx context.Context, job, address string, run int) (*store.Page, error) {
	p, err := d.pageOf(ctx, job, address, run)
	if err == nil && p.Response != nil {
		return p, nil
	} else if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	all, err := d.db.History(ctx, job, canonical(address))
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Backward(all) {
		if p.Response != nil && (run == 0 || p.Run <= run) {
			return &p, nil
		}
	}
	return nil, errNoResponse
}
