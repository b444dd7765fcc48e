package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// writeSourceLine writes a line of a text with a mark below a column of it,
// both from 1. A line that is not there is left out.
func writeSourceLine(w io.Writer, t terminal, lines []string, line, column int) {
	if line < 1 || line > len(lines) {
		return
	}
	number := fmt.Sprintf("%6d | ", line)
	text := []rune(harmless.Text(strings.TrimRight(lines[line-1], "\r")))
	column = min(max(column, 1), len(text)+1)
	// Long lines are cut on both sides of the mark.
	const before, after = 60, 40
	from, to := max(0, column-before), min(len(text), column+after)
	mark := columns.StringWidth(string(text[from : column-1]))
	fmt.Fprintf(w, "%s%s\n%s%s\n", t.style(dim, number), string(text[from:to]),
		strings.Repeat(" ", len(number)+mark), t.style(red, "^"))
}
