package extract

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// nth is a pseudo-class that counts siblings: it matches the element at
// position a×k+b for some k ≥ 0.
//
// https://drafts.csswg.org/selectors-4/#child-index
type nth struct {
	a, b         int
	last, ofType bool
}

var anb = regexp.MustCompile(`^(?i)\s*(?:([+-]?\d*)n(?:\s*([+-])\s*(\d+))?|([+-]?\d+))\s*$`)

// parseNth reads the An+B notation: https://drafts.csswg.org/css-syntax-3/#anb
func parseNth(src string) (a, b int, err error) {
	switch strings.ToLower(strings.TrimSpace(src)) {
	case "odd":
		return 2, 1, nil
	case "even":
		return 2, 0, nil
	}
	m := anb.FindStringSubmatch(src)
	if m == nil {
		return 0, 0, fmt.Errorf("%q is no position: write odd, even, 3 or 2n+1", src)
	}
	if m[4] != "" {
		b, err = strconv.Atoi(m[4])
		return 0, b, err
	}
	switch m[1] {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		if a, err = strconv.Atoi(m[1]); err != nil {
			return 0, 0, err
		}
	}
	if m[3] != "" {
		b, err = strconv.Atoi(m[2] + m[3])
	}
	return a, b, err
}

func (p nth) matches(w *work, n *html.Node) bool {
	i := w.position(n, p.ofType, p.last) - p.b
	if p.a == 0 {
		return i == 0
	}
	return i%p.a == 0 && i/p.a >= 0
}

// siblings identifies the children of a parent that are counted together.
type siblings struct {
	parent *html.Node
	tag    string // "": all elements
}

// counted is the element of some siblings that was asked for last, its
// position from 1, and how many there are (0: not counted yet).
type counted struct {
	n            *html.Node
	index, total int
}

// nearby is how many siblings are counted afresh rather than remembered.
const nearby = 16

// position returns an element's position among its siblings from 1, or from
// the end where last is set.
func (w *work) position(n *html.Node, ofType, last bool) int {
	index := 1
	for s, looked := n, 0; looked < nearby; looked++ {
		w.steps--
		if last {
			s = s.NextSibling
		} else {
			s = s.PrevSibling
		}
		if s == nil {
			return index
		}
		if counts(s, n, ofType) {
			index++
		}
	}
	return w.positionAmongMany(n, ofType, last)
}

// positionAmongMany is position where there are many siblings. Elements come
// in document order, so it counts from the one before: linear, however many
// siblings there are.
func (w *work) positionAmongMany(n *html.Node, ofType, last bool) int {
	key := siblings{parent: n.Parent}
	if ofType {
		key.tag = n.Data
	}
	if w.counts == nil {
		w.counts = map[siblings]counted{}
	}
	c := w.counts[key]
	index := 0
	for s := n; s != nil; s = s.PrevSibling {
		if s == c.n {
			index += c.index
			break
		}
		if counts(s, n, ofType) {
			index++
		}
		w.steps--
	}
	c.n, c.index = n, index
	if last && c.total == 0 {
		c.total = index
		for s := n.NextSibling; s != nil; s = s.NextSibling {
			if counts(s, n, ofType) {
				c.total++
			}
			w.steps--
		}
	}
	w.counts[key] = c
	if last {
		return c.total - index + 1
	}
	return index
}

// counts reports whether s is counted among the siblings of n.
func counts(s, n *html.Node, ofType bool) bool {
	return s.Type == html.ElementNode && (!ofType || s.Data == n.Data)
}
