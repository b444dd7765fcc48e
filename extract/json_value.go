package extract

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// plainJSON makes of a value of a record what package json makes of its JSON.
func plainJSON(v any) any {
	switch v := v.(type) {
	case Object:
		m := make(map[string]any, len(v))
		for _, member := range v {
			m[member.Name] = plainJSON(member.Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plainJSON(v[i])
		}
		return list
	case int64:
		return json.Number(strconv.FormatInt(v, 10))
	case Price:
		return plainJSON(v.object())
	}
	return v
}

// recordJSON makes of a value of package json, or of jq, one of a record:
// members of objects stand in the order of their names.
func recordJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		o := make(Object, len(names))
		for i, name := range names {
			o[i] = Member{strings.Clone(name), recordJSON(v[name])}
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = recordJSON(v[i])
		}
		return list
	case string:
		return strings.Clone(v) // it may be a part of the page
	case int:
		return int64(v)
	case *big.Int:
		return json.Number(v.String())
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil // as jq writes them
		}
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64))
	case json.Number:
		return json.Number(strings.Clone(string(v)))
	}
	return v
}

// jsonPrice returns the amount that an offer of structured data names, and
// the currency that stands beside it; "" for none.
func jsonPrice(v any) (amount, currency string, ok bool) {
	offer, ok := v.(map[string]any)
	if !ok {
		return "", "", false
	}
	if amount = firstText(offer, "price", "amount", "lowPrice", "value"); amount == "" {
		return "", "", false
	}
	return amount, firstText(offer, "priceCurrency", "currency"), true
}

// firstText is the text of the first member of an object that has one.
func firstText(object map[string]any, names ...string) string {
	for _, name := range names {
		if text, err := jsonText(object[name], 0); err == nil && text != "" {
			return text
		}
	}
	return ""
}

// jsonExcerpt writes a JSON value for people, as far as it isn't too large
// for a page's steps.
func (w *work) jsonExcerpt(v any) string {
	if w.spendJSON(v, 0) != nil {
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// jsonText is the text that a JSON value stands for where one is wanted: of
// an object, as structured data has it, the value or name that it wraps.
func jsonText(v any, depth int) (string, error) {
	if depth > maxJSONDepth {
		return "", errJSONDepth
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case json.Number:
		return string(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case *big.Int:
		return v.String(), nil
	case map[string]any:
		for _, name := range []string{"@value", "value", "name", "@id", "url"} {
			if inner, ok := v[name]; ok {
				if _, nested := inner.(map[string]any); !nested {
					return jsonText(inner, depth+1)
				}
			}
		}
		return "", fmt.Errorf("is an object: name a part of it, or write as: json")
	case []any:
		if len(v) == 1 {
			return jsonText(v[0], depth+1)
		}
		return "", fmt.Errorf("is a list of %d: write as: json", len(v))
	case nil:
		return "", nil
	}
	return "", fmt.Errorf("is a %T", v)
}

// object is the price as an object of a record.
func (p Price) object() Object {
	o := Object{{"amount", p.Amount}, {"currency", p.Currency}}
	if p.AmountMax != "" {
		o = append(o, Member{"amount_max", p.AmountMax})
	}
	return o
}
