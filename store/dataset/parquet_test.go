package dataset

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/google/go-cmp/cmp"
)

// readParquet reads a file with the library of the Arrow project: a line of
// JSON for each row, absent values as null. types are the columns as it
// understands them.
func readParquet(t *testing.T, data []byte) (types string, rows []string) {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	reader, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := reader.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	for _, f := range table.Schema().Fields() {
		types += f.Name + " " + f.Type.String() + "\n"
	}
	batches := array.NewTableReader(table, 1000)
	defer batches.Release()
	for batches.Next() {
		text, err := batches.RecordBatch().MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
		for _, row := range list {
			rows = append(rows, string(row))
		}
	}
	return types, rows
}

// everyType is a schema with a field of each type.
var everyType = Schema{Item: "thing", Fields: []Field{
	{Name: "text", Type: Text}, {Name: "number", Type: Number}, {Name: "integer", Type: Integer}, {Name: "price", Type: Price},
	{Name: "bool", Type: Bool}, {Name: "url", Type: URL}, {Name: "date", Type: Date}, {Name: "at", Type: DateTime}, {Name: "any", Type: JSON},
	{Name: "tags", Type: Text, List: true}, {Name: "prices", Type: Price, List: true},
	{Name: "reviews", Type: Object, List: true, Fields: []Field{{Name: "by", Type: Text}, {Name: "stars", Type: Integer, List: true}}},
	{Name: "maker", Type: Object, Fields: []Field{{Name: "name", Type: Text}, {Name: "since", Type: Date}}},
	MetaField("_key"), MetaField("_position"),
}}

