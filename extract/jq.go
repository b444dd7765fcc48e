package extract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/itchyny/gojq"
)

// A jq program may run for ever; a page that lets it costs no more than this,
// however often it is run.
const (
	maxJQTime   = 2 * time.Second
	maxJQValues = 100_000
)

// compileJQ reads a jq program. It sees neither files nor the environment.
func compileJQ(src string) (*gojq.Code, error) {
	query, err := gojq.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("the jq program %q is wrong: %w", src, err)
	}
	code, err := gojq.Compile(query, gojq.WithEnvironLoader(func() []string { return nil }))
	if err != nil {
		return nil, fmt.Errorf("the jq program %q is wrong: %w", src, err)
	}
	return code, nil
}

// runJQ calls yield with what the program makes of a piece, nulls left out,
// until it returns false.
func (e *extraction) runJQ(code *gojq.Code, f found, yield func(found) bool) error {
	if !f.isJSON {
		v, err := readJSONText(f.text)
		if err != nil {
			return fmt.Errorf("%s is no JSON: %w", quote(f.text), err)
		}
		f.json, f.isJSON = v, true
	}
	began := time.Now()
	ctx, cancel := context.WithDeadline(context.Background(), began.Add(maxJQTime-e.jqTime))
	defer cancel()
	defer func() { e.jqTime += time.Since(began) }()
	values := code.RunWithContext(ctx, plainJSON(f.json))
	for range maxJQValues {
		v, ok := values.Next()
		if !ok {
			return nil
		}
		if err, ok := v.(error); ok {
			if halt, ok := errors.AsType[*gojq.HaltError](err); ok && halt.Value() == nil {
				return nil
			}
			if errors.Is(err, context.DeadlineExceeded) {
				e.steps = min(e.steps, -1)
				return fmt.Errorf("jq took longer than %s for the page", maxJQTime)
			}
			return fmt.Errorf("jq: %w", err)
		}
		if v == nil {
			continue
		}
		if !yield(found{node: f.node, json: v, isJSON: true, work: f.work}) {
			return nil
		}
	}
	e.steps = min(e.steps, -1)
	return fmt.Errorf("jq gives more than %d values", maxJQValues)
}

// readJSONText reads a text that is JSON and nothing else.
func readJSONText(s string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, errors.New("something follows the value")
	}
	return v, nil
}
