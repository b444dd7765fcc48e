package main

import (
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// table is text in columns.
type table struct {
	header []string
	right  []bool // columns whose cells are set to the right; may be shorter
	rows   [][]string
}

// Bounds of a table's columns. Below readableColumn a table gives up columns
// at its end rather than cut the others further.
const (
	columnGap      = 2
	minColumn      = 4
	readableColumn = 14
	paddedColumn   = 80 // how far shorter cells are filled up where nothing is cut
)

// columns measures and cuts text as terminals show it, whatever the locale of
// this process says of ambiguous characters.
var columns = &runewidth.Condition{StrictEmojiNeutral: true}

// write writes the table, its lines cut to the width of t. Cells may hold any
// text. Where t is no terminal nothing is cut; a cell that is longer than
// paddedColumn then pushes the rest of its own line aside and no other.
func (tb *table) write(w io.Writer, t terminal) error {
	lines := append([][]string{tb.header}, tb.rows...)
	widths := make([]int, len(tb.header))
	for r, row := range lines {
		lines[r] = make([]string, len(widths))
		for i := range min(len(row), len(widths)) {
			lines[r][i] = harmless.Text(row[i])
			widths[i] = max(widths[i], columns.StringWidth(lines[r][i]))
		}
	}
	if width := t.width(); width > 0 {
		if n := readable(widths, width); n < len(widths) {
			for r := range lines {
				lines[r] = append(lines[r][:n], "…")
			}
			widths = append(widths[:n], 1)
		}
		fit(widths, width-columnGap*(len(widths)-1))
		for _, row := range lines {
			cut(row, widths)
		}
	} else {
		for i := range widths {
			widths[i] = min(widths[i], paddedColumn)
		}
	}
	var b strings.Builder
	for r, row := range lines {
		line := tb.line(row, widths)
		if r == 0 {
			line = t.style(bold, line)
		}
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cut shortens cells to the widths of their columns.
func cut(cells []string, widths []int) {
	for i := range cells {
		cells[i] = columns.Truncate(cells[i], widths[i], "…")
	}
}

// line sets one row. A cell that is wider than its column stays as it is.
func (tb *table) line(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", columnGap))
		}
		if i < len(tb.right) && tb.right[i] {
			b.WriteString(columns.FillLeft(cell, widths[i]))
		} else {
			b.WriteString(columns.FillRight(cell, widths[i]))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// readable is how many columns a line of width has room for, with one more for
// the sign that some are left out.
func readable(widths []int, width int) int {
	used := 0
	for i, w := range widths {
		used += min(w, readableColumn) + columnGap
		if used > width && i > 0 {
			return i
		}
	}
	return len(widths)
}

// fit takes from the widest columns until the widths add up to no more than
// total, or all are at their least.
func fit(widths []int, total int) {
	sum := 0
	for _, w := range widths {
		sum += w
	}
	for ; sum > total; sum-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= minColumn {
			return
		}
		widths[widest]--
	}
}
