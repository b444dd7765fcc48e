package learn

import (
	"encoding/json"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract"
)

// readers has for each type an extractor that reads the element it is given
// as the page.
var readers = func() map[extract.Type]*extract.Extractor {
	all := map[extract.Type]*extract.Extractor{}
	for _, as := range []extract.Type{extract.Text, extract.PriceType, extract.Date, extract.Integer, extract.Number, extract.URL} {
		all[as] = compile(extract.Item{Name: "x", Fields: []extract.Field{{Name: "v", As: as}}})
	}
	return all
}()

// compile returns nil for what package extract refuses.
func compile(item extract.Item) *extract.Extractor {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{item}})
	if err != nil {
		return nil
	}
	return x
}

// given reads a text of the page as a type.
func given(ix *index, as extract.Type, text string) (any, bool) {
	r, _, err := readers[as].Given(ix.page, "x", 0, map[string]any{"v": text})
	if err != nil {
		return nil, false
	}
	return r.Fields.Get("v")
}

// read reads an element as a type.
func read(ix *index, as extract.Type, n *html.Node) (any, bool) {
	return firstValue(readers[as].Extract(extract.Page{Root: n, URL: ix.page.URL}), 0)
}

// firstValue returns the value v of the record at a position.
func firstValue(r extract.Result, position int) (any, bool) {
	for _, records := range [][]extract.Record{r.Records, r.Rejects} {
		for i := range records {
			if records[i].Position == position {
				return records[i].Fields.Get("v")
			}
		}
	}
	return nil, false
}

// same reports whether a value read as a type is the example's.
func (w *wanted) same(ix *index, as extract.Type, v any) bool {
	switch as {
	case extract.PriceType:
		a, ok := v.(extract.Price)
		b, isPrice := w.value.(extract.Price)
		return ok && isPrice && samePrice(a, b)
	case extract.Number:
		a, ok := v.(json.Number)
		b, isNumber := w.value.(json.Number)
		return ok && isNumber && sameDecimal(a, b)
	case extract.Integer, extract.Date:
		return v == w.value
	case extract.URL:
		s, _ := v.(string)
		u, ok := ix.canonical(s)
		return ok && u == w.url
	}
	s, _ := v.(string)
	return oneLine(s) == w.line
}

// samePrice compares amounts, and currencies where both are known.
func samePrice(a, b extract.Price) bool {
	return sameDecimal(a.Amount, b.Amount) && (a.Currency == b.Currency || a.Currency == "" || b.Currency == "")
}

func sameDecimal(a, b json.Number) bool { return shortest(string(a)) == shortest(string(b)) }

// shortest writes a decimal without zeros that don't count.
func shortest(s string) string {
	s, negative := strings.CutPrefix(s, "-")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	s = strings.TrimLeft(s, "0")
	if negative && s != "" {
		return "-" + s
	}
	return s
}

// mayBe reports whether a text without spaces may be another writing of the
// example's value. It is quick and errs on the side of yes.
func (w *wanted) mayBe(text string) bool {
	if text == "" || len(text) > maxShort {
		return false
	}
	switch w.as {
	case extract.PriceType, extract.Number, extract.Integer:
		return w.digits != "" && significant(text) == w.digits || w.digits == "" && digits(text) > 0 && digits(text) < 6
	case extract.Date:
		date, _ := w.value.(string) // 2006-01-02
		return len(date) == 10 && strings.Contains(text, date[2:4]) && strings.Contains(text, strings.TrimPrefix(date[8:], "0"))
	}
	return false
}
