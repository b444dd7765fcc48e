package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// health is what the figures of a run are.
type health struct {
	id       int64 // of the run
	items    map[int64]*itemHealth
	outlines map[string]*outlineCount
	pages    int64 // that it fetched or did not need to
	limited  bool  // a limit ended it, or its plan was another: its volume says nothing
}

// itemHealth are the figures of an item type.
type itemHealth struct {
	name    string
	records int64
	rejects int64
	fields  map[string]*fieldHealth
}

func (i *itemHealth) total() int64 { return i.records + i.rejects }

// fieldHealth are the figures of a field.
type fieldHealth struct {
	filled    int64
	failed    int64
	different int64
	exact     bool
	values    sketch
}

func (i *itemHealth) field(name string) *fieldHealth {
	f := i.fields[name]
	if f == nil {
		f = &fieldHealth{}
		i.fields[name] = f
	}
	return f
}

// maxHealthFields bounds how many fields of an item are looked at. Items that
// are declared have far fewer; programs may save what they like.
const maxHealthFields = 1000

// measure takes the figures of the run, once its last page is committed. It
// reads what the run saw, once and in chunks of memory that do not grow with it.
func (r *run) measure(ctx context.Context, reason string) (*health, error) {
	h := &health{id: r.info.ID, items: map[int64]*itemHealth{}, limited: reason != ""}
	t, err := r.db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer t.Rollback()
	for _, step := range []func(context.Context, *sql.Tx, *run) error{h.readItems, h.readRecords, h.readRejects, h.readFailures} {
		if err := step(ctx, t, r); err != nil {
			return nil, err
		}
	}
	c := r.Info().Counters
	h.pages = c.Pages + c.Skipped[crawl.ReasonNotDue]
	for _, item := range h.items {
		for _, f := range item.fields {
			f.different, f.exact = f.values.count()
		}
	}
	return h, nil
}

// readItems makes room for the job's items. Those that it no longer declares
// have figures only if the run saw records of them.
func (h *health) readItems(ctx context.Context, t *sql.Tx, r *run) error {
	rows, err := t.QueryContext(ctx, `SELECT id, name, fields FROM items WHERE job_id = ?`, r.jobID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var text string
		item := &itemHealth{fields: map[string]*fieldHealth{}}
		if err := rows.Scan(&id, &item.name, &text); err != nil {
			return err
		}
		fields, err := itemtype.ParseFields(text)
		if err != nil {
			return err
		}
		if r.declared[item.name] {
			for _, f := range fields {
				item.field(f.Name)
			}
		}
		h.items[id] = item
	}
	return rows.Err()
}

// readRecords takes in the records that the run saw.
func (h *health) readRecords(ctx context.Context, t *sql.Tx, r *run) error {
	for _, id := range slices.Sorted(maps.Keys(h.items)) {
		item := h.items[id]
		rows, err := t.QueryContext(ctx, `SELECT data FROM records INDEXED BY magpie_records_current
			WHERE item_id = ? AND to_run IS NULL AND last_run = ?`, id, r.info.ID)
		if err != nil {
			return err
		}
		var data string
		for rows.Next() {
			if err := rows.Scan(&data); err != nil {
				rows.Close()
				return err
			}
			item.records++
			item.take(data)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if item.records == 0 && !r.declared[item.name] {
			delete(h.items, id)
		}
	}
	return nil
}

func (h *health) readRejects(ctx context.Context, t *sql.Tx, r *run) error {
	rows, err := t.QueryContext(ctx, `SELECT item_id, data FROM rejects WHERE run_id = ?`, r.info.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	var data string
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id, &data); err != nil {
			return err
		}
		if item := h.items[id]; item != nil {
			item.rejects++
			item.take(data)
		}
	}
	return rows.Err()
}

// take takes in the values of a record.
func (i *itemHealth) take(data string) {
	gjson.Parse(data).ForEach(func(name, value gjson.Result) bool {
		f := i.fields[name.Str]
		if f == nil {
			if len(i.fields) >= maxHealthFields {
				return true
			}
			f = i.field(strings.Clone(name.Str))
		}
		if !emptyValue(value.Raw) {
			f.filled++
			f.values.add(value.Raw)
		}
		return true
	})
}

// readFailures counts the records in which a field failed, each once.
func (h *health) readFailures(ctx context.Context, t *sql.Tx, r *run) error {
	rows, err := t.QueryContext(ctx, `SELECT item_id, url_id, position, field FROM problems
		WHERE run_id = ? AND field != '' AND code IN (?, ?, ?, ?) ORDER BY url_id`,
		r.info.ID, extract.ProblemType, extract.ProblemCheck, extract.ProblemSeveral, extract.ProblemLimit)
	if err != nil {
		return err
	}
	defer rows.Close()
	type place struct {
		item, position int64
		field          string
	}
	seen := map[place]bool{}
	var page int64
	for rows.Next() {
		var p place
		var url int64
		if err := rows.Scan(&p.item, &url, &p.position, &p.field); err != nil {
			return err
		}
		if url != page {
			clear(seen)
			page = url
		}
		if end := strings.IndexAny(p.field, ".["); end > 0 {
			p.field = p.field[:end]
		}
		item := h.items[p.item]
		if item == nil || seen[p] || item.fields[p.field] == nil {
			continue
		}
		seen[p] = true
		// Records that share a key are one, with the problems of all.
		if f := item.fields[p.field]; f.failed < item.total() {
			f.failed++
		}
	}
	return rows.Err()
}

// putHealth stores the figures of a run, in place of those that it had before
// it was taken up again.
func (t *tx) putHealth(h *health) error {
	for _, query := range []string{
		`DELETE FROM magpie_item_health WHERE run_id = ?`,
		`DELETE FROM magpie_field_health WHERE run_id = ?`,
		`DELETE FROM magpie_drifts WHERE run_id = ?`,
	} {
		if err := t.exec(query, h.id); err != nil {
			return err
		}
	}
	for id, item := range h.items {
		err := t.exec(`INSERT INTO magpie_item_health (run_id, item_id, records, rejects) VALUES (?, ?, ?, ?)`, h.id, id, item.records, item.rejects)
		if err != nil {
			return err
		}
		for name, f := range item.fields {
			err := t.exec(`INSERT INTO magpie_field_health (run_id, item_id, field, filled, failed, different, exact) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				h.id, id, name, f.filled, f.failed, f.different, f.exact)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
