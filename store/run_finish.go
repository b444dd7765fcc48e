package store

import (
	"context"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/health"
)

// Finish implements crawl.Run. The run's figures, how they compare with those
// of the runs before, and the messages that are then due are stored with its
// end, in one transaction.
func (r *run) Finish(ctx context.Context, reason string) error {
	if err := r.usable(); err != nil {
		return err
	}
	var h *health.Figures
	if !r.health.Off {
		var err error
		if h, err = r.measure(ctx, reason); err != nil {
			return r.db.fileError("read the records of", err)
		}
	}
	var gone int64
	err := r.db.writer.transact(ctx, func(t *tx) (err error) {
		now := time.Now()
		if err := t.keepHold(r.jobID, r.epoch, now); err != nil {
			return err
		}
		if gone, err = t.endRecords(r.jobID, r.info.ID); err != nil {
			return err
		}
		gone += r.Info().Counters.RecordsGone // that it had ended before it was taken up again
		err = t.exec(`UPDATE runs SET state = 'finished', reason = nullif(?, ''), ended_at = ?, records_gone = ? WHERE id = ?`,
			reason, millis(now), gone, r.info.ID)
		if err != nil {
			return err
		}
		drifts, err := r.settleHealth(t, h)
		if err != nil {
			return err
		}
		return r.notify(t, len(drifts) > 0, gone, now)
	})
	if err != nil {
		return r.db.fileError("finish a run in", err)
	}
	r.mu.Lock()
	r.finished = true
	r.info.Counters.RecordsGone = gone
	r.mu.Unlock()
	return nil
}

// settleHealth stores a run's figures and what of them is worse than usual.
func (r *run) settleHealth(t *tx, h *health.Figures) ([]health.Drift, error) {
	if h == nil {
		return nil, nil
	}
	before, err := t.healthBefore(r.jobID, r.info.ID)
	if err != nil {
		return nil, err
	}
	if h.Outlines, err = t.outlines(r.info.ID); err != nil {
		return nil, err
	}
	if err := t.putHealth(h); err != nil {
		return nil, err
	}
	drifts := health.Compare(h, before, r.health)
	return drifts, t.putDrifts(r.info.ID, drifts)
}

// healthBefore reads the figures of the runs before one, the last first.
func (t *tx) healthBefore(jobID, runID int64) ([]*health.Figures, error) {
	all, err := t.finishedBefore(jobID, runID)
	if err != nil {
		return nil, err
	}
	for _, h := range all {
		if err := t.readHealth(h); err != nil {
			return nil, err
		}
		if h.Outlines, err = t.outlines(h.Run); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (t *tx) finishedBefore(jobID, runID int64) ([]*health.Figures, error) {
	// What a run with another plan was led to says nothing of volume, like one
	// that a limit ended.
	rows, err := t.query(`SELECT id, pages + coalesce(json_extract(skipped, '$."`+string(crawl.ReasonNotDue)+`"'), 0), reason IS NOT NULL OR plan != (SELECT plan FROM runs WHERE id = ?2) FROM runs
		WHERE job_id = ?1 AND id < ?2 AND state = 'finished'
			AND (EXISTS (SELECT 1 FROM magpie_item_health WHERE run_id = runs.id) OR EXISTS (SELECT 1 FROM magpie_outlines WHERE run_id = runs.id))
		ORDER BY id DESC LIMIT ?3`, jobID, runID, health.Baseline)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []*health.Figures
	for rows.Next() {
		h := &health.Figures{Items: map[int64]*health.Item{}}
		if err := rows.Scan(&h.Run, &h.Pages, &h.Limited); err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, rows.Err()
}

// readHealth reads the figures of a run's items and fields.
func (t *tx) readHealth(h *health.Figures) error {
	rows, err := t.query(`SELECT item_id, records, rejects, field, filled, failed, different
		FROM magpie_item_health LEFT JOIN magpie_field_health USING (run_id, item_id) WHERE run_id = ?`, h.Run)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var item health.Item
		var field *string
		var filled, failed, different *int64
		if err := rows.Scan(&id, &item.Records, &item.Rejects, &field, &filled, &failed, &different); err != nil {
			return err
		}
		known := h.Items[id]
		if known == nil {
			known = &item
			known.Fields = map[string]*health.Field{}
			h.Items[id] = known
		}
		if field != nil {
			known.Fields[*field] = &health.Field{Filled: *filled, Failed: *failed, Different: *different}
		}
	}
	return rows.Err()
}
