package dataset

import "encoding/json"

// Gone tells of a record that is gone: a line of the file beside an export.
type Gone struct {
	Item string // its type
	Job  string
	Key  string
	Run  int // the number of the run that ended it
}

// GoneSchema is what such a line is made of.
var GoneSchema = Schema{Item: "gone", Fields: []Field{
	{Name: "_item", Type: Text}, {Name: "_job", Type: Text}, {Name: "_key", Type: Text},
	{Name: "_gone", Type: Bool}, {Name: "_gone_run", Type: Integer},
}}

// Line is the line, its end included.
func (g Gone) Line() []byte {
	line, _ := json.Marshal(struct { // texts and numbers always can be
		Item string `json:"_item"`
		Job  string `json:"_job"`
		Key  string `json:"_key"`
		Gone bool   `json:"_gone"`
		Run  int    `json:"_gone_run"`
	}{g.Item, g.Job, g.Key, true, g.Run})
	return append(line, '\n')
}
