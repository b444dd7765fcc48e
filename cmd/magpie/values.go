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
		amount := v.Amount.String()
		if v.AmountMax != "" {
			amount += "–" + v.AmountMax.String()
		}
		return strings.TrimSpace(amount + " " + v.Currency)
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
