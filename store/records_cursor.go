package store

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
)

// cursor is a place between records in some order: behind, or before, the one
// with this value and id.
type cursor struct {
	Order string `json:"o"`
	Desc  bool   `json:"d,omitempty"`
	Value string `json:"v"` // a letter for its type, and the value
	ID    int64  `json:"i"`
}

func newCursor(order string, desc bool, value any, id int64) string {
	c := cursor{Order: order, Desc: desc, ID: id}
	switch v := value.(type) {
	case nil:
		c.Value = "n"
	case int64:
		c.Value = "i" + strconv.FormatInt(v, 10)
	case float64:
		c.Value = "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		c.Value = "t" + string(v)
	default:
		c.Value = "t" + fmt.Sprint(v)
	}
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // of texts and numbers
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readCursor reads what newCursor wrote, for the same order. It comes by way of
// people's browsers and may be anything.
func readCursor(text, order string, desc bool) (value any, id int64, err error) {
	fault := &QueryFault{"cursor", "it is not one of this listing: begin at the first page"}
	var c cursor
	src, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(src, &c) != nil || c.Value == "" || c.Order != order || c.Desc != desc {
		return nil, 0, fault
	}
	switch rest := c.Value[1:]; c.Value[0] {
	case 'n':
		return nil, c.ID, nil
	case 'i':
		if value, err = strconv.ParseInt(rest, 10, 64); err != nil {
			return nil, 0, fault
		}
	case 'f':
		if value, err = strconv.ParseFloat(rest, 64); err != nil {
			return nil, 0, fault
		}
	case 't':
		value = rest
	default:
		return nil, 0, fault
	}
	return value, c.ID, nil
}

// stretch is a part of an index that is walked in one go.
type stretch struct {
	where string
	args  []any
	one   bool // all of it has the same value
}

// stretches are the parts of an order behind a place in it: equal values with
// larger ids, larger values, and at the end or the beginning those that are
// NULL. Each is one walk of an index, however many values are the same.
func stretches(expr string, desc bool, value any, id int64) []stretch {
	behind := ">"
	if desc {
		behind = "<"
	}
	switch {
	case value == nil && desc:
		return []stretch{{expr + " IS NULL AND id < ?", []any{id}, true}}
	case value == nil:
		return []stretch{{expr + " IS NULL AND id > ?", []any{id}, true}, {expr + " IS NOT NULL", nil, false}}
	}
	all := []stretch{
		{fmt.Sprintf("%s = ? AND id %s ?", expr, behind), []any{value, id}, true},
		{fmt.Sprintf("%s %s ?", expr, behind), []any{value}, false},
	}
	if desc {
		all = append(all, stretch{expr + " IS NULL", nil, true})
	}
	return all
}
