package store

import (
	"bufio"
	"context"
	"encoding/json"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// goneFields are the members of a line that tells of a record that is gone.
var goneFields = dataset.Schema{Item: "gone", Fields: []dataset.Field{
	{Name: "_item", Type: dataset.Text}, {Name: "_job", Type: dataset.Text}, {Name: "_key", Type: dataset.Text},
	{Name: "_gone", Type: dataset.Bool}, {Name: "_gone_run", Type: dataset.Integer},
}}

// goneRecord is such a line.
type goneRecord struct {
	Item string `json:"_item"`
	Job  string `json:"_job"`
	Key  string `json:"_key"`
	Gone bool   `json:"_gone"`
	Run  int    `json:"_gone_run"`
}

// writeGone writes the keys of records that were there when the run
// options.Since ended, and are there no longer. The file is written also when
// there are none, so that none of an earlier export is taken for it.
func (x *export) writeGone(ctx context.Context, items []string) error {
	f, err := newExportFile(x.path+".gone.jsonl", JSONL, "")
	if err != nil {
		return err
	}
	x.files = append(x.files, f)
	f.about.Gone = true
	out := bufio.NewWriter(f.packed)
	for _, item := range items {
		if err := x.goneOf(ctx, item, out); err != nil {
			return err
		}
	}
	f.about.Tables = []dataset.Table{{Schema: goneFields, Records: x.gone}}
	if err := out.Flush(); err != nil {
		return f.place.failed(err)
	}
	return nil
}

func (x *export) goneOf(ctx context.Context, item string, out *bufio.Writer) error {
	rows, err := x.db.read.QueryContext(ctx, `SELECT r.key, max(ended.number)
		FROM jobs JOIN items ON items.job_id = jobs.id JOIN records r ON r.item_id = items.id
		JOIN runs AS began ON began.id = r.from_run JOIN runs AS ended ON ended.id = r.to_run
		WHERE jobs.name = ?1 AND items.name = ?2 AND ended.number > ?3
		AND NOT EXISTS (SELECT 1 FROM records c WHERE c.item_id = r.item_id AND c.key = r.key AND c.to_run IS NULL)
		GROUP BY r.key HAVING min(began.number) <= ?3 ORDER BY r.key`, x.options.Job, item, x.options.Since)
	if err != nil {
		return x.db.fileError("read", err)
	}
	defer rows.Close()
	for rows.Next() {
		g := goneRecord{Item: item, Job: x.options.Job, Gone: true}
		if err := rows.Scan(&g.Key, &g.Run); err != nil {
			return x.db.fileError("read", err)
		}
		line, err := json.Marshal(g)
		if err != nil {
			return err
		}
		x.gone++
		if _, err := out.Write(append(line, '\n')); err != nil {
			return x.files[len(x.files)-1].place.failed(err)
		}
	}
	return x.db.fileError("read", rows.Err())
}
