package markdown

import (
	"strings"

	"golang.org/x/net/html"
)

// table renders the rows of a table, n itself or its part: one with columns
// as a table, one that arranges a page as blocks.
//
// https://github.github.com/gfm/#tables-extension-
func (w *walker) table(n *html.Node) {
	w.flush()
	switch {
	case w.cell:
		w.flatTable(n)
		return
	case w.depth >= maxDepth:
		w.flow(n)
		return
	}
	if w.layouts[n] {
		w.layoutTable(n)
		return
	}
	g := w.grid(n)
	if g.columns() < 2 && !g.named {
		w.layoutTable(n)
		return
	}
	left := w.left
	lines, columns := w.tableRows(&g)
	if w.left >= 0 {
		w.left = left // what was rendered counts when it is added
	}
	if columns < 2 && !g.named {
		w.layoutTable(n)
		return
	}
	for c := range childElements(n, "caption") {
		w.flow(c)
	}
	if len(lines) > 0 {
		w.add(block{kind: table, text: w.tableText(lines, columns)})
	}
}

// layoutTable renders cells as blocks, one after the other.
func (w *walker) layoutTable(n *html.Node) {
	for c := range childElements(n, "caption") {
		w.flow(c)
	}
	for tr := range rows(n) {
		for c := range childElements(tr, "td", "th") {
			w.flow(c)
		}
	}
}

// flatTable renders a table in a cell of another: a line for each row.
func (w *walker) flatTable(n *html.Node) {
	for c := range childElements(n, "caption") {
		w.flow(c)
	}
	for tr := range rows(n) {
		w.flush()
		for c := range childElements(tr, "td", "th") {
			w.line.waitSpace(w.format)
			w.children(c)
			w.line.waitSpace(w.format)
		}
		w.flush()
	}
}

// tableRows renders the cells of a table, and returns the rows and the number
// of columns in which something is.
func (w *walker) tableRows(g *grid) (lines []tableRow, columns int) {
	used := make([]bool, len(g.began))
	for i := range g.rows {
		row := tableRow{head: g.rows[i].head, th: true}
		for _, c := range g.rows[i].cells {
			text := w.cellText(c.node)
			row.th = row.th && (c.node.Data == "th" || text == "")
			if text != "" {
				row.cells = append(row.cells, cellText{c.column, text})
				used[c.column] = true
			}
		}
		if len(row.cells) > 0 {
			lines = append(lines, row)
		}
	}
	index := make([]int, len(used))
	for i, is := range used {
		index[i] = columns
		if is {
			columns++
		}
	}
	for i := range lines {
		for k := range lines[i].cells {
			c := &lines[i].cells[k]
			c.column = index[c.column]
		}
	}
	return lines, columns
}

// tableText returns the lines of a table. Cells that others reach over are
// empty.
func (w *walker) tableText(lines []tableRow, columns int) string {
	var b strings.Builder
	if lines[0].head || lines[0].th {
		w.writeRow(&b, lines[0].cells, columns)
		lines = lines[1:]
	} else {
		w.writeRow(&b, nil, columns)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", columns))
	for _, row := range lines {
		b.WriteByte('\n')
		w.writeRow(&b, row.cells, columns)
	}
	return b.String()
}

type tableRow struct {
	cells    []cellText
	head, th bool
}

type cellText struct {
	column int
	text   string
}

// writeRow writes a row, filled up to its number of columns as long as the
// page's bound on such cells allows; renderers fill up what is missing.
func (w *walker) writeRow(b *strings.Builder, cells []cellText, columns int) {
	b.WriteByte('|')
	at := 0
	for _, c := range cells {
		for ; at < c.column; at++ {
			b.WriteString("  |")
		}
		b.WriteString(" " + c.text + " |")
		at++
	}
	if w.spans -= columns - at; w.spans >= 0 || at == 0 {
		b.WriteString(strings.Repeat("  |", columns-at))
	}
}

// cellText returns the content of a cell as one line.
func (w *walker) cellText(n *html.Node) string {
	out, level := w.out, w.heading
	w.out, w.heading, w.cell = nil, 0, true
	w.children(n)
	w.flush()
	blocks := w.out
	w.out, w.heading, w.cell = out, level, false
	return strings.Join(cellLines(nil, blocks), "<br>")
}

// cellLines appends the lines that blocks are in a cell.
func cellLines(lines []string, blocks []block) []string {
	for i := range blocks {
		b := &blocks[i]
		switch b.kind {
		case list:
			for k := range b.children {
				before := len(lines)
				if lines = cellLines(lines, b.children[k].children); len(lines) == before {
					lines = append(lines, "")
				}
				lines[before] = strings.TrimSuffix(b.marker(k, false)+lines[before], " ")
			}
		case quote, item:
			lines = cellLines(lines, b.children)
		default:
			lines = append(lines, b.text)
		}
	}
	return lines
}
