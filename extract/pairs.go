package extract

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

var (
	pairsElement = mustCompileSelector("table, dl")
	tableElement = mustCompileSelector("table")
)

// pairs reads names and values: the first two cells of each row of a table,
// or the terms and descriptions of a dl, in n itself or the first such
// element within it. A row of heading and cell by turns has several pairs, a
// row of more cells or a term with several descriptions a list, and so has a
// name that comes twice. A colon at the end of a name is left out.
//
// https://html.spec.whatwg.org/multipage/grouping-content.html#the-dl-element
func (w *work) pairs(n *html.Node) (Object, error) {
	if n.Data != "dl" && !holdsRows(n) {
		if n = w.first(pairsElement, n); n == nil {
			return nil, errors.New("holds no table and no dl")
		}
	}
	p := pairList{index: map[string]int{}}
	if n.Data == "dl" {
		w.descriptions(n, &p)
	} else {
		for row := range rows(n) {
			w.rowPairs(row, &p)
		}
	}
	if len(p.object) == 0 {
		return nil, errors.New("has no row of a name and a value")
	}
	return p.object, nil
}

// pairList collects pairs in the order of their names.
type pairList struct {
	object Object
	index  map[string]int
}

func (p *pairList) add(name string, value any) {
	name = oneLine(strings.TrimRight(strings.TrimSpace(name), ":： \u00a0"))
	if name == "" {
		return
	}
	i, ok := p.index[name]
	if !ok {
		p.index[name] = len(p.object)
		p.object = append(p.object, Member{name, value})
		return
	}
	list, ok := p.object[i].Value.([]any)
	if !ok {
		list = []any{p.object[i].Value}
	}
	if more, ok := value.([]any); ok {
		list = append(list, more...)
	} else {
		list = append(list, value)
	}
	p.object[i].Value = list
}

// rowPairs adds what a row says.
func (w *work) rowPairs(row *html.Node, p *pairList) {
	cells := slices.Collect(cells(row))
	turns := len(cells)%2 == 0
	for i, c := range cells {
		turns = turns && (c.Data == "th") == (i%2 == 0)
	}
	switch {
	case len(cells) < 2:
	case len(cells) == 2:
		p.add(w.text(cells[0]), w.text(cells[1]))
	case turns:
		for i := 0; i < len(cells); i += 2 {
			p.add(w.text(cells[i]), w.text(cells[i+1]))
		}
	default:
		var values []any
		for _, c := range cells[1:] {
			values = append(values, w.text(c))
		}
		p.add(w.text(cells[0]), values)
	}
}

// descriptions adds the groups of a dl, also where they stand in div elements.
func (w *work) descriptions(dl *html.Node, p *pairList) {
	var names []string
	described := false
	entry := func(n *html.Node) {
		switch {
		case n.Type != html.ElementNode || hidden(n):
		case n.Data == "dt":
			if described {
				names, described = nil, false
			}
			names = append(names, w.text(n))
		case n.Data == "dd":
			described = true
			text := w.text(n)
			for _, name := range names {
				if w.steps -= stepsPerMember + len(name) + len(text); w.exhausted() {
					return
				}
				p.add(name, text)
			}
		}
	}
	for c := dl.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "div" {
			for d := c.FirstChild; d != nil; d = d.NextSibling {
				entry(d)
			}
			continue
		}
		entry(c)
	}
}

// oneLine joins the lines of a name.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
