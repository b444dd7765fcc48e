// Package values writes values of records as people read them.
package values

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/extract"
)

// Member returns the value of an object's member; nil when there is none.
func Member(o extract.Object, name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Cell is a value as one cell holds it: lists and objects as JSON.
func Cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool, int64, json.Number:
		return fmt.Sprint(v)
	}
	line, err := machine.Line(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(string(line), "\n")
}

// Display is a value as people read it in a table.
func Display(v any) string {
	switch v := v.(type) {
	case extract.Price:
		amount := v.Amount.String()
		if v.AmountMax != "" {
			amount += "–" + v.AmountMax.String()
		}
		return strings.TrimSpace(amount + " " + v.Currency)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = Display(e)
		}
		return strings.Join(parts, ", ")
	case extract.Object:
		if amount, currency := Member(v, "amount"), Member(v, "currency"); len(v) == 2 && amount != nil && currency != nil {
			return Cell(amount) + " " + Cell(currency) // a price that was stored
		}
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = m.Name + ": " + Display(m.Value)
		}
		return strings.Join(parts, "; ")
	}
	return Cell(v)
}

// None is what stands for a value that is not there.
const None = "(none)"

// Stored is a stored value as people read it: see Display, and None where value
// is nil.
func Stored(value json.RawMessage) string {
	if value == nil {
		return None
	}
	var o extract.Object // which keeps numbers as they are written
	if json.Unmarshal([]byte(`{"v":`+string(value)+`}`), &o) != nil || len(o) != 1 {
		return string(value)
	}
	return Display(Member(o, "v"))
}

// Key is a record's key as people read it: of one that is a list in JSON, the
// values, numbers digit by digit.
func Key(key string) string {
	if !strings.HasPrefix(key, "[") || !json.Valid([]byte(key)) {
		return key
	}
	return Stored(json.RawMessage(key))
}

// ShortLength is how many code points Short leaves.
const ShortLength = 120

// Short puts text on one line and cuts it.
func Short(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if utf8.RuneCountInString(s) > ShortLength {
		s = string([]rune(s)[:ShortLength]) + "…"
	}
	return s
}
