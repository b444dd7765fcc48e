package machine

import (
	"encoding/json"

	"github.com/magpie-crawl/magpie/store"
)

// Change is a change for programs.
type Change struct {
	Job    string           `json:"job"`
	Item   string           `json:"item"`
	Change store.ChangeKind `json:"change"`
	Key    string           `json:"key"`
	URL    string           `json:"url"`
	Fields []FieldChange    `json:"fields,omitempty"` // of a changed record
	Record json.RawMessage  `json:"record,omitempty"` // as it is, or was before it was gone
}

// FieldChange is a field that differs; null stands for no value.
type FieldChange struct {
	Field string          `json:"field"`
	Old   json.RawMessage `json:"old"`
	New   json.RawMessage `json:"new"`
}
