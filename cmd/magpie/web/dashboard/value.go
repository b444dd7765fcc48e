package dashboard

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/extract"
)

// value is a value of a record, made ready for being shown.
type value struct {
	Kind  string // none, text, number, price, date, time, link, truth, list, object
	Text  string // as people read it
	Long  bool   // Text is more than a cell of a table holds
	Link  string // of a link: http or https
	At    time.Time
	List  []value
	Parts []namedValue // of an object
}

type namedValue struct {
	Name  string
	Value value
}

// How much of a value is shown: elements of a list and characters of a cell.
const listShown, cellLength = 200, 90

// valueOf makes a value ready. f says what the job says of its field; the zero
// field where it is not known.
func valueOf(v any, f extract.Field) value {
	switch v := v.(type) {
	case nil:
		return value{Kind: "none"}
	case bool:
		return value{Kind: "truth", Text: map[bool]string{true: "yes", false: "no"}[v]}
	case json.Number, int64, float64:
		return value{Kind: "number", Text: values.Display(v)}
	case string:
		return textValue(v, f.As)
	case extract.Price:
		return value{Kind: "price", Text: values.Display(v)}
	case []any:
		return listValue(v, f)
	case extract.Object:
		return objectValue(v)
	}
	return value{Kind: "text", Text: values.Display(v)}
}

// textValue is a text, which may be a moment, a day or a link.
func textValue(s string, as extract.Type) value {
	v := value{Kind: "text", Text: s, Long: len(s) > cellLength}
	switch as {
	case extract.DateTime:
		if at, err := time.Parse(time.RFC3339, s); err == nil {
			v.Kind, v.At = "time", at
		}
	case extract.Date:
		v.Kind = "date"
	case extract.URL:
		if isWebURL(s) {
			v.Kind, v.Link = "link", s
		}
	}
	return v
}

func listValue(list []any, f extract.Field) value {
	v := value{Kind: "list"}
	short := make([]string, 0, 4)
	for i, e := range list {
		if i < 4 {
			short = append(short, values.Short(values.Display(e)))
		}
		if i < listShown {
			v.List = append(v.List, valueOf(e, extract.Field{As: f.As}))
		}
	}
	v.Text = strings.Join(short, " · ")
	if len(list) > len(v.List) {
		n, _ := count(len(list) - len(v.List))
		v.List = append(v.List, value{Kind: "text", Text: "… and " + n + " more"})
	}
	v.Long = len(list) > 4 || len(v.Text) > cellLength
	return v
}

// objectValue is a nested record, or a price as it is stored.
func objectValue(o extract.Object) value {
	amount, currency := values.Member(o, "amount"), values.Member(o, "currency")
	if _, ok := amount.(json.Number); ok && len(o) <= 3 && (currency != nil || len(o) == 1) {
		return value{Kind: "price", Text: priceText(o)}
	}
	v := value{Kind: "object", Long: true}
	for _, m := range o {
		as := extract.Text
		if s, ok := m.Value.(string); ok && m.Name == "url" && isWebURL(s) {
			as = extract.URL
		}
		v.Parts = append(v.Parts, namedValue{m.Name, valueOf(m.Value, extract.Field{As: as})})
	}
	v.Text = values.Short(v.Full())
	return v
}

func priceText(o extract.Object) string {
	text := values.Cell(values.Member(o, "amount"))
	if to := values.Member(o, "amount_max"); to != nil {
		text += "–" + values.Cell(to)
	}
	return strings.TrimSpace(text + " " + values.Cell(values.Member(o, "currency")))
}

// Right says whether a table shows the value at the right of its column.
func (v value) Right() bool { return v.Kind == "number" || v.Kind == "price" }

// Full is the value in one line, not cut.
func (v value) Full() string {
	switch v.Kind {
	case "list":
		parts := make([]string, len(v.List))
		for i, e := range v.List {
			parts[i] = e.Full()
		}
		return strings.Join(parts, " · ")
	case "object":
		parts := make([]string, len(v.Parts))
		for i, p := range v.Parts {
			parts[i] = p.Name + ": " + p.Value.Full()
		}
		return strings.Join(parts, "; ")
	}
	return v.Text
}

// Width is the class of a cell for the room that its text needs.
func (v value) Width() string {
	switch n := len(v.Cell()); {
	case v.Kind == "date", v.Kind == "time", v.Kind == "truth", n <= 16:
		return "nowrap"
	case n > 40:
		return "roomy"
	}
	return ""
}

// Cell is the text as a cell of a table holds it.
func (v value) Cell() string {
	if len(v.Text) <= cellLength {
		return v.Text
	}
	return v.Text[:runeStart(v.Text, cellLength)] + "…"
}
