package machine

import (
	"context"

	"github.com/magpie-crawl/magpie/store"
)

// Drift is a figure that is worse than usual, for programs.
type Drift struct {
	Job     string          `json:"-"`
	Run     int             `json:"-"`
	Kind    store.DriftKind `json:"kind"`
	Item    string          `json:"item,omitempty"`
	Field   string          `json:"field,omitempty"`
	Pattern string          `json:"pattern,omitempty"` // of URLs
	Usual   float64         `json:"usual"`
	Now     float64         `json:"now"`
	Detail  string          `json:"detail"`
}

// Text says what drifted, for people.
func (d Drift) Text() string {
	what := d.Item
	switch {
	case d.Field != "":
		what += "." + d.Field
	case d.Pattern != "":
		what = d.Pattern
	case what == "":
		what = "the crawl"
	}
	return what + ": " + d.Detail
}

// Drifts reads what was worse than usual; there are few by nature.
func Drifts(ctx context.Context, db *store.DB, f store.HealthFilter) ([]Drift, error) {
	list := []Drift{}
	for d, err := range db.Drifts(ctx, f) {
		if err != nil {
			return nil, err
		}
		list = append(list, driftOf(d))
	}
	return list, nil
}

func driftOf(d store.Drift) Drift {
	return Drift{d.Job, d.Run, d.Kind, d.Item, d.Field, d.Pattern, d.Usual, d.Now, d.Detail}
}

// Health is how a field fared, for programs.
type Health struct {
	Job           string   `json:"job"`
	Run           int      `json:"run"`
	Item          string   `json:"item"`
	Field         string   `json:"field"`
	Records       int64    `json:"records"`
	Rejects       int64    `json:"rejects"`
	Filled        int64    `json:"filled"`
	FillRate      float64  `json:"fill_rate"`
	Before        *float64 `json:"fill_rate_before,omitempty"`
	Failed        int64    `json:"failed"`
	Distinct      int64    `json:"distinct"`
	DistinctExact bool     `json:"distinct_exact"`
	Drift         []Drift  `json:"drift,omitempty"`
}

// HealthOf returns how the fields fared for programs, each with its drift;
// rest is the drift of no field.
func HealthOf(fields []store.FieldHealth, drifted []Drift) (list []Health, rest []Drift) {
	told := make([]bool, len(drifted))
	list = []Health{}
	for _, h := range fields {
		m := Health{Job: h.Job, Run: h.Run, Item: h.Item, Field: h.Field, Records: h.Records, Rejects: h.Rejects, Filled: h.Filled,
			FillRate: ratio(h.Filled, h.Records), Failed: h.Failed, Distinct: h.Distinct, DistinctExact: h.DistinctExact}
		if h.UsualRecords > 0 {
			before := ratio(h.Usual, h.UsualRecords)
			m.Before = &before
		}
		for i, d := range drifted {
			if d.Job == h.Job && d.Run == h.Run && d.Item == h.Item && d.Field == h.Field {
				m.Drift, told[i] = append(m.Drift, d), true
			}
		}
		list = append(list, m)
	}
	for i, d := range drifted {
		if !told[i] {
			rest = append(rest, d)
		}
	}
	return list, rest
}

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
