package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/explain"
	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// writeExplained tells how values came about, record by record.
func writeExplained(w io.Writer, list []explain.Value) error {
	t := terminalOf(w)
	var b strings.Builder
	line := func(indent int, s string) { b.WriteString(strings.Repeat(" ", indent) + s + "\n") }
	record := ""
	for _, x := range list {
		if name := fmt.Sprintf("%s[%d]", x.Item, x.Position); name != record {
			record = name
			line(0, t.style(bold, harmless.Text(name)))
		}
		value := "absent"
		if x.Value != nil {
			value = values.Short(values.Display(x.Value))
		}
		line(2, t.style(bold, harmless.Text(x.Field))+" = "+harmless.Text(value))
		for _, l := range x.Tried {
			line(4, t.style(dim, harmless.Text(strings.TrimSpace(l.Source+" "+l.Query)))+harmless.Text(l.Outcome()))
			if l.Path != "" {
				line(6, t.style(dim, harmless.Text(strings.TrimSpace(l.Place+" "+l.Path))))
			}
			if l.Piece != "" {
				line(6, harmless.Text(l.Piece))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
