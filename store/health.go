package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/internal/health"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// measure takes the figures of the run, once its last page is committed. It
// reads what the run saw, once and in chunks of memory that do not grow with it.
func (r *run) measure(ctx context.Context, reason string) (*health.Figures, error) {
	h := &health.Figures{Run: r.info.ID, Items: map[int64]*health.Item{}, Limited: reason != ""}
	t, err := r.db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer t.Rollback()
	for _, step := range []func(context.Context, *sql.Tx, *health.Figures) error{r.readItems, r.readRecords, r.readRejects, r.readFailures} {
		if err := step(ctx, t, h); err != nil {
			return nil, err
		}
	}
	c := r.Info().Counters
	h.Pages = c.Pages + c.Skipped[crawl.ReasonNotDue]
	h.CountValues()
	return h, nil
}

// readItems makes room for the job's items. Those that it no longer declares
// have figures only if the run saw records of them.
func (r *run) readItems(ctx context.Context, t *sql.Tx, h *health.Figures) error {
	rows, err := t.QueryContext(ctx, `SELECT id, name, fields FROM items WHERE job_id = ?`, r.jobID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var text string
		item := health.NewItem()
		if err := rows.Scan(&id, &item.Name, &text); err != nil {
			return err
		}
		fields, err := itemtype.ParseFields(text)
		if err != nil {
			return err
		}
		if r.declared[item.Name] {
			for _, f := range fields {
				item.Field(f.Name)
			}
		}
		h.Items[id] = item
	}
	return rows.Err()
}

// readRecords takes in the records that the run saw.
func (r *run) readRecords(ctx context.Context, t *sql.Tx, h *health.Figures) error {
	for _, id := range slices.Sorted(maps.Keys(h.Items)) {
		item := h.Items[id]
		if err := r.readItem(ctx, t, id, item); err != nil {
			return err
		}
		if item.Records == 0 && !r.declared[item.Name] {
			delete(h.Items, id)
		}
	}
	return nil
}

// healthBatch is how many records of an item are taken in at a time: while
// some are, the next are read.
const healthBatch = 256

// readItem takes in the records of an item.
func (r *run) readItem(ctx context.Context, t *sql.Tx, id int64, item *health.Item) error {
	rows, err := t.QueryContext(ctx, `SELECT data FROM records INDEXED BY magpie_records_current
		WHERE item_id = ? AND to_run IS NULL AND last_run = ?`, id, r.info.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	batches := make(chan []string, 2)
	var taking sync.WaitGroup
	taking.Go(func() {
		for batch := range batches {
			item.Records += int64(len(batch))
			for _, data := range batch {
				item.Take(data)
			}
		}
	})
	defer taking.Wait()
	defer close(batches)
	batch := make([]string, 0, healthBatch)
	for rows.Next() {
		var data string
		if err := rows.Scan(&data); err != nil {
			return err
		}
		if batch = append(batch, data); len(batch) == healthBatch {
			batches <- batch
			batch = make([]string, 0, healthBatch)
		}
	}
	batches <- batch
	return rows.Err()
}

func (r *run) readRejects(ctx context.Context, t *sql.Tx, h *health.Figures) error {
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
		if item := h.Items[id]; item != nil {
			item.Rejects++
			item.Take(data)
		}
	}
	return rows.Err()
}

// readFailures counts the records in which a field failed, each once.
func (r *run) readFailures(ctx context.Context, t *sql.Tx, h *health.Figures) error {
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
		item := h.Items[p.item]
		if item == nil || seen[p] || item.Fields[p.field] == nil {
			continue
		}
		seen[p] = true
		// Records that share a key are one, with the problems of all.
		if f := item.Fields[p.field]; f.Failed < item.Total() {
			f.Failed++
		}
	}
	return rows.Err()
}

// putHealth stores the figures of a run, in place of those that it had before
// it was taken up again.
func (t *tx) putHealth(h *health.Figures) error {
	for _, query := range []string{
		`DELETE FROM magpie_item_health WHERE run_id = ?`,
		`DELETE FROM magpie_field_health WHERE run_id = ?`,
		`DELETE FROM magpie_drifts WHERE run_id = ?`,
	} {
		if err := t.exec(query, h.Run); err != nil {
			return err
		}
	}
	for id, item := range h.Items {
		err := t.exec(`INSERT INTO magpie_item_health (run_id, item_id, records, rejects) VALUES (?, ?, ?, ?)`, h.Run, id, item.Records, item.Rejects)
		if err != nil {
			return err
		}
		for name, f := range item.Fields {
			err := t.exec(`INSERT INTO magpie_field_health (run_id, item_id, field, filled, failed, different, exact) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				h.Run, id, name, f.Filled, f.Failed, f.Different, f.Exact)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// putDrifts stores what of a run is worse than usual.
func (t *tx) putDrifts(runID int64, drifts []health.Drift) error {
	for _, d := range drifts {
		var item any
		if d.ItemID > 0 {
			item = d.ItemID
		}
		err := t.exec(`INSERT INTO magpie_drifts (run_id, item_id, field, pattern, kind, usual, now, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			runID, item, null(d.Field), null(d.Pattern), string(d.Kind), d.Usual, d.Now, d.Detail)
		if err != nil {
			return err
		}
	}
	return nil
}
