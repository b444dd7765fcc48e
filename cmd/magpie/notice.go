package main

import (
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// notice is a line of the error output.
type notice struct {
	Kind     string `json:"kind"` // error, problem, reject or note
	Input    string `json:"input"`
	Item     string `json:"item,omitempty"`
	Position int    `json:"position,omitempty"`
	Field    string `json:"field,omitempty"`
	Code     string `json:"code,omitempty"`
	Detail   string `json:"detail"`
}

func (a *app) notice(n notice) {
	if a.json {
		line, err := machine.Line(n)
		if err == nil { // texts and numbers alone
			a.stderr.Write(line)
		}
		return
	}
	parts := []string{"magpie: " + n.Input}
	if n.Kind == "error" {
		parts = []string{"magpie"} // the input is part of what is told
	}
	if n.Item != "" {
		at := fmt.Sprintf("%s %s[%d]", n.Kind, n.Item, n.Position)
		if n.Field != "" { // else it is about the whole record
			at += "." + n.Field
		}
		parts = append(parts, at+": "+n.Code)
	}
	fmt.Fprintln(a.stderr, harmless.Text(strings.Join(append(parts, n.Detail), ": ")))
}
