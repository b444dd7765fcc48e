package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

// member returns the value of an object's member; nil when there is none.
func member(o extract.Object, name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// columnsOf names the columns of a field in flat formats, as exports and the
// database's views have them: an amount of money has two.
func columnsOf(f extract.Field) []string {
	price, other := contents(f)
	var names []string
	if price {
		names = append(names, f.Name+"_amount", f.Name+"_currency")
	}
	if other {
		names = append(names, f.Name)
	}
	return names
}

// contents tells whether a field's value can be a price, and anything else.
func contents(f extract.Field) (price, other bool) {
	switch {
	case len(f.Any) > 0 && !f.All:
		for _, alternative := range f.Any {
			p, o := contents(alternative)
			price, other = price || p, other || o
		}
		return price, other
	case f.All || f.Each != "" || len(f.Fields) > 0:
		return false, true
	}
	return f.As == extract.PriceType, f.As != extract.PriceType
}

// cellsOf returns the cells of a value in the columns of its field.
func cellsOf(f extract.Field, v any) []any {
	price, other := contents(f)
	p, isPrice := v.(extract.Price)
	var cells []any
	switch {
	case price && isPrice:
		cells = append(cells, p.Amount, p.Currency)
		v = nil
	case price:
		cells = append(cells, nil, nil)
	}
	if other {
		cells = append(cells, v)
	}
	return cells
}

// cell is a value as one cell holds it: lists and objects as JSON.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool, int64, json.Number:
		return fmt.Sprint(v)
	}
	text, err := marshalLine(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// display is a value as people read it in a table.
func display(v any) string {
	switch v := v.(type) {
	case extract.Price:
		return strings.TrimSpace(v.Amount.String() + " " + v.Currency)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = display(e)
		}
		return strings.Join(parts, ", ")
	case extract.Object:
		if amount, currency := member(v, "amount"), member(v, "currency"); len(v) == 2 && amount != nil && currency != nil {
			return cell(amount) + " " + cell(currency) // a price that was stored
		}
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = m.Name + ": " + display(m.Value)
		}
		return strings.Join(parts, "; ")
	}
	return cell(v)
}
