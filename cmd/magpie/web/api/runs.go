package api

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/store"
)

// RunHealth is how a finished run fared.
type RunHealth struct {
	Fields []machine.Health `json:"fields"` // with what drifted of each
	Drift  []machine.Drift  `json:"drift"`  // of items and pages as a whole
}

func (c *call) getRun() (any, error) {
	number, err := c.runNumber()
	if err != nil {
		return nil, err
	}
	run, err := c.DB.Run(c.ctx, c.job(), number)
	if err != nil {
		return nil, err
	}
	return machine.RunOf(*run), nil
}

// givenRun sees to it that a run asked for is there.
func (c *call) givenRun() error {
	_, err := c.DB.Run(c.ctx, c.job(), c.int("run"))
	return err
}

func (c *call) getHealth() (any, error) {
	if err := c.givenRun(); err != nil {
		return nil, err
	}
	filter := store.HealthFilter{Job: c.job(), Run: c.int("run")}
	fields, err := c.DB.Health(c.ctx, filter)
	if err != nil {
		return nil, err
	}
	drifted, err := machine.Drifts(c.ctx, c.DB, filter)
	if err != nil {
		return nil, err
	}
	list, rest := machine.HealthOf(fields, drifted)
	return RunHealth{list, append([]machine.Drift{}, rest...)}, nil
}

func (c *call) listProblems() (any, error) {
	if err := c.givenRun(); err != nil {
		return nil, err
	}
	counts, err := c.DB.ProblemCounts(c.ctx, store.ProblemFilter{Job: c.job(), Run: c.int("run"), Item: c.text("item")})
	if err != nil {
		return nil, err
	}
	list := []machine.Problem{}
	for _, p := range counts {
		list = append(list, machine.ProblemOf(p))
	}
	return whole(list), nil
}

func (c *call) listRejects() (any, error) {
	skip := 0
	if err := errors.Join(c.after(&skip), c.givenRun()); err != nil {
		return nil, err
	}
	list := List[machine.Reject]{Items: []machine.Reject{}}
	seen := 0
	for r, err := range c.DB.Rejects(c.ctx, store.ProblemFilter{Job: c.job(), Run: c.int("run"), Item: c.text("item")}) {
		if err != nil {
			return nil, err
		}
		if len(list.Items) == c.int("limit") {
			list.Next = c.cursor(seen)
			break
		}
		if seen++; seen > skip {
			list.Items = append(list.Items, machine.RejectOf(&r))
		}
	}
	return list, nil
}

// compared finds out which runs to compare.
func (c *call) compared() (o store.DiffOptions, err error) {
	o = store.DiffOptions{Job: c.job(), From: c.int("from"), To: c.int("to"), Item: c.text("item"), Kind: store.ChangeKind(c.text("kind")),
		Limit: c.int("limit")}
	if o.To == 0 {
		last, err := c.DB.RunBefore(c.ctx, o.Job, 0)
		if err != nil {
			return o, err
		}
		o.To = last.Number
	} else if _, err := c.DB.Run(c.ctx, o.Job, o.To); err != nil {
		return o, err
	}
	if c.text("from") != "" {
		if o.From >= o.To {
			return o, refuse("from is the older run", "run %d does not come before run %d", o.From, o.To)
		}
		return o, nil
	}
	before, err := c.DB.RunBefore(c.ctx, o.Job, o.To)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return o, nil
	case err != nil:
		return o, err
	}
	o.From = before.Number
	return o, nil
}

// listChanges writes the changes as they are read.
func (c *call) listChanges() (any, error) {
	o, err := c.compared()
	if err != nil {
		return nil, err
	}
	begun := false
	var b bytes.Buffer
	send := func() {
		if !begun {
			c.w.Header().Set("Content-Type", mediaLines)
			begun = true
		}
		if c.r.Method != http.MethodHead {
			c.w.Write(b.Bytes())
		}
		b.Reset()
	}
	for change, err := range c.DB.Diff(c.ctx, o) {
		if err != nil {
			return nil, c.breakOff(begun, err)
		}
		line, err := machine.Line(machine.ChangeOf(o.Job, &change))
		if err != nil {
			return nil, c.breakOff(begun, err)
		}
		if b.Write(line); b.Len() > 64<<10 {
			send()
		}
	}
	send()
	return nil, nil
}

// breakOff ends an answer that cannot be completed. One that had begun is cut
// off, so that it is not taken for a whole one.
func (c *call) breakOff(begun bool, err error) error {
	if !begun {
		return err
	}
	if c.r.Context().Err() == nil {
		c.Log.Error("an answer was broken off", "path", c.r.URL.Path, "err", problem.New(0, "", "%s", err))
	}
	panic(http.ErrAbortHandler)
}
