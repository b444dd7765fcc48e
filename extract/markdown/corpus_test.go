package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const corpus = "../../../shared/corpus/pages"

// differs names the pages whose text or cells don't come back, with the reason.
var differs = map[string]string{}

// TestCorpus asks of each real page whether a renderer shows the same words
// and the same cells of tables.
func TestCorpus(t *testing.T) {
	pages, _ := filepath.Glob(corpus + "/*/*.html")
	if len(pages) == 0 {
		t.Skip("no corpus of real pages at " + corpus)
	}
	for _, path := range pages {
		name := filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			body := parse(t, page)
			fault := roundTrip(t, body)
			switch reason, known := differs[name]; {
			case known && fault == "":
				t.Errorf("listed as differing, but does not: %s", reason)
			case !known && fault != "":
				t.Error(fault)
			}
		})
	}
}

// roundTrip compares the words and cells of a page with those that a renderer
// makes of its Markdown, and returns the first difference.
func roundTrip(t testing.TB, body *html.Node) string {
	md := Render(body, nil)
	back := shown(t, md)
	want, got := reader{layouts: layoutTables(body), page: true}, reader{}
	want.read(body)
	got.read(back)
	if s := firstDifference("words", strings.Fields(want.b.String()), strings.Fields(got.b.String())); s != "" {
		return s
	}
	return firstDifference("cells", want.cells, got.cells)
}

func firstDifference(what string, want, got []string) string {
	for i := range max(len(want), len(got)) {
		if i < len(want) && i < len(got) && want[i] == got[i] {
			continue
		}
		around := func(s []string) string {
			return fmt.Sprintf("%q", s[min(len(s), max(0, i-4)):min(len(s), i+6)])
		}
		return fmt.Sprintf("%s differ at %d of %d and %d:\nwant %s\ngot  %s", what, i, len(want), len(got), around(want), around(got))
	}
	return ""
}

// reader collects the words of a page, and the cells of its tables, by rules
// written apart from those of the renderer.
type reader struct {
	b       strings.Builder
	cells   []string
	page    bool // the input, where what the renderer changes is allowed for
	layouts map[*html.Node]bool
	inCell  int
	inLink  int
}

func (r *reader) read(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		r.b.WriteString(n.Data)
		return
	case n.Type == html.ElementNode && hidden(n):
		return
	case n.Type == html.ElementNode && n.Namespace == "":
		r.element(n)
		return
	case n.Namespace == "svg" && (n.Data == "svg" || n.Data == "text"):
		defer r.b.WriteByte(' ')
		r.b.WriteByte(' ')
	}
	r.children(n)
}

func (r *reader) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.read(c)
	}
}

// element reads an HTML element.
func (r *reader) element(n *html.Node) {
	if isBlock(n) || n.Data == "br" {
		r.b.WriteByte(' ')
		defer r.b.WriteByte(' ')
	}
	switch n.Data {
	case "a":
		_, ok := attr(n, "href")
		if ok {
			r.inLink++
		}
		r.children(n)
		if ok {
			r.inLink--
		}
	case "img":
		r.image(n)
	case "pre", "listing", "plaintext", "xmp":
		cell := r.inCell
		if !holdsFlow(n) {
			r.inCell = 0 // lists in code have no markers
		}
		r.children(n)
		r.inCell = cell
	case "audio", "embed", "frame", "iframe", "object", "video":
		r.media(n)
	case "table":
		r.table(n)
	case "ul", "ol", "menu", "dir":
		if r.page && r.inCell > 0 {
			r.markers(n)
			return
		}
		r.children(n)
	case "li":
		if s := r.inner(n); r.page && r.inCell > 0 && strings.TrimSpace(s) != "" {
			r.b.WriteString(" - " + s)
		} else {
			r.b.WriteString(s)
		}
	default:
		r.children(n)
	}
}

// media reads the text of a link that stands for what is embedded.
func (r *reader) media(n *html.Node) {
	w := walker{}
	u := w.mediaURL(n)
	if !r.page || u == "" || r.inLink > 0 {
		return
	}
	if title, _ := attr(n, "title"); strings.TrimSpace(title) != "" {
		u = title
	}
	r.b.WriteString(" " + u + " ")
}

