package extract

import (
	"encoding/json"
	"errors"

	"golang.org/x/net/html"
)

// Looking at a byte costs less than a step, and reading a date far more.
const (
	bytesPerStep      = 64  // of attributes that are compared
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
		cost += len(n.Attr[i].Val) / bytesPerStep
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
