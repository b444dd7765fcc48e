package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template"
	"text/template/parse"
)

// A template comes with a job file, which may be anybody's who can save one,
// and is tried as soon as the file is read. Go's templates can count to the end
// of time ({{range 1000000000000}}), call each other over and over, and double a
// text until the memory is full, all without a byte of output. So the rounds of
// loops and the calls are counted, and the functions that make text refuse to
// make more than maxBody.

const (
	maxRounds = 200_000 // of all loops together
	maxCalls  = 1_000   // of templates by templates, which are nested too
)

// effort is what one execution of a template has taken.
type effort struct{ rounds, calls int }

var errLong = errors.New("it goes through its loops too often")

// Names of the functions that count, which no template can have.
const (
	roundFunc = "magpie_round"
	callFunc  = "magpie_call"
)

// templateFuncs are the functions of templates, and those of Go's that make text,
// bounded.
func templateFuncs(e *effort) template.FuncMap {
	return template.FuncMap{
		"join": func(list []string, separator string) (string, error) {
			if size(list...)+len(list)*len(separator) > maxBody {
				return "", errLarge
			}
			return strings.Join(list, separator), nil
		},
		"json": func(v any) (string, error) {
			text, err := json.Marshal(v)
			if err == nil && len(text) > maxBody {
				err = errLarge
			}
			return string(text), err
		},
		"print":    func(args ...any) (string, error) { return making(args, fmt.Sprint) },
		"println":  func(args ...any) (string, error) { return making(args, fmt.Sprintln) },
		"html":     func(args ...any) (string, error) { return making(args, template.HTMLEscaper) },
		"js":       func(args ...any) (string, error) { return making(args, template.JSEscaper) },
		"urlquery": func(args ...any) (string, error) { return making(args, template.URLQueryEscaper) },
		"printf":   printf,
		roundFunc: func() (string, error) {
			if e.rounds++; e.rounds > maxRounds {
				return "", errLong
			}
			return "", nil
		},
		callFunc: func() (string, error) {
			if e.calls++; e.calls > maxCalls {
				return "", errors.New("its templates call each other too often")
			}
			return "", nil
		},
	}
}

var errLarge = fmt.Errorf("it makes more than %d MiB", maxBody>>20)

// size is the length of texts together.
func size(texts ...string) (n int) {
	for _, s := range texts {
		n += len(s)
	}
	return n
}

// making makes text of arguments. Each is of a bounded length, so that it is
// their number that counts.
func making(args []any, make func(...any) string) (string, error) {
	n := 0
	for _, a := range args {
		if s, ok := a.(string); ok {
			n += len(s)
		} else {
			n += len(fmt.Sprint(a))
		}
		if n > maxBody {
			return "", errLarge
		}
	}
	return make(args...), nil
}

// wide is a width or a precision that pads text to more than 999 characters,
// or that an argument tells.
var wide = regexp.MustCompile(`%[^a-zA-Z%]*([0-9]{4}|\*)`)

func printf(format string, args ...any) (string, error) {
	if wide.MatchString(format) {
		return "", errors.New("a width or precision has at most three digits")
	}
	longest := 1000
	for _, a := range args {
		longest = max(longest, len(fmt.Sprint(a)))
	}
	if len(format)+strings.Count(format, "%")*longest > 16*maxBody {
		return "", errLarge
	}
	text := fmt.Sprintf(format, args...)
	if len(text) > maxBody {
		return "", errLarge
	}
	return text, nil
}

// countSteps has each round of a loop, and each call of a template, counted.
func countSteps(t *template.Template) error {
	counters, err := template.New("").Funcs(templateFuncs(&effort{})).Parse("{{" + roundFunc + "}}{{" + callFunc + "}}")
	if err != nil {
		return err
	}
	round, call := counters.Root.Nodes[0], counters.Root.Nodes[1]
	for _, one := range t.Templates() {
		if one.Tree == nil || one.Root == nil {
			continue
		}
		countRounds(one.Root, round)
		one.Root.Nodes = append([]parse.Node{call.Copy()}, one.Root.Nodes...)
	}
	return nil
}

// countRounds has each round of the loops in a list of nodes counted.
func countRounds(list *parse.ListNode, round parse.Node) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.RangeNode:
			countRounds(n.List, round)
			countRounds(n.ElseList, round)
			n.List.Nodes = append([]parse.Node{round.Copy()}, n.List.Nodes...)
		case *parse.IfNode:
			countRounds(n.List, round)
			countRounds(n.ElseList, round)
		case *parse.WithNode:
			countRounds(n.List, round)
			countRounds(n.ElseList, round)
		}
	}
}
