package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// Overview is a job at a glance, for programs.
type Overview struct {
	Job       string       `json:"job"`
	Runs      int          `json:"runs"`
	Last      *RunFigures  `json:"last,omitempty"`
	Succeeded *RunFigures  `json:"succeeded,omitempty"` // the last crawl that came to its end or a limit
	Recent    []RunFigures `json:"recent"`              // the last runs, oldest first
	Drifts    int          `json:"drifts"`              // figures of the last run that were worse than usual
	Held      bool         `json:"held"`                // a process works on it
	Records   int64        `json:"records"`             // current ones
	Items     []ItemCount  `json:"items"`               // what succeeded saw
	Messages  int          `json:"messages"`            // to the job's webhooks, that are to be sent
}

// RunFigures are the figures of a run, for programs.
type RunFigures struct {
	Run     int        `json:"run"`
	Kind    string     `json:"kind"` // crawl or reextract
	State   string     `json:"state"`
	Started time.Time  `json:"started"`
	Ended   *time.Time `json:"ended,omitempty"`
	Pages   int64      `json:"pages"`
	Failed  int64      `json:"failed"`
	New     int64      `json:"new"`
	Changed int64      `json:"changed"`
	Records int64      `json:"records"`      // that it saw: new, changed and unchanged
	Gone    int64      `json:"records_gone"` // those whose absence it confirmed
}

// ItemCount says how many records of an item a run saw, for programs.
type ItemCount struct {
	Item    string `json:"item"`
	Records int64  `json:"records"`
	Rejects int64  `json:"rejects"`
}

// OverviewOf returns o for programs.
func OverviewOf(o *store.JobOverview) Overview {
	m := Overview{Job: o.Name, Runs: o.Runs, Recent: allFigures(o.Recent), Drifts: o.Drifts, Held: o.Holder != nil, Records: o.Records,
		Items: []ItemCount{}, Messages: o.Messages}
	if o.Last != nil {
		f := RunFiguresOf(*o.Last)
		m.Last = &f
	}
	if o.Succeeded != nil {
		f := RunFiguresOf(*o.Succeeded)
		m.Succeeded = &f
	}
	for _, i := range o.Items {
		m.Items = append(m.Items, ItemCount{i.Name, i.Records, i.Rejects})
	}
	return m
}

func allFigures(runs []store.RunFigures) []RunFigures {
	list := []RunFigures{}
	for _, r := range runs {
		list = append(list, RunFiguresOf(r))
	}
	return list
}

// RunFiguresOf returns r for programs.
func RunFiguresOf(r store.RunFigures) RunFigures {
	return RunFigures{Run: r.Number, Kind: string(r.Kind), State: string(r.State), Started: r.Started, Ended: moment(r.Ended),
		Pages: r.Pages, Failed: r.Failed, New: r.New, Changed: r.Changed, Records: r.Records, Gone: r.Gone}
}

// moment is a time, nil where there is none.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Figures are the figures of a job's last runs, oldest first, for programs.
type Figures struct {
	Runs   []RunFigures   `json:"runs"`
	Fields []FieldFigures `json:"fields"`
}

// FieldFigures is how full a field was over runs, for programs.
type FieldFigures struct {
	Item  string     `json:"item"`
	Field string     `json:"field"`
	Fill  []*float64 `json:"fill"` // in each of the runs, the share of records and rejects that have it; null: unknown
}

// FiguresOf returns f for programs.
func FiguresOf(f *store.JobFigures) Figures {
	m := Figures{Runs: allFigures(f.Runs), Fields: []FieldFigures{}}
	for _, x := range f.Fields {
		fill := make([]*float64, len(x.Fill))
		for i, share := range x.Fill {
			if share >= 0 {
				fill[i] = &share
			}
		}
		m.Fields = append(m.Fields, FieldFigures{x.Item, x.Field, fill})
	}
	return m
}
