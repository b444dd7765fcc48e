package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/magpie-crawl/magpie/internal/spelling"
)

// route is an operation.
type route struct {
	id      string // of the operation
	method  string
	path    string // below Base; {names} are parameters
	summary string
	doc     string // more of it
	params  []param
	body    any           // an example of the type of the JSON that it takes; nil: none
	text    string        // media type of a body that is no JSON; "": there is none
	answer  any           // an example of the type of its answer; nil: media says
	media   string        // media type of an answer that is no JSON; "": it is JSON
	status  int           // of success; 0: 200
	creates bool          // success may be 201, too
	faults  []int         // statuses of problems of its own, see commonFaults
	within  time.Duration // 0: readWithin
	handle  func(*call) (any, error)
}

func (r *route) success() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

// param is a parameter of the query.
type param struct {
	name     string
	kind     string // string, integer or boolean
	doc      string
	values   []string // that there are; nil: any
	required bool
	least    int // of integers
	most     int // 0: any
	usual    int // of integers: what it is when it is left out
	repeated bool
}

func text(name, doc string) param { return param{name: name, kind: "string", doc: doc} }

func needed(name, doc string) param {
	return param{name: name, kind: "string", doc: doc, required: true}
}

func choice(name, doc string, values ...string) param {
	return param{name: name, kind: "string", doc: doc, values: values}
}

func boolean(name, doc string) param {
	return param{name: name, kind: "boolean", doc: doc}
}

func number(name, doc string) param {
	return param{name: name, kind: "integer", doc: doc}
}

// limit is how long a list may be.
func limit(usual, most int) param {
	return param{name: "limit", kind: "integer", doc: "At most this many.", least: 1, most: most, usual: usual}
}

var (
	cursorParam = text("cursor", "Goes on where another answer ended: the next of that answer. The other parameters must be the same.")
	runParam    = number("run", "Number of the run. Left out: the last.")
)

// call is one request for an operation.
type call struct {
	*api
	route *route
	w     http.ResponseWriter
	r     *http.Request
	ctx   context.Context
	texts map[string]string
	lists map[string][]string
	ints  map[string]int

	status int // of success; 0: the route's
}

// readQuery reads the query by what the route says of it. What is misspelt
// must not be taken for left out.
func (c *call) readQuery() error {
	c.texts, c.ints, c.lists = map[string]string{}, map[string]int{}, map[string][]string{}
	values, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return refuse("write names and values as addresses have them, such as limit=10&sort=price", "the query cannot be read: %s", err)
	}
	names := make([]string, len(c.route.params))
	for i, p := range c.route.params {
		names[i] = p.name
	}
	for name := range values {
		if !slices.Contains(names, name) {
			advice := "see " + Base + "/openapi.json for those there are"
			if near := spelling.Nearest(name, names); near != "" {
				advice = fmt.Sprintf("did you mean %s?", near)
			}
			return refuse(advice, "there is no parameter %q here", name)
		}
	}
	for _, p := range c.route.params {
		if err := c.readParam(p, values[p.name]); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) readParam(p param, given []string) error {
	switch {
	case p.repeated:
		c.lists[p.name] = given
		return nil
	case len(given) > 1:
		return refuse("give it once", "%s is given %d times", p.name, len(given))
	case len(given) == 0 && p.required, p.required && given[0] == "":
		return refuse("", "%s is missing: %s", p.name, p.doc)
	case len(given) == 0 || given[0] == "":
		c.ints[p.name] = p.usual
		return nil
	}
	value := given[0]
	switch p.kind {
	case "integer":
		n, err := strconv.Atoi(value)
		if err != nil || n < p.least {
			return refuse(fmt.Sprintf("write a number from %d", p.least), "%s is %q", p.name, value)
		}
		if p.most > 0 {
			n = min(n, p.most)
		}
		c.ints[p.name] = n
	case "boolean":
		if value != "true" && value != "false" {
			return refuse("write true or false", "%s is %q", p.name, value)
		}
	default:
		if p.values != nil && !slices.Contains(p.values, value) {
			return refuse(fmt.Sprintf("write one of %v", p.values), "%s is %q", p.name, value)
		}
	}
	c.texts[p.name] = value
	return nil
}

func (c *call) text(name string) string { return c.texts[name] }
func (c *call) int(name string) int     { return c.ints[name] }
func (c *call) flag(name string) bool   { return c.texts[name] == "true" }
func (c *call) job() string             { return c.r.PathValue("job") }
