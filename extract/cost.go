package extract

import (
	"encoding/json"
	"errors"

	"golang.org/x/net/html"
)

// Looking at a byte costs less than a step, and reading a date far more.
const (
	bytesPerStep      = 32
	shortAttribute    = 64  // bytes that cost nothing
	attributesPerStep = 8   // of an element
	stepsPerValue     = 100 // of a type that is parsed
	stepsPerMember    = 16  // of JSON that is copied

	instructionsPerStep = 4 // of a regular expression, for each byte of the text
)

// attributesCost is what comparing an element's attributes costs: nothing
// where they are as short as people's.
func attributesCost(n *html.Node) int {
	cost := len(n.Attr) / attributesPerStep
	for i := range n.Attr {
		switch a := &n.Attr[i]; {
		case len(a.Val) <= shortAttribute:
		case a.Key == "class":
			cost += len(a.Val) // its words are compared one by one
		default:
			cost += len(a.Val) / bytesPerStep
		}
	}
	return cost
}

var (
	errJSONDepth = errors.New("is nested too deep")
	errLimit     = errors.New("is too large")
)

// spendJSON spends what copying a JSON value costs.
func (w *work) spendJSON(v any, depth int) error {
	if depth > maxJSONDepth {
		return errJSONDepth
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if w.steps -= stepsPerMember + len(name); w.steps < 0 {
				return errLimit
			}
			if err := w.spendJSON(member, depth+1); err != nil {
				return err
			}
		}
	case []any:
		for _, member := range v {
			if w.steps -= stepsPerMember; w.steps < 0 {
				return errLimit
			}
			if err := w.spendJSON(member, depth+1); err != nil {
				return err
			}
		}
	case string:
		w.steps -= len(v)
	case json.Number:
		w.steps -= len(v)
	}
	return nil
}

// spendLoops spends what loops in loops over so many values cost.
func (w *work) spendLoops(size, loops int) {
	cost := 1
	for range loops {
		if cost *= size; cost > maxSteps {
			break
		}
	}
	w.steps -= size + cost
}

// valueSize is how many values are in a value of a record. A long text counts
// as several.
func valueSize(v any) int {
	size := 1
	switch v := v.(type) {
	case Object:
		for _, m := range v {
			size += valueSize(m.Value)
		}
	case []any:
		for _, member := range v {
			size += valueSize(member)
		}
	case string:
		size += len(v) / bytesPerStep
	}
	return size
}
