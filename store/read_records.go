package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// ItemSummary is an item type of a job.
type ItemSummary struct {
	Job     string
	Name    string
	Fields  []string // names, in the order of the job file
	Records int64    // current ones
}

// Items lists the item types of a job, or with "" of all jobs, in the order
// of their job files.
func (db *DB) Items(ctx context.Context, job string) ([]ItemSummary, error) {
	return db.items(ctx, job, `(SELECT count(*) FROM records WHERE item_id = items.id AND to_run IS NULL)`)
}

// ItemTypes is Items without a count of the records, which takes a while where
// there are millions: Records is 0.
func (db *DB) ItemTypes(ctx context.Context, job string) ([]ItemSummary, error) {
	return db.items(ctx, job, `0`)
}

func (db *DB) items(ctx context.Context, job, count string) ([]ItemSummary, error) {
	return collect(ctx, db, `SELECT jobs.name, items.name, items.fields, `+count+`
		FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE ?1 = '' OR jobs.name = ?1 ORDER BY jobs.id, items.position, items.id`, []any{job},
		func(rows *sql.Rows) (s ItemSummary, err error) {
			var fields string
			if err := rows.Scan(&s.Job, &s.Name, &fields, &s.Records); err != nil {
				return s, err
			}
			parsed, err := itemtype.ParseFields(fields)
			for _, f := range parsed {
				s.Fields = append(s.Fields, f.Name)
			}
			return s, err
		})
}

// RecordFilter says which records are wanted. Each zero field wants all.
type RecordFilter struct {
	Job   string
	Item  string
	Run   int // as they stood after this run of their job; 0: now
	Limit int
}

// Record is a version of a record: the current one, or that which held after
// the run asked for.
type Record struct {
	Job      string
	Item     string
	Key      string
	URL      string          // the page that showed it last
	Position int             // its place among that page's records of the item
	FirstRun int             // it has read so since this run
	LastRun  int             // the last run that saw it
	Data     json.RawMessage // the fields in the spec's order
}

// recordTables are what Records and CountRecords read: the records of job ?1
// and item ?2 as they stood after run ?3.
const recordTables = ` FROM records r
	JOIN items i ON i.id = r.item_id
	JOIN jobs j ON j.id = i.job_id
	LEFT JOIN runs h ON h.job_id = j.id AND h.number = ?3
	WHERE (?1 = '' OR j.name = ?1) AND (?2 = '' OR i.name = ?2)
	AND (?3 = 0 AND r.to_run IS NULL OR r.from_run <= h.id AND (r.to_run IS NULL OR r.to_run > h.id))`

// CountRecords counts what Records lists without a limit.
func (db *DB) CountRecords(ctx context.Context, f RecordFilter) (n int64, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT count(*)`+recordTables, f.Job, f.Item, f.Run).Scan(&n)
	return n, db.fileError("read", err)
}

// Records lists records in the order in which their versions were stored.
func (db *DB) Records(ctx context.Context, f RecordFilter) iter.Seq2[Record, error] {
	return list(ctx, db, f.Limit, `SELECT r.id, j.name, i.name, r.key, (SELECT url FROM urls WHERE id = r.url_id), r.position,
			(SELECT number FROM runs WHERE id = r.from_run), (SELECT number FROM runs WHERE id = r.last_run), r.data`+
		recordTables+
		` AND r.id > ?4 ORDER BY r.id LIMIT ?5`, []any{f.Job, f.Item, f.Run},
		func(rows *sql.Rows) (r Record, id int64, err error) {
			err = rows.Scan(&id, &r.Job, &r.Item, &r.Key, &r.URL, &r.Position, &r.FirstRun, &r.LastRun, (*[]byte)(&r.Data))
			return r, id, err
		})
}

// scanFields reads items.fields, one row each.
func scanFields(rows *sql.Rows) ([][]itemtype.Field, error) {
	defer rows.Close()
	var all [][]itemtype.Field
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		fields, err := itemtype.ParseFields(text)
		if err != nil {
			return nil, err
		}
		all = append(all, fields)
	}
	return all, rows.Err()
}
