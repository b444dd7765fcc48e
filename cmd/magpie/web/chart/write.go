package chart

import (
	"html"
	"html/template"
	"math"
	"strconv"
)

// drawing is an SVG that is being written.
type drawing []byte

// begin opens an SVG of w by h units whose meaning is title.
func begin(class, title string, w, h int) drawing {
	d := drawing(make([]byte, 0, 512))
	d.text(`<svg class="`, class, `" role="img" viewBox="0 0 `)
	d = strconv.AppendInt(d, int64(w), 10)
	d = append(d, ' ')
	d = strconv.AppendInt(d, int64(h), 10)
	d.text(`" width="`)
	d = strconv.AppendInt(d, int64(w), 10)
	d.text(`" height="`)
	d = strconv.AppendInt(d, int64(h), 10)
	d.text(`"><title>`, html.EscapeString(title), `</title>`)
	return d
}

// end closes the SVG. All of its text was escaped, which is what makes it
// markup that may stand in a page.
func (d drawing) end() template.HTML { return template.HTML(append(d, "</svg>"...)) }

func (d *drawing) text(parts ...string) {
	for _, p := range parts {
		*d = append(*d, p...)
	}
}

// number writes v with one decimal at most, which is a tenth of a pixel.
func (d *drawing) number(v float64) {
	*d = strconv.AppendFloat(*d, math.Round(v*10)/10, 'f', -1, 64)
}

// attr writes ` name="v"`.
func (d *drawing) attr(name string, v float64) {
	d.text(` `, name, `="`)
	d.number(v)
	d.text(`"`)
}

// rect draws a rectangle with a title of its own, if it has one.
func (d *drawing) rect(class string, x, y, w, h float64, title string) {
	d.text(`<rect class="`, class, `"`)
	d.attr("x", x)
	d.attr("y", y)
	d.attr("width", w)
	d.attr("height", h)
	if title == "" {
		d.text(`/>`)
		return
	}
	d.text(`><title>`, html.EscapeString(title), `</title></rect>`)
}

// label draws a text; anchor is start, middle or end.
func (d *drawing) label(class, anchor string, x, y float64, s string) {
	d.text(`<text class="`, class, `" text-anchor="`, anchor, `"`)
	d.attr("x", x)
	d.attr("y", y)
	d.text(`>`, html.EscapeString(s), `</text>`)
}

// line draws a straight line.
func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.text(`<line class="`, class, `"`)
	d.attr("x1", x1)
	d.attr("y1", y1)
	d.attr("x2", x2)
	d.attr("y2", y2)
	d.text(`/>`)
}

// finite tells values that can be drawn.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// largest is the largest finite value; 0 if none is above it.
func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		if finite(v) {
			most = max(most, v)
		}
	}
	return most
}
