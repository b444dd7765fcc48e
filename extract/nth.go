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
	of           []compound // which siblings count; nil: all
}

var anb = regexp.MustCompile(`^(?i)\s*(?:([+-]?\d*)n(?:\s*([+-])\s*(\d+))?|([+-]?\d+))\s*$`)

// ofSelectors finds what follows the position in "2n+1 of .a, .b".
var ofSelectors = regexp.MustCompile(`(?is)^(.*?)\sof\s(.*)$`)

// compileNth reads a position, and the selectors of the siblings that count.
func compileNth(src string, ofType bool) (p *nth, err error) {
	p = &nth{ofType: ofType}
	if m := ofSelectors.FindStringSubmatch(src); m != nil && !ofType {
		if p.of, err = compoundList(m[2]); err != nil {
			return p, err
		}
		src = m[1]
	}
	p.a, p.b, err = parseNth(src)
	return p, err
}

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

func (p *nth) matches(q *query, n *html.Node) bool {
	if p.of != nil && !anyMatches(p.of, q, n) {
		return false
	}
	i := q.position(n, p) - p.b
	if p.a == 0 {
		return i == 0
	}
	return i%p.a == 0 && i/p.a >= 0
}

// counts reports whether s is counted among the siblings of n.
func (p *nth) counts(q *query, s, n *html.Node) bool {
	return s.Type == html.ElementNode && (!p.ofType || s.Data == n.Data && s.Namespace == n.Namespace) && (p.of == nil || anyMatches(p.of, q, s))
}

// siblings identifies the children of a parent that are counted together.
type siblings struct {
	parent         *html.Node
	namespace, tag string // "": all elements
	of             *compound
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
func (q *query) position(n *html.Node, p *nth) int {
	index := 1
	for s, looked := n, 0; looked < nearby; looked++ {
		q.steps--
		if p.last {
			s = s.NextSibling
		} else {
			s = s.PrevSibling
		}
		if s == nil {
			return index
		}
		if p.counts(q, s, n) {
			index++
		}
	}
	return q.positionAmongMany(n, p)
}

// positionAmongMany is position where there are many siblings. Elements come
// in document order, so it counts from the one before: linear, however many
// siblings there are.
func (q *query) positionAmongMany(n *html.Node, p *nth) int {
	key := siblings{parent: n.Parent}
	if p.ofType {
		key.namespace, key.tag = n.Namespace, n.Data
	}
	if p.of != nil {
		key.of = &p.of[0]
	}
	if q.work.counts == nil {
		q.work.counts = map[siblings]counted{}
	}
	c := q.work.counts[key]
	index := 0
	for s := n; s != nil; s = s.PrevSibling {
		if s == c.n {
			index += c.index
			break
		}
		if p.counts(q, s, n) {
			index++
		}
		q.steps--
	}
	c.n, c.index = n, index
	if p.last && c.total == 0 {
		c.total = index
		for s := n.NextSibling; s != nil; s = s.NextSibling {
			if p.counts(q, s, n) {
				c.total++
			}
			q.steps--
		}
	}
	q.work.counts[key] = c
	if p.last {
		return c.total - index + 1
	}
	return index
}
