package store

import (
	"context"
	"database/sql"
)

// JobFigures are the figures of a job's last runs, oldest first.
type JobFigures struct {
	Runs   []RunFigures
	Fields []FieldFigures // by item and field in the order of the job file
}

// FieldFigures is how full a field was in each of JobFigures.Runs.
type FieldFigures struct {
	Item  string
	Field string
	Fill  []float64 // share of the records and rejects that have it, from 0 to 1; -1: the run has no figures of it
}

// maxFigureRuns bounds how many runs JobFigures tells of.
const maxFigureRuns = 500

// Figures returns the figures of a job's last runs, at most 500. It returns an
// error that wraps ErrNotFound if there is no such job.
func (db *DB) Figures(ctx context.Context, job string, runs int) (*JobFigures, error) {
	f := &JobFigures{}
	err := db.reading(ctx, func(t *sql.Tx) error {
		jobID, err := db.jobIDIn(ctx, t, job)
		if err != nil {
			return err
		}
		texts, err := collectIn(ctx, t, `SELECT `+figureColumns+` FROM runs r INDEXED BY magpie_runs_figures WHERE r.job_id = ? ORDER BY r.number DESC LIMIT ?`,
			[]any{jobID, min(max(runs, 1), maxFigureRuns)}, func(rows *sql.Rows) (text string, err error) { return text, rows.Scan(&text) })
		if err != nil {
			return err
		}
		f.Runs = make([]RunFigures, len(texts))
		at := map[int]int{}
		for i, text := range texts {
			place := len(texts) - 1 - i
			if f.Runs[place], err = parseFigures(text); err != nil {
				return err
			}
			at[f.Runs[place].Number] = place
		}
		return f.readFields(ctx, t, jobID, at)
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readFields reads how full the fields were in the runs whose places at has.
func (f *JobFigures) readFields(ctx context.Context, t *sql.Tx, jobID int64, at map[int]int) error {
	if len(f.Runs) == 0 {
		return nil
	}
	places := map[[2]string]int{}
	_, err := collectIn(ctx, t, `SELECT i.name, x.field, r.number, 1.0 * x.filled / max(1, h.records + h.rejects)
		FROM runs r INDEXED BY magpie_runs_figures CROSS JOIN magpie_item_health h ON h.run_id = r.id CROSS JOIN items i ON i.id = h.item_id
		CROSS JOIN magpie_field_health x ON x.run_id = r.id AND x.item_id = h.item_id
		LEFT JOIN json_each(i.fields) place ON json_extract(place.value, '$.name') = x.field
		WHERE r.job_id = ? AND r.number >= ? AND h.records + h.rejects > 0
		ORDER BY i.position, i.id, place.key IS NULL, place.key, x.field`, []any{jobID, f.Runs[0].Number},
		func(rows *sql.Rows) (struct{}, error) {
			var name [2]string
			var number int
			var fill float64
			if err := rows.Scan(&name[0], &name[1], &number, &fill); err != nil {
				return struct{}{}, err
			}
			i, ok := places[name]
			if !ok {
				i = len(f.Fields)
				places[name] = i
				f.Fields = append(f.Fields, FieldFigures{Item: name[0], Field: name[1], Fill: unknownFill(len(f.Runs))})
			}
			f.Fields[i].Fill[at[number]] = fill
			return struct{}{}, nil
		})
	return err
}

func unknownFill(runs int) []float64 {
	fill := make([]float64, runs)
	for i := range fill {
		fill[i] = -1
	}
	return fill
}
