package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// PagesQuery asks for a page of the URLs of a job, with what became of them.
type PagesQuery struct {
	Job      string
	Run      int           // what became of URLs in this run; 0: in the last that met them
	State    string        // "pending", "done", "failed" or "skipped"; "": any
	Reason   string        // such as "scope" or "robots"; "": any
	Status   int           // HTTP status; 1 to 5: all of this class; 0: any
	Host     string        // "": any
	Prefix   string        // that URLs begin with
	Contains string        // that URLs contain, without regard to the case of A to Z
	After    string        // PagesPage.Next of the page before; "": from the first on
	Limit    int           // URLs of a page (default 50, at most 500)
	Within   time.Duration // how long it may look for them (default 150ms)
}

// PagesPage is a page of the URLs of a job, in the order in which it met them.
type PagesPage struct {
	Pages []Page
	Next  string // PagesQuery.After of the next page; "": these are the last
	// Partial says that there are fewer than Limit because more were not found in
	// the time: Next goes on with the search.
	Partial bool
	Seen    int64 // URLs that were looked at
}

const (
	defaultPagesLimit  = 50
	maxPagesLimit      = 500
	defaultPagesWithin = 150 * time.Millisecond
	pagesStep          = 4000 // URLs that are looked at in one query
)

// PagesPage returns a page of a job's URLs. Whatever the filters, and however
// few URLs pass them, it takes little longer than q.Within: it then returns
// what it has found, and where to go on. It returns an error that wraps
// ErrNotFound if there is no such job or run, and a *QueryFault for mistakes.
func (db *DB) PagesPage(ctx context.Context, q PagesQuery) (*PagesPage, error) {
	l, err := db.newPagesLook(ctx, q)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	page := &PagesPage{}
	for {
		done, err := l.step(ctx, page)
		if err != nil {
			return nil, err
		}
		switch {
		case len(page.Pages) == l.q.Limit:
			page.Next = strconv.FormatInt(l.after, 10)
			return page, l.trimNext(ctx, page)
		case done:
			return page, nil
		case time.Since(began) > l.q.Within:
			page.Next, page.Partial = strconv.FormatInt(l.after, 10), true
			return page, nil
		}
	}
}

// pagesLook is a PagesQuery made ready.
type pagesLook struct {
	db           *DB
	q            PagesQuery
	jobID, runID int64
	after        int64  // the last URL that was looked at
	source       string // the ids of URLs behind ?2, in their order, at most ?3
	where        []string
	args         []any
}

