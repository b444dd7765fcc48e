package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract/article"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/store/internal/body"
	"github.com/magpie-crawl/magpie/store/search"
)

// pageChunk is how many pages go into the index in one transaction.
const pageChunk = 64

// searchPage is the last good response of a URL.
type searchPage struct {
	id, urlID   int64
	url         string
	contentType string
	body        body.Body
	hash        []byte
}

const searchPageQuery = `SELECT p.id, u.id, u.url, p.content_type, b.hash, b.size, b.codec, b.data, coalesce(b.dictionary_id, 0)
	FROM pages p
	JOIN urls u ON u.id = p.url_id
	JOIN magpie_revisits v ON v.page_id = p.id
	JOIN bodies b ON b.id = p.body_id
	WHERE u.kind = 'page' AND p.status IN (200, 304) AND v.gone_run IS NULL AND `

// readPages reads pages that a condition holds for, the first of them where
// they are large.
func (s *SearchIndex) readPages(ctx context.Context, where string, args ...any) ([]searchPage, error) {
	rows, err := s.db.read.QueryContext(ctx, searchPageQuery+where, args...)
	if err != nil {
		return nil, s.db.fileError("read", err)
	}
	defer rows.Close()
	var chunk []searchPage
	for size := 0; size < searchChunkBytes && rows.Next(); {
		var p searchPage
		if err := rows.Scan(&p.id, &p.urlID, &p.url, &p.contentType, &p.hash, &p.body.Size, &p.body.Codec, &p.body.Data, &p.body.Dict); err != nil {
			return nil, s.db.fileError("read", err)
		}
		copy(p.body.Hash[:], p.hash)
		chunk, size = append(chunk, p), size+len(p.body.Data)
	}
	return chunk, s.db.fileError("read", rows.Err())
}

// updatePages indexes the articles of a job's pages that are new.
func (s *SearchIndex) updatePages(ctx context.Context, job string, progress func(SearchProgress)) error {
	var jobID, newest, first int64
	err := s.db.read.QueryRowContext(ctx, `SELECT id, (SELECT coalesce(max(id), 0) FROM pages) FROM jobs WHERE name = ?`, job).Scan(&jobID, &newest)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("job %q in %s: %w", job, s.db.path, ErrNotFound)
	} else if err != nil {
		return s.db.fileError("read", err)
	}
	name := fmt.Sprintf("pages:%d", jobID)
	for {
		n := 0
		err := s.chunk(ctx, func(t *tx) error {
			after, _, err := progressOf(t, name)
			if err != nil {
				return err
			}
			if first == 0 {
				first = after
			}
			chunk, err := s.readPages(ctx, `u.job_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`, jobID, after, pageChunk)
			if n = len(chunk); err != nil || n == 0 {
				return err
			}
			if err := s.indexPages(ctx, t, jobID, chunk); err != nil {
				return err
			}
			final := chunk[n-1].id
			progress(SearchProgress{Pages: true, Done: final - first, Total: max(newest, final) - first})
			return setProgress(t, name, final, "")
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// indexPages indexes the pages of a chunk that don't read as they did.
func (s *SearchIndex) indexPages(ctx context.Context, t *tx, jobID int64, chunk []searchPage) error {
	var changed []*searchPage
	for i := range chunk {
		same := false
		if _, err := t.row(`SELECT hash = ? FROM docs WHERE kind = ? AND ref = ?`, []any{chunk[i].hash, pageDoc, chunk[i].urlID}, &same); err != nil {
			return err
		}
		if !same {
			changed = append(changed, &chunk[i])
		}
	}
	values, err := s.db.readArticles(ctx, changed)
	if err != nil {
		return s.db.fileError("read", err)
	}
	for i, p := range changed {
		if len(values[i]) == 0 {
			err = dropDoc(t, pageDoc, p.urlID)
		} else {
			err = s.putDoc(t, searchDoc{pageDoc, p.urlID, jobID, 0, p.hash}, values[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readArticles returns the texts of each page, on all processors.
func (db *DB) readArticles(ctx context.Context, pages []*searchPage) ([][]search.Value, error) {
	values, errs := make([][]search.Value, len(pages)), make([]error, len(pages))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				values[i], errs[i] = pages[i].values(ctx, db)
			}
		})
	}
	for i := range pages {
		next <- i
	}
	close(next)
	workers.Wait()
	return values, errors.Join(errs...)
}

// values returns the texts of a page's article; none if it has none.
func (p *searchPage) values(ctx context.Context, db *DB) (values []search.Value, err error) {
	src, err := db.unpack(ctx, p.body)
	if errors.Is(err, ErrNotKept) {
		return nil, nil // the job does not keep it
	}
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", p.url, err)
	}
	response := crawl.Page{ContentType: p.contentType, Body: src}
	if !response.IsHTML() {
		return nil, nil
	}
	doc, err := htmlparse.ParseBytes(src, &htmlparse.Options{ContentType: p.contentType})
	if err != nil {
		return nil, nil // the crawl has told it
	}
	a, ok := article.Read(doc.Root, p.url)
	if !ok {
		return nil, nil
	}
	for _, v := range []search.Value{{Name: "title", Text: a.Title}, {Name: "byline", Text: a.Byline}, {Name: "text", Text: a.Text}} {
		if v.Text != "" {
			values = append(values, v)
		}
	}
	return values, nil
}
