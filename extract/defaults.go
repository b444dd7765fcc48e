package extract

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// defaultValue checks a field's default and converts it to what a value of
// the field looks like: a text is read as one found on a page would be.
func (c *checker) defaultValue(p path, f Field, compiled *field) {
	if f.Default == nil {
		return
	}
	if f.Required {
		c.wrong(p.to("default"), "a required field is never without a value: leave out default or required")
		return
	}
	v, err := plainValue(f.Default)
	if list, ok := v.([]any); err == nil && f.Any == nil && f.Fields == nil && !f.As.structural() {
		switch {
		case f.Join != nil && !ok:
			v, err = Text.fromDefault(v)
		case f.All && !ok:
			err = fmt.Errorf("is no list, and with all: true the value is one")
		case ok && !f.All:
			err = fmt.Errorf("is a list, and the value is none without all: true")
		case ok:
			for i := range list {
				if list[i], err = f.As.fromDefault(list[i]); err != nil {
					break
				}
			}
		default:
			v, err = f.As.fromDefault(v)
		}
	}
	if err != nil {
		c.wrong(p.to("default"), "the default %v %s", f.Default, err)
		return
	}
	compiled.def = v
}

// fromDefault converts one default value to type t.
func (t Type) fromDefault(v any) (any, error) {
	wrong := fmt.Errorf("is no %s", t)
	switch v := v.(type) {
	case string:
		if t == URL {
			return v, nil // relative to no page
		}
		return t.convert(found{text: v, work: &work{lang: "und"}})
	case bool:
		if t != Bool {
			return nil, wrong
		}
	case int64:
		switch t {
		case Number:
			return json.Number(strconv.FormatInt(v, 10)), nil
		case PriceType:
			return Price{Amount: json.Number(strconv.FormatInt(v, 10))}, nil
		case Integer:
		default:
			return nil, wrong
		}
	case json.Number:
		switch t {
		case Number:
		case PriceType:
			return Price{Amount: v}, nil
		default:
			return nil, wrong
		}
	case Price:
		if t != PriceType {
			return nil, wrong
		}
	case Object:
		amount, _ := v.Get("amount")
		currency, _ := v.Get("currency")
		code, ok := currency.(string)
		if t != PriceType || len(v) != 2 || !ok {
			return nil, wrong
		}
		price, err := t.fromDefault(amount)
		if p, ok := price.(Price); err == nil && ok && p.Currency == "" {
			p.Currency = code
			return p, nil
		}
		return nil, wrong
	}
	return v, nil
}

// plainValue turns the numbers and lists of Go into what a Member holds.
func plainValue(v any) (any, error) {
	switch v := v.(type) {
	case nil, string, bool, int64, Price, Object:
		return v, nil
	case json.Number:
		if !json.Valid([]byte(v)) {
			return nil, fmt.Errorf("is no number")
		}
		return v, nil
	case int:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case uint64:
		if v > math.MaxInt64 {
			return json.Number(strconv.FormatUint(v, 10)), nil
		}
		return int64(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("is no number")
		}
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64)), nil
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			var err error
			if list[i], err = plainValue(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("is a %T: write a text, a number, true, false or a list", v)
}
