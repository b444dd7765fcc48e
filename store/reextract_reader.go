package store

import (
	"context"
	"errors"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/internal/body"
)

// pageReader takes the records from pages, one after the other, in memory that
// it uses again.
type pageReader struct {
	*reextraction
	body    []byte
	encoder recordEncoder
}

// keptRoom is how much memory a pageReader holds for the next body.
const keptRoom = 8 << 20

// read takes the records from a page, and keeps nothing of its body.
func (r *pageReader) read(ctx context.Context, p *rereadPage) {
	if p.noBody {
		return
	}
	src, err := r.db.unpackFast(ctx, p.body, r.body)
	if cap(src) > cap(r.body) && cap(src) <= keptRoom && p.body.Codec != body.None {
		r.body = src[:0]
	}
	p.body.Data = nil
	switch {
	case errors.Is(err, ErrNotKept):
		p.noBody = true
	case err != nil:
		p.err = err
	case !p.page.IsHTML():
		p.skipped = true
	default:
		p.page.Body = src
		p.err = r.extract(p)
		p.page.Body, p.headers = nil, ""
	}
}

func (r *pageReader) extract(p *rereadPage) (err error) {
	if p.page.Header, err = parseHeaders(p.headers); err != nil {
		return err
	}
	result, err := r.o.Read(p.url, &p.page)
	if err != nil {
		return err
	}
	if p.records, err = r.prepare(result.Records); err == nil {
		p.rejects, err = r.prepare(result.Rejects)
	}
	return err
}

// prepare prepares records. What is not needed any more can go: until they are
// in the stage, there are many of them.
func (r *pageReader) prepare(records []extract.Record) ([]preparedRecord, error) {
	prepared, err := r.encoder.prepare(records)
	for i := range records {
		records[i].Fields = nil
	}
	return prepared, err
}
