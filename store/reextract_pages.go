package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/body"
)

// Bounds of a chunk of pages: so much is read at a time. A few chunks are on
// their way at any moment.
const (
	rereadPages = 128
	rereadBytes = 2 << 20
)

// rereadPage is a stored page on its way to its records.
type rereadPage struct {
	urlID   int64
	url     string
	seen    int64 // id of the run whose problems are those of the page now
	noBody  bool
	headers string
	page    crawl.Page
	body    body.Body

	skipped          bool // it is no HTML
	err              error
	records, rejects []preparedRecord
}

// rereadChunk is a number of pages that are read from the database, and go to
// the stage, together. Between the two they go their own ways.
type rereadChunk struct {
	pages  []rereadPage
	packed []byte        // their bodies as they are stored
	left   atomic.Int64  // how many of them are to be read
	done   chan struct{} // closed when none is
}

// rereadTask is a page of a chunk.
type rereadTask struct {
	*rereadChunk
	page int
}

// rereadQuery reads the last good responses of a job's URLs that are not gone.
// The run that a page's problems are of is the last that read it.
const rereadQuery = `SELECT u.id, u.url, iif(u.state = 'done' OR u.reason = 'not-due', u.run_id, p.run_id),
		p.fetched_at, p.status, p.headers, p.content_type, p.truncated, b.hash, b.size, b.codec, b.data, coalesce(b.dictionary_id, 0)
	FROM magpie_revisits v
	CROSS JOIN urls u ON u.id = v.url_id
	CROSS JOIN pages p ON p.id = v.page_id
	LEFT JOIN bodies b ON b.id = p.body_id
	WHERE u.job_id = ?1 AND u.kind = 'page' AND v.gone_run IS NULL AND v.url_id > ?2`

const (
	rereadAll    = rereadQuery + ` ORDER BY v.url_id LIMIT ?3`
	rereadSample = rereadQuery + ` AND v.url_id IN (SELECT value FROM json_each(?4)) ORDER BY v.url_id LIMIT ?3`
)

// readPages takes the records of all pages, or of the sample, to the stage, in
// the order of the pages. The reading goes on on all processors.
func (x *reextraction) readPages(ctx context.Context) error {
	all, sample, err := x.choose(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := runtime.GOMAXPROCS(0)
	work, ordered := make(chan rereadTask, rereadPages), make(chan *rereadChunk, workers+1)
	free := make(chan []byte, workers) // memory of chunks that are read, for the next
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() {
		defer close(work)
		defer close(ordered)
		if err := x.readChunks(ctx, sample, work, ordered, free); err != nil {
			cancel(err)
		}
	})
	for range workers {
		running.Go(func() {
			r := &pageReader{reextraction: x}
			for t := range work {
				r.read(ctx, &t.pages[t.page])
				if t.left.Add(-1) == 0 {
					t.finish(free)
				}
			}
		})
	}
	for c := range ordered {
		select {
		case <-c.done:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		if err := x.stage.put(ctx, x, c.pages); err != nil {
			cancel(err)
			break
		}
		if x.o.OnProgress != nil {
			x.o.OnProgress(x.sum.Pages+x.sum.NotHTML+x.sum.NoBody+x.sum.Failed, all)
		}
	}
	return context.Cause(ctx)
}

// finish gives back the memory of a chunk whose pages are read.
func (c *rereadChunk) finish(free chan<- []byte) {
	if cap(c.packed) <= keptRoom {
		select {
		case free <- c.packed[:0]:
		default:
		}
	}
	c.packed = nil
	close(c.done)
}

// choose counts the pages to read, and picks them where it is a sample: by the
// hashes of their URLs, so that it is spread over the site and is always the
// same.
func (x *reextraction) choose(ctx context.Context) (all int64, sample []int64, err error) {
	if x.o.Sample > 0 {
		sample, err = collect(ctx, x.db, `SELECT u.id FROM urls u
			CROSS JOIN magpie_revisits v ON v.url_id = u.id AND v.gone_run IS NULL
			CROSS JOIN pages p ON p.id = v.page_id AND (p.content_type LIKE '%html%' OR p.content_type = '')
			WHERE u.job_id = ?1 AND u.kind = 'page' ORDER BY u.hash LIMIT ?2`, []any{x.jobID, x.o.Sample},
			func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) })
		return int64(len(sample)), sample, err
	}
	err = x.db.read.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE gone_run IS NULL), count(*) FILTER (WHERE gone_run IS NOT NULL)
		FROM magpie_revisits v CROSS JOIN urls u ON u.id = v.url_id WHERE u.job_id = ? AND u.kind = 'page'`, x.jobID).Scan(&all, &x.sum.Gone)
	return all, nil, err
}

// readChunks sends the stored pages, chunk by chunk, to those who wait for the
// result, and one by one to the workers, in memory that is free.
func (x *reextraction) readChunks(ctx context.Context, sample []int64, work chan<- rereadTask, ordered chan<- *rereadChunk, free <-chan []byte) error {
	query, args := rereadAll, []any{x.jobID, int64(0), rereadPages}
	if x.o.Sample > 0 {
		ids, err := json.Marshal(sample)
		if err != nil {
			return err
		}
		query, args = rereadSample, append(args, string(ids))
	}
	stmt, err := x.db.read.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for {
		c := &rereadChunk{done: make(chan struct{})}
		select {
		case c.packed = <-free:
		default:
		}
		if err := c.fill(ctx, stmt, args); err != nil || len(c.pages) == 0 {
			return err
		}
		args[1] = c.pages[len(c.pages)-1].urlID
		c.left.Store(int64(len(c.pages)))
		select {
		case ordered <- c:
		case <-ctx.Done():
			return nil
		}
		for i := range c.pages {
			select {
			case work <- rereadTask{c, i}:
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// fill reads the next pages.
func (c *rereadChunk) fill(ctx context.Context, stmt *sql.Stmt, args []any) error {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for size := 0; size < rereadBytes && rows.Next(); {
		p := rereadPage{}
		var fetched int64
		var bodySize sql.NullInt64
		var codec sql.NullString
		var hash, data sql.RawBytes
		if err := rows.Scan(&p.urlID, &p.url, &p.seen, &fetched, &p.page.Status, &p.headers, &p.page.ContentType, &p.page.Truncated,
			&hash, &bodySize, &codec, &data, &p.body.Dict); err != nil {
			return err
		}
		p.page.FetchedAt = fromMillis(fetched)
		p.noBody = !bodySize.Valid
		p.body.Size, p.body.Codec = int(bodySize.Int64), codec.String
		copy(p.body.Hash[:], hash)
		size += p.body.Size
		start := len(c.packed)
		c.packed = append(c.packed, data...) // where it moves, the bodies before stay behind, whole
		p.body.Data = c.packed[start:len(c.packed):len(c.packed)]
		c.pages = append(c.pages, p)
	}
	return rows.Err()
}
