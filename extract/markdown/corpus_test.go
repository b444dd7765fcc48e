package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

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
	for i, path := range pages {
		if testing.Short() && i%4 != 0 {
			continue
		}
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
	want, got := newReader(), newReader()
	want.page, want.layouts = true, layoutTables(body)
	want.read(body)
	got.read(back)
	if s := firstDifference("words", strings.Fields(want.b.String()), strings.Fields(got.b.String())); s != "" {
		return s
	}
	if s := firstDifference("cells", want.cells, got.cells); s != "" || want.unsure {
		return s
	}
	return firstDifference("formats", strings.Split(want.formats.String(), "\n"), strings.Split(got.formats.String(), "\n"))
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
	b       *strings.Builder
	cells   []string
	page    bool // the input, where what the renderer changes is allowed for
	layouts map[*html.Node]bool
	inCell  int
	inLink  int
	marks   mark
	plain   int              // in code blocks, which have no formats
	formats *strings.Builder // each letter with the formats it is in
	inFlow  bool             // in a pre that is no code
	frozen  bool             // in code in a cell, whose formats are those it began with
	unsure  bool             // markers of lists are text, so formats can't be compared
}

func newReader() *reader { return &reader{b: new(strings.Builder), formats: new(strings.Builder)} }

func (r *reader) read(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		r.text(n.Data)
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

// text notes text with its formats.
func (r *reader) text(s string) {
	r.b.WriteString(s)
	for _, c := range s {
		if unicode.IsSpace(c) {
			continue
		}
		r.formats.WriteRune(c)
		if r.plain == 0 {
			fmt.Fprintf(r.formats, " %06b", r.marks)
			if r.inLink > 0 {
				r.formats.WriteString(" link")
			}
		}
		r.formats.WriteByte('\n')
	}
}

var marks = map[string]mark{
	"b": strong, "strong": strong, "em": emphasis, "i": emphasis, "cite": emphasis, "dfn": emphasis, "var": emphasis,
	"del": deleted, "s": deleted, "strike": deleted, "sup": superscript, "sub": subscript,
	"code": codeSpan, "kbd": codeSpan, "samp": codeSpan, "tt": codeSpan,
}

// mark returns the format that an element gives its text.
func (r *reader) mark(n *html.Node) mark {
	m := marks[n.Data]
	if r.frozen {
		return 0
	}
	if r.page && (n.Data == "dt" || n.Data == "summary" || r.inCell > 0 && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data != "hr") {
		m |= strong
	}
	return m
}

// element reads an HTML element.
func (r *reader) element(n *html.Node) {
	if isBlock(n) || n.Data == "br" {
		r.b.WriteByte(' ')
		defer r.b.WriteByte(' ')
	}
	before := r.marks
	r.marks |= r.mark(n)
	r.byName(n)
	r.marks = before
}

func (r *reader) byName(n *html.Node) {
	switch n.Data {
	case "a":
		before := r.inLink
		if r.leads(n) {
			r.inLink = 1
		}
		r.children(n)
		r.inLink = before
	case "img":
		r.image(n)
	case "pre", "listing", "plaintext", "xmp":
		r.pre(n)
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
			r.unsure = true
		} else {
			r.b.WriteString(s)
		}
	default:
		r.children(n)
	}
}

// leads reports whether a link leads somewhere.
func (r *reader) leads(n *html.Node) bool {
	w := walker{}
	href, ok := attr(n, "href")
	_, err := w.resolve(href)
	return ok && err == nil && !r.frozen
}

func (r *reader) pre(n *html.Node) {
	cell := r.inCell
	switch {
	case r.inFlow || r.page && holdsFlow(n):
		before := r.inFlow
		r.inFlow = true
		r.children(n)
		r.inFlow = before
	case cell > 0 || r.frozen:
		r.inCell = 0 // lists in code have no markers
		r.marks |= codeSpan
		frozen := r.frozen
		r.frozen = true
		r.children(n)
		r.frozen = frozen
	default:
		r.plain++
		r.children(n)
		r.plain--
	}
	r.inCell = cell
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
	before := r.marks
	r.marks = 0
	r.inLink++
	r.text(" " + u + " ")
	r.inLink--
	r.marks = before
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
	r.unsure = true
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
	before := r.b
	r.b = new(strings.Builder)
	read()
	s := r.b.String()
	r.b = before
	return s
}

// table reads the cells of a table that is one in Markdown too.
func (r *reader) table(n *html.Node) {
	if !r.page {
		r.cells = append(r.cells, readCells(n, func(c *html.Node) string {
			inner := newReader()
			inner.inCell = 1
			return words(inner, c)
		})...)
		r.children(n)
		return
	}
	for c := range childElements(n, "caption") {
		r.read(c)
	}
	w := walker{spans: maxSpanned}
	g := w.grid(n)
	isTable := r.inCell == 0 && !r.layouts[n]
	if isTable && !g.named {
		w := walker{spans: maxSpanned, left: 1 << 30, urlBytes: 1 << 30}
		_, columns := w.tableRows(&g)
		isTable = columns > 1
	}
	if isTable {
		r.inCell++
		r.cells = append(r.cells, readCells(n, func(c *html.Node) string {
			inner := newReader()
			inner.page, inner.inCell, inner.inLink, inner.layouts = true, 1, r.inLink, r.layouts
			return words(inner, c)
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
			across, below := w.span(c)
			below = min(left, below)
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
