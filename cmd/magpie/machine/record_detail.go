package machine

import (
	"encoding/json"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// RecordDetail is all that is known of a record, for programs.
type RecordDetail struct {
	Job         string          `json:"job"`
	Item        string          `json:"item"`
	Key         string          `json:"key"`
	Gone        bool            `json:"gone"`         // its absence was confirmed
	AllVersions int             `json:"all_versions"` // how many there are; versions may have the last of them alone
	Versions    []RecordVersion `json:"versions"`     // the last first
	Problems    []RecordProblem `json:"problems"`     // in the run that saw it last
}

// RecordVersion is what a record read like for some time.
type RecordVersion struct {
	URL      string          `json:"url"`
	FirstRun int             `json:"first_run"` // it read so since this run
	Since    time.Time       `json:"since"`
	LastRun  int             `json:"last_run"` // the last run that saw it
	Seen     time.Time       `json:"seen"`
	Until    int             `json:"until,omitempty"` // the run that found it otherwise
	Ended    *time.Time      `json:"ended,omitempty"`
	Gone     bool            `json:"gone"` // that run found it gone
	Record   json.RawMessage `json:"record"`
	Changes  []FieldChange   `json:"changes"` // from the version before
}

// RecordProblem is a value of a record that failed.
type RecordProblem struct {
	Run    int    `json:"run"`
	Field  string `json:"field"` // left empty: the record as a whole
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// RecordDetailOf returns d for programs.
func RecordDetailOf(d *store.RecordDetail) RecordDetail {
	m := RecordDetail{Job: d.Job, Item: d.Item, Key: d.Key, Gone: d.Gone, AllVersions: d.AllVersions, Versions: []RecordVersion{}, Problems: []RecordProblem{}}
	for _, v := range d.Versions {
		version := RecordVersion{URL: v.URL, FirstRun: v.FirstRun, Since: v.Since, LastRun: v.LastRun, Seen: v.Seen, Until: v.Until, Gone: v.Gone, Record: v.Data, Changes: []FieldChange{}}
		if !v.Ended.IsZero() {
			version.Ended = &v.Ended
		}
		for _, c := range v.Changes {
			version.Changes = append(version.Changes, FieldChange(c))
		}
		m.Versions = append(m.Versions, version)
	}
	for _, p := range d.Problems {
		m.Problems = append(m.Problems, RecordProblem{p.Run, p.Field, p.Code, p.Detail})
	}
	return m
}