// writeParquet writes records with the keys "0", "1" and so on.
func writeParquet(t *testing.T, s Schema, records ...string) (data []byte, misfits map[string]int64) {
	t.Helper()
	var out bytes.Buffer
	e := NewParquet(&out, s)
	for i, r := range records {
		if err := e.Write(&Record{Key: fmt.Sprint(i), Position: i, Data: []byte(r)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), e.Misfits()
}

func TestParquetTypes(t *testing.T) {
	data, _ := writeParquet(t, everyType)
	types, rows := readParquet(t, data)
	want := `text utf8
number float64
integer int64
price struct<amount: float64 nullable, amount_max: float64 nullable, currency: utf8 nullable>
bool bool
url utf8
date date32
at timestamp[us, tz=UTC]
any binary
tags list<element: utf8, nullable>
prices list<element: struct<amount: float64 nullable, amount_max: float64 nullable, currency: utf8 nullable>, nullable>
reviews list<element: struct<by: utf8 nullable, stars: list<element: int64, nullable> nullable>, nullable>
maker struct<name: utf8 nullable, since: date32 nullable>
_key utf8
_position int64
`
	if diff := cmp.Diff(want, types); diff != "" || len(rows) != 0 {
		t.Errorf("%d rows, types (-want +got):\n%s", len(rows), diff)
	}
}

// TestParquetReadBack reads each record by itself and all of them together:
// what stands in one must not move into another.
func TestParquetReadBack(t *testing.T) {
	cases := []struct {
		name, record string
		want         string // members that are not null, but for _key and _position
		misfits      map[string]int64
	}{
		{"nothing", `{}`, `{}`, nil},
		{"texts", `{"text":"a \"b\"\n\u00fc£","url":"https://x.test/"}`, `{"text":"a \"b\"\nü£","url":"https://x.test/"}`, nil},
		{"an empty text", `{"text":""}`, `{"text":""}`, nil},
		{"a text that is a number", `{"text":12.50}`, `{"text":"12.50"}`, nil},
		{"numbers", `{"number":-12.345,"integer":9007199254740993}`, `{"integer":9007199254740993,"number":-12.345}`, nil},
		{"a decimal of 15 digits", `{"number":1234567890.12345}`, `{"number":1234567890.12345}`, nil},
		{"true", `{"bool":true}`, `{"bool":true}`, nil},
		{"false", `{"bool":false}`, `{"bool":false}`, nil},
		{"a price", `{"price":{"amount":12.50,"currency":"GBP"}}`, `{"price":{"amount":12.5,"currency":"GBP"}}`, nil},
		{"a range of prices", `{"price":{"amount":1,"amount_max":2,"currency":""}}`, `{"price":{"amount":1,"amount_max":2,"currency":""}}`, nil},
		{"a date", `{"date":"2026-11-21"}`, `{"date":"2026-11-21"}`, nil},
		{"a date before 1970", `{"date":"1899-12-31"}`, `{"date":"1899-12-31"}`, nil},
		{"a time with its zone", `{"at":"2026-11-21T10:00:00.5+02:00"}`, `{"at":"2026-11-21T08:00:00.5Z"}`, nil},
		{"JSON", `{"any":[1,{"a":"]"}]}`, `{"any":[1,{"a":"]"}]}`, nil},
		{"a list", `{"tags":["a","b","c"]}`, `{"tags":["a","b","c"]}`, nil},
		{"an empty list", `{"tags":[]}`, `{"tags":[]}`, nil},
		{"a list of prices", `{"prices":[{"amount":1,"currency":"EUR"},{"amount":2,"currency":"USD"}]}`,
			`{"prices":[{"amount":1,"amount_max":null,"currency":"EUR"},{"amount":2,"amount_max":null,"currency":"USD"}]}`, nil},
		{"lists in a list", `{"reviews":[{"by":"A","stars":[1,2]},{"stars":[]},{"by":"C"},{"stars":[5]}]}`,
			`{"reviews":[{"by":"A","stars":[1,2]},{"by":null,"stars":[]},{"by":"C","stars":null},{"by":null,"stars":[5]}]}`, nil},
		{"a nested item", `{"maker":{"name":"M","since":"2001-02-03"}}`, `{"maker":{"name":"M","since":"2001-02-03"}}`, nil},
		{"values of another type", `{"number":"x","integer":1.5,"date":"soon","price":"free","tags":"a"}`, `{}`,
			map[string]int64{"number": 1, "integer": 1, "date": 1, "price": 1, "tags": 1}},
		{"members that no field has", `{"other":[{"text":"no"}],"text":"yes"}`, `{"text":"yes"}`, nil},
	}
	var all []string
	for _, c := range cases {
		all = append(all, c.record)
		t.Run(c.name, func(t *testing.T) {
			data, misfits := writeParquet(t, everyType, c.record)
			_, rows := readParquet(t, data)
			if len(rows) != 1 || !sameJSON(t, c.want, rows[0]) {
				t.Errorf("read back %s, want %s", rows, c.want)
			}
			if len(misfits)+len(c.misfits) > 0 && !cmp.Equal(c.misfits, misfits) {
				t.Errorf("misfits %v, want %v", misfits, c.misfits)
			}
		})
	}
	t.Run("all together, thousands of times", func(t *testing.T) {
		var many []string
		times := 4000
		if testing.Short() {
			times = 400
		}
		for range times {
			many = append(many, all...)
		}
		data, _ := writeParquet(t, everyType, many...)
		_, rows := readParquet(t, data)
		if len(rows) != len(many) {
			t.Fatalf("%d rows, want %d", len(rows), len(many))
		}
		for i, row := range rows {
			if !sameJSON(t, cases[i%len(cases)].want, row) {
				t.Fatalf("row %d is %s, want %s", i, row, cases[i%len(cases)].want)
			}
		}
	})
	t.Run("long records are several row groups", func(t *testing.T) {
		long := fmt.Sprintf(`{"text":%q}`, bytes.Repeat([]byte("abcdefgh"), 1<<17)) // 1 MB
		var many []string
		for range 2 * rowGroupBytes >> 20 {
			many = append(many, long)
		}
		data, _ := writeParquet(t, everyType, many...)
		r, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if r.NumRowGroups() < 2 || r.NumRows() != int64(len(many)) {
			t.Errorf("%d rows in %d row groups", r.NumRows(), r.NumRowGroups())
		}
	})
}

// sameJSON compares a row without its null members and metadata.
func sameJSON(t *testing.T, want, row string) bool {
	t.Helper()
	var w, g map[string]any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(row), &g); err != nil {
		t.Fatal(err)
	}
	for name, value := range g {
		if value == nil || name == "_key" || name == "_position" {
			delete(g, name)
		}
	}
	if text, ok := g["any"].(string); ok { // JSON is bytes to the library, which writes these as base64
		var value any
		if data, err := base64.StdEncoding.DecodeString(text); err != nil || json.Unmarshal(data, &value) != nil {
			t.Fatalf("%q is no JSON", text)
		}
		g["any"] = value
	}
	for _, name := range []string{"price"} { // what a price has not is null
		if p, ok := g[name].(map[string]any); ok {
			for part, value := range p {
				if value == nil {
					delete(p, part)
				}
			}
		}
	}
	return cmp.Equal(w, g)
}
