package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// PageFilter says which URLs are wanted. Each zero field wants all.
type PageFilter struct {
	Job    string
	Run    int    // what became of URLs in this run of their job; 0: in the last that met them
	State  string // "pending", "done", "failed" or "skipped"
	Reason string // such as "scope" or "robots"
	Status int    // HTTP status; 1 to 5: all of this class, such as 404 and 410 for 4
	URL    string // a glob in which * stands for any characters
	Gone   bool   // only pages whose absence is confirmed
	Limit  int
}

// Page is a URL and what became of it in a run.
type Page struct {
	Job       string
	Run       int
	URL       string
	Host      string
	Kind      crawl.Kind
	State     crawl.State
	Reason    crawl.Reason // why, unless done
	Detail    string       // Reason, for people
	Depth     int          // links from a start URL
	Redirects int          // hops that led here from the link
	Attempts  int          // failed tries
	RetryAt   time.Time    // when a pending URL is due; zero: now
	FoundOn   string       // the page whose link led here; "": a start URL
	Response  *Response    // what settled it; nil: there was none
}

// Response is the stored answer to a request.
type Response struct {
	FetchedAt   time.Time
	Duration    time.Duration
	Status      int
	Header      http.Header
	ContentType string
	Location    string
	Canonical   string // the address that the page gives itself; "" if it gives none or its own
	Truncated   bool
	Warnings    []string
	Encoding    htmlparse.Encoding // zero when it was not parsed
	Size        int64              // bytes of the body
	SHA256      []byte             // of the body

	bodyID int64
}

// pageColumns reads a Page from urls u and, where there was a response in the
// same run, pages p. Of a run before the last that met the URL, only what was
// fetched is known.
const pageColumns = `u.id, j.name, r.number, u.url, h.name, u.kind,
	iif(u.run_id = r.id, u.state, p.state), coalesce(iif(u.run_id = r.id, u.reason, p.reason), ''),
	coalesce(iif(u.run_id = r.id, u.detail, ''), ''), u.depth, u.redirects, iif(u.run_id = r.id, u.attempts, 0),
	iif(u.run_id = r.id, u.not_before, 0), coalesce(f.url, ''),
	p.fetched_at, p.duration_us, p.status, p.headers, p.content_type, coalesce(p.location, ''), p.truncated,
	coalesce(p.warnings, '[]'), coalesce(p.encoding, ''), coalesce(p.encoding_confidence, 0), coalesce(p.encoding_source, ''),
	p.size, b.hash, p.body_id, coalesce(p.canonical, '')`

const pageTables = ` FROM urls u
	JOIN jobs j ON j.id = u.job_id
	JOIN runs r ON %s
	JOIN hosts h ON h.id = u.host_id
	LEFT JOIN urls f ON f.id = u.found_on
	LEFT JOIN pages p ON p.url_id = u.id AND p.run_id = r.id
	LEFT JOIN bodies b ON b.id = p.body_id`

// pageSelect reads pages of a run by its number, argument 1, or of each URL's
// last run.
func pageSelect(run int) string {
	if run == 0 {
		return "SELECT " + pageColumns + fmt.Sprintf(pageTables, "r.id = u.run_id")
	}
	return "SELECT " + pageColumns + fmt.Sprintf(pageTables, "r.job_id = u.job_id AND r.number = ?1")
}

// Pages lists URLs in the order in which the job first met them.
func (db *DB) Pages(ctx context.Context, f PageFilter) iter.Seq2[Page, error] {
	where := []string{`(u.run_id = r.id OR p.id IS NOT NULL)`}
	args := []any{f.Run}
	want := func(condition string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}
	if f.Job != "" {
		want(`j.name = ?%d`, f.Job)
	}
	if f.State != "" {
		want(`iif(u.run_id = r.id, u.state, p.state) = ?%d`, f.State)
	}
	if f.Reason != "" {
		want(`iif(u.run_id = r.id, u.reason, p.reason) = ?%d`, f.Reason)
	}
	switch {
	case f.Status >= 1 && f.Status <= 5:
		want(`p.status / 100 = ?%d`, f.Status)
	case f.Status != 0:
		want(`p.status = ?%d`, f.Status)
	}
	if f.URL != "" {
		want(`u.url GLOB ?%d`, globSQL(f.URL))
	}
	if f.Gone {
		where = append(where, `u.id IN (SELECT url_id FROM magpie_revisits WHERE gone_run IS NOT NULL)`)
	}
	query := fmt.Sprintf(`%s WHERE %s AND u.id > ?%d ORDER BY u.id LIMIT ?%d`,
		pageSelect(f.Run), strings.Join(where, " AND "), len(args)+1, len(args)+2)
	return list(ctx, db, f.Limit, query, args, scanPage)
}

