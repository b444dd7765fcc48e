package extract

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/internal/rendering"
)

// table reads the rows of a table, n itself or the first within it, as
// objects named by the header: the rows of thead, else the first row if all
// its cells with text are th, and the rows of several th only that follow. A
// row of one cell across the table before the header is a title and
// left out. A cell that spans columns or rows counts in each of them. Columns
// without a name are column_1, column_2, …; a name that comes again has a
// number behind it: price, price_2. Empty rows are left out, and so is the
// caption. Where each row begins with a th and there is no header above, the
// names are those of that column, and each column beside it is an object.
//
// https://html.spec.whatwg.org/multipage/tables.html#forming-a-table
func (w *work) table(n *html.Node) ([]any, error) {
	if !holdsRows(n) {
		if n = w.first(tableElement, n); n == nil {
			return nil, errors.New("holds no table")
		}
	}
	g, err := w.grid(n)
	if err != nil {
		return nil, err
	}
	names, body, turned := g.headerColumn()
	if !turned {
		names, body = g.header()
	}
	length := 0
	for _, name := range names {
		length += len(name)
	}
	var list []any
	for _, row := range body {
		if w.steps -= length; w.exhausted() { // they are written once for each row
			return nil, errLimit
		}
		if slices.ContainsFunc(row.texts, func(s string) bool { return s != "" }) {
			object := make(Object, len(row.texts))
			for i, s := range row.texts {
				object[i] = Member{names[i], s}
			}
			list = append(list, object)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("has no rows below its header")
	}
	return list, nil
}

// gridRow is a row of a table with a text for each column it reaches.
type gridRow struct {
	texts []string
	head  bool // in thead
	th    bool // all its cells with text are th
	only  bool // all its cells are th
	led   bool // its first cell is a th with text
	cells int  // before spans
}

type grid []gridRow

const (
	maxColumns   = 5000
	maxHeadRows  = 100     // that name a column
	maxGridCells = 200_000 // with the copies of cells that span
)

// grid lays a table out.
func (w *work) grid(table *html.Node) (grid, error) {
	var (
		g     grid
		down  []growing // by column
		group *html.Node
		total int
	)
	for tr := range rows(table) {
		if tr.Parent != group {
			group, down = tr.Parent, nil // no cell grows out of its row group
		}
		row := gridRow{head: group != nil && group.Data == "thead", th: true, only: true}
		for cell := range cells(tr) {
			row.texts, down = grow(row.texts, down, false)
			text := w.text(cell)
			if row.cells++; row.cells == 1 {
				row.led = cell.Data == "th" && text != ""
			}
			row.only = row.only && cell.Data == "th"
			row.th = row.th && (cell.Data == "th" || text == "")
			rowspan := rendering.Rowspan(cell) - 1
			for range rendering.Colspan(cell) {
				down = set(down, len(row.texts), growing{text, rowspan})
				row.texts = append(row.texts, text)
			}
			if w.steps -= 1 + attributesCost(cell); len(row.texts) > maxColumns {
				return nil, fmt.Errorf("has more than %d columns", maxColumns)
			}
		}
		row.texts, down = grow(row.texts, down, true)
		w.steps -= stepsPerMember
		for _, text := range row.texts {
			w.steps -= len(text) // it is written once for each cell that it spans
		}
		if w.exhausted() {
			return nil, errLimit
		}
		if total += len(row.texts); total > maxGridCells {
			return nil, fmt.Errorf("has more than %d cells", maxGridCells)
		}
		g = append(g, row)
	}
	return g, nil
}

// growing is a cell that reaches into rows below.
type growing struct {
	text string
	rows int // how many more
}

func set(down []growing, column int, g growing) []growing {
	for len(down) <= column {
		down = append(down, growing{})
	}
	down[column] = g
	return down
}

// grow puts the cells that reach down from above at the end of a row: those
// side by side, or all that are left with empty cells where none is.
func grow(texts []string, down []growing, all bool) ([]string, []growing) {
	if all {
		for len(down) > 0 && down[len(down)-1].rows <= 0 {
			down = down[:len(down)-1]
		}
	}
	for c := len(texts); c < len(down) && (all || down[c].rows > 0); c++ {
		text := ""
		if down[c].rows > 0 {
			text = down[c].text
			down[c].rows--
		}
		texts = append(texts, text)
	}
	return texts, down
}

// header returns the name of each column and the rows that are not header.
func (g grid) header() (names []string, body grid) {
	columns := 0
	for _, row := range g {
		columns = max(columns, len(row.texts))
	}
	var head grid
	for _, row := range g {
		if row.head {
			head = append(head, row)
		} else {
			body = append(body, row)
		}
	}
	if len(head) == 0 {
		if columns > 1 && len(body) > 1 && body[0].cells == 1 && body[0].th {
			body = body[1:]
		}
		if len(body) > 0 && body[0].th && body[0].cells > 0 {
			n := 1
			for n < len(body)-1 && body[n].only && body[n].cells > 1 {
				n++
			}
			head, body = body[:n], body[n:]
		}
	} else if columns > 1 && len(head) > 1 && head[0].cells == 1 {
		head = head[1:]
	}
	head = head[:min(len(head), maxHeadRows)]
	names = make([]string, columns)
	taken := map[string]int{}
	for i := range names {
		names[i] = unique(head.name(i), i, taken)
	}
	return names, body
}

// headerColumn turns a table whose names stand in its first column: each row
// begins with a th, and has td behind it. It reports false for others.
func (g grid) headerColumn() (names []string, body grid, ok bool) {
	if len(g) > 1 && g[0].cells == 1 && g[0].th {
		g = g[1:] // a title
	}
	if len(g) == 0 || g[0].th {
		return nil, nil, false
	}
	columns := 0
	taken := map[string]int{}
	for i, row := range g {
		if row.head || !row.led || row.only {
			return nil, nil, false
		}
		columns = max(columns, len(row.texts))
		names = append(names, unique(oneLine(row.texts[0]), i, taken))
	}
	if len(g)*columns > maxGridCells {
		return nil, nil, false
	}
	for column := 1; column < columns; column++ {
		turned := gridRow{texts: make([]string, len(g))}
		for i, row := range g {
			if column < len(row.texts) {
				turned.texts[i] = row.texts[column]
			}
		}
		body = append(body, turned)
	}
	return names, body, true
}

// name joins the texts of header rows above a column.
func (g grid) name(column int) string {
	var parts []string
	for _, row := range g {
		if column < len(row.texts) {
			if s := oneLine(row.texts[column]); s != "" && !slices.Contains(parts, s) {
				parts = append(parts, s)
			}
		}
	}
	return strings.Join(parts, " ")
}

// unique returns a name for a column and counts it in taken.
func unique(name string, column int, taken map[string]int) string {
	if name == "" {
		name = "column_" + strconv.Itoa(column+1)
	}
	base := name
	for taken[name] > 0 {
		taken[base]++
		name = base + "_" + strconv.Itoa(taken[base])
	}
	taken[name]++
	return name
}

// holdsRows reports whether n is a table or a part of one.
func holdsRows(n *html.Node) bool {
	switch n.Data {
	case "table", "thead", "tbody", "tfoot", "tr":
		return n.Type == html.ElementNode
	}
	return false
}

// rows yields the rows of a table or a part of it, those of tfoot at the end,
// without those of tables within its cells and those that are hidden.
func rows(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		switch n.Data {
		case "tr":
			yield(n)
			return
		case "table":
		default:
			ownRows(n, yield)
			return
		}
		for _, last := range []bool{false, true} {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				switch {
				case c.Type != html.ElementNode || (c.Data == "tfoot") != last || hidden(c):
				case c.Data == "tr":
					if !yield(c) {
						return
					}
				case holdsRows(c) && c.Data != "table":
					if !ownRows(c, yield) {
						return
					}
				}
			}
		}
	}
}

// ownRows yields the rows that are children of a part of a table, until yield
// returns false. It returns what yield did.
func ownRows(group *html.Node, yield func(*html.Node) bool) bool {
	for r := group.FirstChild; r != nil; r = r.NextSibling {
		if r.Type == html.ElementNode && r.Data == "tr" && !hidden(r) && !yield(r) {
			return false
		}
	}
	return true
}

// cells yields the cells of a row that are not hidden.
func cells(tr *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for c := tr.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && (c.Data == "td" || c.Data == "th") && !hidden(c) && !yield(c) {
				return
			}
		}
	}
}
