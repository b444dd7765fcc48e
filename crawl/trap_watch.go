package crawl

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/crawl/simhash"
	"github.com/magpie-crawl/magpie/weburl"
)

// ReasonTrapDuplicates is that of URLs like those of many pages that say
// nearly the same.
const ReasonTrapDuplicates Reason = "trap-duplicates"

const (
	nearDuplicate = 3      // bits in which the fingerprints of near-duplicates differ at most
	shapeMemory   = 4      // fingerprints that are kept of a shape
	maxShapes     = 10_000 // shapes that are kept
	trapLesson    = 10     // a streak is stored each time it grew by so much
)

// Trap is what is known of the URLs of one shape: how many of their pages in a
// row were near-duplicates of each other.
type Trap struct {
	Shape  string   // see shape
	Streak int      // pages in a row that said nearly the same as one before and brought no record
	Sums   []uint64 // fingerprints of the last pages that differed
}

// trapWatch follows the pages of a run, by the shapes of their URLs.
type trapWatch struct {
	limit int // the streak that makes a trap; below 1: nothing is watched

	mu     sync.RWMutex
	shapes map[string]*Trap
}

// newTrapWatch begins with what the run learned before.
func newTrapWatch(ctx context.Context, limit int, run Run) (*trapWatch, error) {
	w := &trapWatch{limit: limit, shapes: map[string]*Trap{}}
	if limit < 1 {
		return w, nil
	}
	return w, run.Traps(ctx, func(t Trap) bool {
		w.shapes[t.Shape] = &t
		return len(w.shapes) < maxShapes
	})
}

// caught says that a URL is of a shape that was found to be a trap.
func (w *trapWatch) caught(u weburl.URL) bool {
	if w == nil || w.limit < 1 {
		return false
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	if len(w.shapes) == 0 {
		return false
	}
	t := w.shapes[shape(u)]
	return t != nil && t.Streak >= w.limit
}

// trapped says why a page is not asked for although it is in the frontier, ""
// if it is.
func (s *session) trapped(r *Request) (Reason, string) {
	if r.Kind != PageKind {
		return "", ""
	}
	u, err := weburl.Parse(r.URL)
	if err != nil || s.scope.starts[u] || !s.watch.caught(u) {
		return "", ""
	}
	return ReasonTrapDuplicates, fmt.Sprintf("traps.duplicates: %d pages in a row of %s say nearly the same", s.opts.Traps.Duplicates, shape(u))
}

// learn takes in a page and returns what is to be stored of its shape, nil if
// nothing is. A page with news ends the streak, whatever it says.
func (w *trapWatch) learn(u weburl.URL, root *html.Node, news bool) *Trap {
	s := shape(u)
	if w.limit < 1 || !strings.ContainsAny(s, "#?") {
		return nil // a URL that has its shape for itself
	}
	if news {
		return w.reset(s)
	}
	sum := fingerprint(root)
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.shapes[s]
	if t == nil {
		if len(w.shapes) >= maxShapes {
			w.forget()
		}
		t = &Trap{Shape: s}
		w.shapes[s] = t
	}
	before := t.Streak
	t.add(sum)
	if t.Streak/trapLesson == before/trapLesson && t.Streak != w.limit {
		return nil
	}
	return &Trap{Shape: s, Streak: t.Streak, Sums: slices.Clone(t.Sums)}
}

// reset ends the streak of a shape.
func (w *trapWatch) reset(shape string) *Trap {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.shapes[shape]
	if t == nil || t.Streak == 0 {
		return nil
	}
	t.Streak = 0
	return &Trap{Shape: shape, Sums: slices.Clone(t.Sums)}
}

// add takes in the fingerprint of another page.
func (t *Trap) add(sum uint64) {
	if slices.ContainsFunc(t.Sums, func(s uint64) bool { return simhash.Distance(s, sum) <= nearDuplicate }) {
		t.Streak++
		return
	}
	t.Streak = 0
	t.Sums = append(t.Sums, sum)
	t.Sums = t.Sums[max(0, len(t.Sums)-shapeMemory):]
}

// forget makes room: of shapes that are not traps nothing is lost but time.
func (w *trapWatch) forget() {
	for s, t := range w.shapes {
		if t.Streak < w.limit {
			delete(w.shapes, s)
		}
	}
	if len(w.shapes) >= maxShapes {
		clear(w.shapes)
	}
}

// fingerprint is a simhash of the text that a document shows. Pages with other
// images are no near-duplicates, however little they say: galleries are full of
// such pages. So the images turn some bits over, the same for the same images.
func fingerprint(root *html.Node) uint64 {
	var b simhash.Builder
	images := fnv.New64a()
	for n := root; n != nil; n = following(n, root) {
		switch {
		case n.Type == html.TextNode:
			for word := range strings.FieldsSeq(n.Data) {
				b.Add(word)
			}
		case n.DataAtom == atom.Img || n.DataAtom == atom.Source || n.DataAtom == atom.Video:
			src, _ := attribute(n, "src")
			io.WriteString(images, src+" ")
		}
	}
	return b.Sum() ^ images.Sum64()
}

// shape is what URLs have in common that differ in numbers, and in what their
// query parameters say: "http://h.test/day/#-#?page&view".
func shape(u weburl.URL) string {
	path, query, _ := strings.Cut(u.RequestURI(), "?")
	var b strings.Builder
	b.WriteString(u.Origin())
	for i := 0; i < len(path); {
		end := numberEnd(path, i)
		if end == i {
			b.WriteByte(path[i])
			i++
			continue
		}
		b.WriteByte('#')
		i = end
	}
	if query != "" {
		var names []string
		for parameter := range strings.SplitSeq(query, "&") {
			name, _, _ := strings.Cut(parameter, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		b.WriteString("?" + strings.Join(slices.Compact(names), "&"))
	}
	return b.String()
}

// numberEnd is the end of the number in digits, or of the identifier in eight
// or more hexadecimal ones, that begins at i; i if none does.
func numberEnd(s string, i int) int {
	digits, hex := i, i
	for digits < len(s) && '0' <= s[digits] && s[digits] <= '9' {
		digits++
	}
	for hex < len(s) && ('0' <= s[hex] && s[hex] <= '9' || 'a' <= s[hex]|0x20 && s[hex]|0x20 <= 'f' || s[hex] == '-') {
		hex++
	}
	if hex-i >= 8 && strings.ContainsAny(s[i:hex], "0123456789") && (i == 0 || s[i-1] == '/') {
		return hex
	}
	return digits
}
