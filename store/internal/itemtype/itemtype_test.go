package itemtype

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
)

// TestColumns compares the columns of item types that several jobs have.
func TestColumns(t *testing.T) {
	text := func(name string) Field { return Field{Name: name, Types: []string{"text"}} }
	price := Field{Name: "price", Types: []string{"price"}}
	for _, c := range []struct {
		name string
		jobs [][]Field
		want string
	}{
		{"a price has two", [][]Field{{text("name"), price}}, "name price_amount price_currency"},
		{"what may be a price or a text has three", [][]Field{{{Name: "price", Types: []string{"price", "text"}}}}, "price_amount price_currency price"},
		{"the union of two jobs", [][]Field{{text("a"), text("b")}, {text("c"), text("a")}}, "a b c"},
		{"a name that is taken", [][]Field{{text("price_amount"), price}}, "price_amount price_amount_2 price_currency"},
		{"the same name in other letters", [][]Field{{text("Name"), text("name")}}, "Name name_2"},
		{"a name of the metadata", [][]Field{{text("_key")}}, "_key_2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, column := range Columns(c.jobs) {
				got = append(got, column.Name)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("columns %s, want %s", s, c.want)
			}
		})
	}
}

// TestKindOf takes fields through what the database keeps of them.
func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		field extract.Field
		want  Kind
	}{
		{"text", extract.Field{}, Text},
		{"number", extract.Field{As: extract.Number}, Number},
		{"price", extract.Field{As: extract.PriceType}, Price},
		{"time", extract.Field{As: extract.DateTime}, Time},
		{"bool", extract.Field{As: extract.Bool}, Bool},
		{"list", extract.Field{All: true}, List},
		{"table", extract.Field{As: extract.Table}, List},
		{"a number or else a text", extract.Field{Any: []extract.Field{{As: extract.Number}, {}}}, Number},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.field.Name = "f"
			types, err := Of(extract.Spec{Items: []extract.Item{{Name: "thing", Fields: []extract.Field{c.field}}}})
			if err != nil {
				t.Fatal(err)
			}
			kept, err := json.Marshal(types[0].Fields)
			if err != nil {
				t.Fatal(err)
			}
			fields, err := ParseFields(string(kept))
			if err != nil || KindOf(fields[0]) != c.want {
				t.Errorf("kept as %s, kind %d, want %d (%v)", kept, KindOf(fields[0]), c.want, err)
			}
		})
	}
}
