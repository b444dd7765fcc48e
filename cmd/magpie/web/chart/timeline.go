package chart

import (
	"html/template"
	"math"
	"strconv"
)

// Series are the values of one kind, a value for each bucket of time.
type Series struct {
	Name   string // for the legend that the caller writes
	Class  string // colours its bars: tl-ok, tl-bad …
	Values []float64
}

// Stack is a chart of series that stand on each other, over time.
type Stack struct {
	Title  string
	Series []Series           // all of one length; the first at the bottom
	From   string             // what stands below the left end
	To     string             // and below the right one
	Unit   string             // what is counted, behind the largest value on the scale
	Bucket func(i int) string // says of a bar when it was; nil: nothing
}

// Size of a Stack; its width follows the page's.
const (
	stackWidth  = 1000
	stackHeight = 160
	stackTop    = 22
	stackFoot   = 24
	stackLeft   = 56
)

// Timeline draws s. Classes: timeline, tl-grid, tl-text and those of the
// series.
func Timeline(s Stack) template.HTML {
	d := begin("timeline", s.Title, stackWidth, stackHeight)
	n := 0
	for _, x := range s.Series {
		n = max(n, len(x.Values))
	}
	sums := make([]float64, n)
	for _, x := range s.Series {
		for i, v := range x.Values {
			if finite(v) {
				sums[i] += max(0, v)
			}
		}
	}
	top := ceiling(largest(sums))
	d.scale(top, s.Unit)
	const ground = stackHeight - stackFoot
	slot := float64(stackWidth-stackLeft) / float64(max(1, n))
	for i := range n {
		y := float64(ground)
		for _, x := range s.Series {
			if i >= len(x.Values) || !finite(x.Values[i]) || x.Values[i] <= 0 {
				continue
			}
			h := max(1, x.Values[i]/top*(ground-stackTop))
			y -= h
			d.rect(x.Class, stackLeft+float64(i)*slot, y, max(1, slot-1), h, s.told(i, x))
		}
	}
	if n == 0 || largest(sums) == 0 {
		d.label("tl-text", "middle", stackLeft+(stackWidth-stackLeft)/2, ground/2+4, "nothing yet")
	}
	d.label("tl-text", "start", stackLeft, stackHeight-4, s.From)
	d.label("tl-text", "end", stackWidth, stackHeight-4, s.To)
	return d.end()
}

// told says what a bar stands for.
func (s *Stack) told(i int, x Series) string {
	text := x.Name + ": " + short(x.Values[i])
	if s.Bucket != nil {
		text = s.Bucket(i) + ", " + text
	}
	return text
}

// scale draws three lines of the grid with their values.
func (d *drawing) scale(top float64, unit string) {
	const ground = stackHeight - stackFoot
	for i := range 3 {
		part := float64(i) / 2
		y := ground - part*(ground-stackTop)
		d.line("tl-grid", stackLeft, y, stackWidth, y)
		if v := top * part; i == 0 || top > 1 || i == 2 {
			d.label("tl-text", "end", stackLeft-6, y+4, short(v))
		}
	}
	d.label("tl-text", "start", stackLeft, stackTop-6, unit)
}

// ceiling is the next number above v that is easy to read: 1, 2, 4, 6 or 10 of
// a power of ten. It is above 0.
func ceiling(v float64) float64 {
	if v <= 0 || !finite(v) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 4, 6, 10} {
		if v <= m*power {
			return m * power
		}
	}
	return v
}

// short writes a number in few characters: 1.2k, 3M.
func short(v float64) string {
	for _, u := range []struct {
		size float64
		sign string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= u.size {
			return strconv.FormatFloat(math.Round(v/u.size*10)/10, 'f', -1, 64) + u.sign
		}
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}