func (db *DB) newPagesLook(ctx context.Context, q PagesQuery) (*pagesLook, error) {
	if q.Limit <= 0 {
		q.Limit = defaultPagesLimit
	}
	if q.Within <= 0 {
		q.Within = defaultPagesWithin
	}
	q.Limit = min(q.Limit, maxPagesLimit)
	l := &pagesLook{db: db, q: q}
	var err error
	if q.After != "" {
		if l.after, err = strconv.ParseInt(q.After, 10, 64); err != nil || l.after < 0 {
			return nil, &QueryFault{"cursor", "it is not one of this listing: begin at the first page"}
		}
	}
	if q.State != "" {
		if _, err := ParseState(q.State); err != nil {
			return nil, &QueryFault{"state", err.Error()}
		}
	}
	var last int64
	err = db.reading(ctx, func(t *sql.Tx) (err error) {
		if l.jobID, err = db.jobIDIn(ctx, t, q.Job); err != nil {
			return err
		}
		if err := t.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM runs WHERE job_id = ?`, l.jobID).Scan(&last); err != nil || q.Run == 0 {
			return err
		}
		err = t.QueryRowContext(ctx, `SELECT id FROM runs WHERE job_id = ? AND number = ?`, l.jobID, q.Run).Scan(&l.runID)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("run %d of job %q in %s: %w", q.Run, q.Job, db.path, ErrNotFound)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	l.filter()
	l.chooseSource(last)
	return l, nil
}

// want adds a condition on a value, which stands in it as %d.
func (l *pagesLook) want(condition string, value any) {
	l.args = append(l.args, value)
	l.where = append(l.where, fmt.Sprintf(condition, len(l.args)+4))
}

func (l *pagesLook) filter() {
	q := &l.q
	if q.State != "" {
		l.want(`iif(u.run_id = r.id, u.state, p.state) = ?%d`, q.State)
	}
	if q.Reason != "" {
		l.want(`iif(u.run_id = r.id, u.reason, p.reason) = ?%d`, q.Reason)
	}
	switch {
	case q.Status >= 1 && q.Status <= 5:
		l.want(`p.status / 100 = ?%d`, q.Status)
	case q.Status != 0:
		l.want(`p.status = ?%d`, q.Status)
	}
	if q.Host != "" {
		l.want(`u.host_id = (SELECT id FROM hosts WHERE name = ?%d)`, q.Host)
	}
	if q.Prefix != "" {
		l.want(`substr(u.url, 1, length(?%[1]d)) = ?%[1]d`, q.Prefix)
	}
	if q.Contains != "" {
		l.want(`u.url LIKE ?%d ESCAPE '\'`, "%"+likeEscaper.Replace(q.Contains)+"%")
	}
}

// chooseSource decides which URLs are looked at: where a reason, failures or
// what was skipped in the job's last run is asked for, those alone, by their
// index. What became of URLs in earlier runs is not in it, since later ones met
// them again; nor are those that the last run did not meet.
func (l *pagesLook) chooseSource(last int64) {
	l.source = `SELECT id FROM urls INDEXED BY magpie_urls_by_job WHERE job_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3`
	if l.runID != last || l.runID == 0 || l.q.State != "failed" && l.q.State != "skipped" || l.q.Reason == "" {
		return
	}
	l.args = append(l.args, l.q.State, l.q.Reason)
	l.source = fmt.Sprintf(`SELECT id FROM urls INDEXED BY magpie_urls_not_had WHERE ?1 AND run_id = %d AND state IN ('failed', 'skipped')
		AND state = ?%d AND reason = ?%d AND id > ?2 ORDER BY id LIMIT ?3`, l.runID, len(l.args)+3, len(l.args)+4)
}

// step looks at the next URLs. done is true if there are none behind them.
func (l *pagesLook) step(ctx context.Context, page *PagesPage) (done bool, err error) {
	return done, l.db.reading(ctx, func(t *sql.Tx) error {
		var end sql.NullInt64
		var seen int64
		args := []any{l.jobID, l.after, pagesStep}
		args = append(args, append([]any{l.runID}, l.args...)...)
		if err := t.QueryRowContext(ctx, `SELECT max(id), count(*) FROM (`+l.source+`)`, args...).Scan(&end, &seen); err != nil {
			return err
		}
		if !end.Valid {
			done = true
			return nil
		}
		tables := fmt.Sprintf(pageTables, "r.id = iif(?4 = 0, u.run_id, ?4)")
		where := append([]string{"(u.run_id = r.id OR p.id IS NOT NULL)"}, l.where...)
		query := `SELECT ` + pageColumns + strings.Replace(tables, "FROM urls u", "FROM ("+l.source+") AS source CROSS JOIN urls u ON u.id = source.id", 1) +
			` WHERE ` + strings.Join(where, " AND ") + fmt.Sprintf(" ORDER BY u.id LIMIT %d", l.q.Limit-len(page.Pages))
		last := end.Int64
		pages, err := collectIn(ctx, t, query, args, func(rows *sql.Rows) (Page, error) {
			p, id, err := scanPage(rows)
			last = id
			return p, err
		})
		if err != nil {
			return err
		}
		page.Pages = append(page.Pages, pages...)
		page.Seen += seen
		if len(page.Pages) < l.q.Limit {
			last = end.Int64
			done = seen < pagesStep
		}
		l.after = last
		return nil
	})
}

// trimNext takes the cursor from a full page behind which there are no URLs.
func (l *pagesLook) trimNext(ctx context.Context, page *PagesPage) error {
	return l.db.reading(ctx, func(t *sql.Tx) error {
		var more bool
		err := t.QueryRowContext(ctx, `SELECT EXISTS (`+l.source+`)`, append([]any{l.jobID, l.after, 1, l.runID}, l.args...)...).Scan(&more)
		if err == nil && !more {
			page.Next = ""
		}
		return err
	})
}
