package machine

import (
	"encoding/json"

	"github.com/magpie-crawl/magpie/store"
)

// Item is an item type of a job, for programs.
type Item struct {
	Job     string   `json:"job"`
	Item    string   `json:"item"`
	Fields  []string `json:"fields"`
	Records int64    `json:"records"` // current ones
}

// Record is a record with where it comes from, for programs.
type Record struct {
	Job      string          `json:"job"`
	Item     string          `json:"item"`
	Key      string          `json:"key"`
	URL      string          `json:"url"` // the page that showed it last
	Position int             `json:"position"`
	FirstRun int             `json:"first_run"` // it has read so since this run
	LastRun  int             `json:"last_run"`  // the last run that saw it
	Record   json.RawMessage `json:"record"`    // the fields
}

// RecordOf returns r for programs.
func RecordOf(r *store.Record) Record {
	return Record{r.Job, r.Item, r.Key, r.URL, r.Position, r.FirstRun, r.LastRun, r.Data}
}

// Reject is a record that was set aside, for programs.
type Reject struct {
	Job      string          `json:"job"`
	Run      int             `json:"run"`
	Item     string          `json:"item"`
	Key      string          `json:"key"`
	URL      string          `json:"url"`
	Position int             `json:"position"`
	Found    json.RawMessage `json:"found"` // the fields that were found
}

// RejectOf returns r for programs.
func RejectOf(r *store.Reject) Reject {
	return Reject{r.Job, r.Run, r.Item, r.Key, r.URL, r.Position, r.Data}
}

// ChangeOf returns a change of a job for programs.
func ChangeOf(job string, c *store.Change) Change {
	m := Change{Job: job, Item: c.Item, Change: c.Kind, Key: c.Key, URL: c.URL, Record: c.New}
	switch c.Kind {
	case store.Gone:
		m.Record = c.Old
	case store.Changed:
		for _, f := range c.Fields() {
			m.Fields = append(m.Fields, FieldChange(f))
		}
	}
	return m
}
