package markdown

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/internal/rendering"
)

// grid is a table with the column in which each cell begins.
type grid struct {
	rows  []gridRow
	began []bool // by column: a cell begins there
	named bool   // has a caption or headings, which tables that arrange a page don't have
}

// columns returns in how many columns a cell begins.
func (g *grid) columns() (n int) {
	for _, b := range g.began {
		if b {
			n++
		}
	}
	return n
}

type gridRow struct {
	cells []gridCell
	head  bool // in thead
}

type gridCell struct {
	column int
	node   *html.Node
}

// grid lays a table out.
//
// https://html.spec.whatwg.org/multipage/tables.html#forming-a-table
func (w *walker) grid(n *html.Node) grid {
	var (
		g     grid
		down  []int // by column: how many more rows a cell reaches into
		group *html.Node
	)
	for range childElements(n, "caption", "thead") {
		g.named = true
	}
	for tr := range rows(n) {
		if tr.Parent != group {
			group, down = tr.Parent, nil // no cell grows out of its row group
		}
		row := gridRow{head: group != nil && group.Data == "thead"}
		column := 0
		for c := range childElements(tr, "td", "th") {
			column, down = w.reach(down, column, false)
			row.cells = append(row.cells, gridCell{column, c})
			for len(g.began) <= column {
				g.began = append(g.began, false)
			}
			g.began[column] = true
			g.named = g.named || c.Data == "th"
			column, down = w.occupy(down, column, c)
		}
		_, down = w.reach(down, column, true)
		g.rows = append(g.rows, row)
	}
	return g
}

// reach passes the columns that cells from above reach into: those side by
// side, or all that are left in the row.
func (w *walker) reach(down []int, column int, all bool) (int, []int) {
	for all && len(down) > 0 && down[len(down)-1] <= 0 {
		down = down[:len(down)-1]
	}
	for ; column < len(down) && (all || down[column] > 0); column++ {
		if w.spans--; w.spans < 0 {
			return column, nil
		}
		down[column]--
	}
	return column, down
}

// occupy puts a cell into its columns and the rows below.
func (w *walker) occupy(down []int, column int, cell *html.Node) (int, []int) {
	across, below := w.span(cell)
	below--
	w.spans -= across - 1
	for range across {
		if below > 0 || column < len(down) {
			for len(down) <= column {
				down = append(down, 0)
			}
			down[column] = below
		}
		column++
	}
	return column, down
}

// span is how far a cell spans. When the page's bound is used up, no cell does.
func (w *walker) span(cell *html.Node) (across, down int) {
	if w.spans < 0 {
		return 1, 1
	}
	return rendering.Colspan(cell), rendering.Rowspan(cell)
}

// rows yields the rows of a table or a part of it, without those of tables
// within its cells and those that are hidden.
func rows(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		if n.Data == "tr" {
			yield(n)
			return
		}
		for c := range childElements(n, "tr", "thead", "tbody", "tfoot") {
			if c.Data == "tr" {
				if !yield(c) {
					return
				}
				continue
			}
			for tr := range childElements(c, "tr") {
				if !yield(tr) {
					return
				}
			}
		}
	}
}

// childElements yields the children of those names that are not hidden.
func childElements(n *html.Node, names ...string) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && c.Namespace == "" && slices.Contains(names, c.Data) && !hidden(c) && !yield(c) {
				return
			}
		}
	}
}

// layoutTables returns the tables below n that arrange a page: those that say
// so, and those without headings that hold tables, headings or code.
func layoutTables(top *html.Node) map[*html.Node]bool {
	layouts := map[*html.Node]bool{}
	plain := map[*html.Node]bool{} // tables without headings, as far as is known
	var open []*html.Node          // tables around n
	enter := func(n *html.Node) bool {
		switch {
		case n.Type != html.ElementNode:
			return n.Type == html.DocumentNode
		case hidden(n) && n != top:
			return false
		case n.Namespace != "":
			return true
		}
		last := len(open) - 1
		switch n.Data {
		case "th", "thead", "caption":
			if last >= 0 {
				plain[open[last]] = false
			}
		case "table", "pre", "h1", "h2", "h3", "h4", "h5", "h6":
			if last >= 0 {
				layouts[open[last]] = true
			}
			if n.Data == "table" {
				open, plain[n] = append(open, n), true
			}
		}
		return true
	}
	leave := func(n *html.Node) {
		if last := len(open) - 1; last >= 0 && open[last] == n {
			role, _ := attr(n, "role")
			if role = strings.ToLower(role); role == "presentation" || role == "none" {
				layouts[n] = true
			} else if !plain[n] {
				delete(layouts, n)
			}
			delete(plain, n)
			open = open[:last]
		}
	}
	walk(top, enter, leave)
	return layouts
}

// walk goes through a tree, without going deeper on the stack.
func walk(top *html.Node, enter func(*html.Node) bool, leave func(*html.Node)) {
	n := top
	for {
		if enter(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		leave(n)
		for n != top && n.NextSibling == nil {
			n = n.Parent
			leave(n)
		}
		if n == top {
			return
		}
		n = n.NextSibling
	}
}