// image reads an image as its text in brackets.
func (r *reader) image(n *html.Node) {
	w := walker{}
	alt, _ := attr(n, "alt")
	if alt = oneLine(alt); !r.page || alt != "" || w.imageURL(n) != "" {
		r.b.WriteString("⟦" + alt + "⟧")
	}
}

// markers reads a list in a cell, whose markers are text.
func (r *reader) markers(n *html.Node) {
	var items []string
	number, full := listStart(n), false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case isItem(c):
			items = append(items, r.inner(c))
			full = full || strings.TrimSpace(items[len(items)-1]) != ""
		case len(items) == 0:
			r.read(c)
		default:
			s := r.within(func() { r.read(c) })
			items[len(items)-1] += s
			full = full || strings.TrimSpace(s) != ""
		}
	}
	for _, s := range items {
		switch {
		case n.Data == "ol" && full:
			r.b.WriteString(fmt.Sprintf(" %d. %s ", number, s))
			number++
		case strings.TrimSpace(s) != "":
			r.b.WriteString(" - " + s + " ")
		}
	}
}

// inner returns what is read in n.
func (r *reader) inner(n *html.Node) string {
	return strings.TrimSpace(r.within(func() { r.children(n) })) + " "
}

func (r *reader) within(read func()) string {
	before := r.b.String()
	r.b.Reset()
	read()
	s := r.b.String()
	r.b.Reset()
	r.b.WriteString(before)
	return s
}

// table reads the cells of a table that is one in Markdown too.
func (r *reader) table(n *html.Node) {
	if !r.page {
		r.cells = append(r.cells, readCells(n, func(c *html.Node) string { return words(&reader{inCell: 1}, c) })...)
		r.children(n)
		return
	}
	for c := range childElements(n, "caption") {
		r.read(c)
	}
	w := walker{spans: maxSpanned}
	g := w.grid(n)
	isTable := r.inCell == 0 && !r.layouts[n]
	if isTable && !g.th {
		w := walker{spans: maxSpanned, left: 1 << 30, urlBytes: 1 << 30}
		_, columns := w.tableRows(&g)
		isTable = columns > 1
	}
	if isTable {
		r.inCell++
		r.cells = append(r.cells, readCells(n, func(c *html.Node) string {
			return words(&reader{page: true, inCell: 1, inLink: r.inLink, layouts: r.layouts}, c)
		})...)
	}
	for tr := range rows(n) {
		for c := range childElements(tr, "td", "th") {
			r.read(c)
		}
	}
	if isTable {
		r.inCell--
	}
}

func words(r *reader, n *html.Node) string {
	r.children(n)
	return strings.Join(strings.Fields(r.b.String()), " ")
}

// readCells returns the text of each cell with its row and column, after
// spans, without rows and columns that are empty.
func readCells(table *html.Node, text func(*html.Node) string) []string {
	taken := map[[2]int]bool{}
	texts := map[[2]int]string{}
	row := -1
	var usedRows, usedColumns []int
	var group *html.Node
	groupRows := map[*html.Node]int{}
	for tr := range rows(table) {
		groupRows[tr.Parent]++
	}
	left := 0
	for tr := range rows(table) {
		row++
		if tr.Parent != group {
			group, left = tr.Parent, groupRows[tr.Parent]
		}
		column := 0
		for c := range childElements(tr, "td", "th") {
			for taken[[2]int{row, column}] {
				column++
			}
			w := walker{}
			across, below := max(1, w.span(c, "colspan", 1000)), min(left, w.span(c, "rowspan", 65534))
			for y := range max(1, below) {
				for x := range across {
					taken[[2]int{row + y, column + x}] = true
				}
			}
			if s := text(c); s != "" {
				texts[[2]int{row, column}] = s
				usedRows, usedColumns = append(usedRows, row), append(usedColumns, column)
			}
			column += across
		}
		left--
	}
	slices.Sort(usedRows)
	slices.Sort(usedColumns)
	usedRows, usedColumns = slices.Compact(usedRows), slices.Compact(usedColumns)
	var cells []string
	for y, row := range usedRows {
		for x, column := range usedColumns {
			if s, ok := texts[[2]int{row, column}]; ok {
				cells = append(cells, fmt.Sprintf("%d,%d: %s", y, x, s))
			}
		}
	}
	return cells
}
