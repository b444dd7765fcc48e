package machine

import "github.com/magpie-crawl/magpie/store"

// Problem is how often a field failed in one way.
type Problem struct {
	Item     string `json:"item"`
	Field    string `json:"field"`
	Code     string `json:"code"`
	Count    int64  `json:"count"`
	Rejected int64  `json:"rejected"`
	Example  string `json:"example"`
	URL      string `json:"url"` // of the example
}

// ProblemOf returns p for programs.
func ProblemOf(p store.ProblemCount) Problem {
	return Problem{p.Item, p.Field, p.Code, p.Count, p.Rejected, p.Example.Detail, p.Example.URL}
}