// lastResponses lists the URLs of a job, or with "" of all jobs, that ever
// answered, in the order of Pages: each with its last response, whichever run
// that was in.
func (db *DB) lastResponses(ctx context.Context, job string) iter.Seq2[Page, error] {
	query := `SELECT ` + pageColumns + fmt.Sprintf(pageTables, `r.id = (SELECT max(run_id) FROM pages WHERE url_id = u.id)`) +
		` WHERE (?1 = '' OR j.name = ?1) AND u.id > ?2 ORDER BY u.id LIMIT ?3`
	return list(ctx, db, 0, query, []any{job}, scanPage)
}

// globSQL turns a glob that knows only * into one for SQL's GLOB, where ? and
// [ have a meaning too.
func globSQL(glob string) string {
	return strings.NewReplacer("?", "[?]", "[", "[[]").Replace(glob)
}

// Page returns a job's URL and what became of it in a run by its number; 0 is
// the last run that met it. It returns an error that wraps ErrNotFound if the
// job or that run has not met the URL.
func (db *DB) Page(ctx context.Context, job, url string, run int) (*Page, error) {
	var jobID int64
	err := db.read.QueryRowContext(ctx, `SELECT id FROM jobs WHERE name = ?`, job).Scan(&jobID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("job %q in %s: %w", job, db.path, ErrNotFound)
	} else if err != nil {
		return nil, db.fileError("read", err)
	}
	hash := hashURL(jobID, url)
	pages, err := collect(ctx, db, pageSelect(run)+` WHERE u.hash = ?2 AND (u.run_id = r.id OR p.id IS NOT NULL)`,
		[]any{run, hash[:]}, func(rows *sql.Rows) (Page, error) {
			p, _, err := scanPage(rows)
			return p, err
		})
	if err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s in job %q: %w", url, job, ErrNotFound)
	}
	return &pages[0], nil
}

// Body returns the body of a response, as Page or Pages returned it. The error
// wraps ErrNotKept where the job does not keep it.
func (db *DB) Body(ctx context.Context, r *Response) ([]byte, error) {
	src, err := db.bodyOf(ctx, db.read.QueryRowContext(ctx, `SELECT `+bodyColumns+` FROM bodies b WHERE id = ?`, r.bodyID))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("body in %s: %w", db.path, ErrNotFound)
	}
	return src, db.fileError("read", err)
}

func scanPage(rows *sql.Rows) (p Page, id int64, err error) {
	var kind, state string
	var retryAt int64
	var r responseScan
	err = rows.Scan(append([]any{&id, &p.Job, &p.Run, &p.URL, &p.Host, &kind, &state, &p.Reason, &p.Detail,
		&p.Depth, &p.Redirects, &p.Attempts, &retryAt, &p.FoundOn}, r.dest()...)...)
	if err != nil {
		return p, 0, err
	}
	p.Kind = kindOf(kind)
	if p.State, err = ParseState(state); err != nil {
		return p, 0, err
	}
	if retryAt > 0 {
		p.RetryAt = fromMillis(retryAt)
	}
	p.Response, err = r.response()
	return p, id, err
}

// responseScan reads the columns of pages, which are NULL without a response.
type responseScan struct {
	fetched, duration, status, size, bodyID         sql.NullInt64
	truncated                                       sql.NullBool
	headers, contentType                            sql.NullString
	location, warnings, encoding, source, canonical string
	confidence                                      int
	hash                                            []byte
}

func (s *responseScan) dest() []any {
	return []any{&s.fetched, &s.duration, &s.status, &s.headers, &s.contentType, &s.location, &s.truncated,
		&s.warnings, &s.encoding, &s.confidence, &s.source, &s.size, &s.hash, &s.bodyID, &s.canonical}
}

func (s *responseScan) response() (*Response, error) {
	if !s.bodyID.Valid {
		return nil, nil
	}
	r := &Response{
		FetchedAt: fromMillis(s.fetched.Int64), Duration: time.Duration(s.duration.Int64) * time.Microsecond,
		Status: int(s.status.Int64), ContentType: s.contentType.String, Location: s.location, Canonical: s.canonical, Truncated: s.truncated.Bool,
		Size: s.size.Int64, SHA256: s.hash, bodyID: s.bodyID.Int64,
	}
	if s.encoding != "" {
		r.Encoding = htmlparse.Encoding{Name: s.encoding, Confidence: htmlparse.Confidence(s.confidence), Source: s.source}
	}
	if err := json.Unmarshal([]byte(s.warnings), &r.Warnings); err != nil {
		return nil, err
	}
	if len(r.Warnings) == 0 {
		r.Warnings = nil
	}
	return r, json.Unmarshal([]byte(s.headers.String), &r.Header)
}
