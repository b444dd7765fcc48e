package machine

import (
	"encoding/json"

	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/search"
)

// Found is a record or a page that a search has found, for programs.
type Found struct {
	Job     string            `json:"job"`
	Item    string            `json:"item,omitempty"` // left out: a page
	Key     string            `json:"key,omitempty"`  // of a record
	URL     string            `json:"url"`
	Title   string            `json:"title,omitempty"` // of a page
	Score   float64           `json:"score"`
	Field   string            `json:"field"` // where the snippet is from
	Snippet []search.Fragment `json:"snippet"`
	Record  json.RawMessage   `json:"record,omitempty"` // the fields
}

// FoundOf returns f for programs.
func FoundOf(f *store.Found) Found {
	return Found{f.Job, f.Item, f.Key, f.URL, f.Title, f.Score, f.Field, append([]search.Fragment{}, f.Snippet...), f.Data}
}
