package chart

import (
	"html/template"
	"math"
)

// Size of sparklines, in pixels.
const (
	SparkWidth  = 84
	SparkHeight = 20
)

// Sparkline draws values as a line, the oldest first, from 0 to their largest.
// A value that is not finite is a gap. Classes: spark, spark-line,
// spark-last for the dot at the last value.
func Sparkline(title string, values []float64) template.HTML {
	d := begin("spark", title, SparkWidth, SparkHeight)
	const pad = 2.5
	most := largest(values)
	step := (SparkWidth - 2*pad) / float64(max(9, len(values)-1))
	left := SparkWidth - pad - step*float64(len(values)-1) // the last run stands at the right edge
	y := func(v float64) float64 {
		if most == 0 {
			return SparkHeight - pad
		}
		return SparkHeight - pad - max(0, v)/most*(SparkHeight-2*pad)
	}
	d.sparkPath(values, left, step, y)
	for i := len(values) - 1; i >= 0; i-- {
		if finite(values[i]) {
			d.text(`<circle class="spark-last"`)
			d.attr("cx", left+float64(i)*step)
			d.attr("cy", y(values[i]))
			d.text(` r="2"/>`)
			break
		}
	}
	return d.end()
}

// sparkPath draws the line, a part for each stretch without gaps.
func (d *drawing) sparkPath(values []float64, left, step float64, y func(float64) float64) {
	if len(values) < 2 {
		return
	}
	begun, down := false, false
	for i, v := range values {
		if !finite(v) {
			down = false
			continue
		}
		if !begun {
			d.text(`<path class="spark-line" d="`)
			begun = true
		}
		if down {
			d.text("L")
		} else {
			d.text("M")
		}
		down = true
		d.number(left + float64(i)*step)
		d.text(" ")
		d.number(y(v))
		if i == len(values)-1 || !finite(values[i+1]) {
			d.text("h0") // a dot where the value stands alone
		}
	}
	if begun {
		d.text(`"/>`)
	}
}

// SparkBars draws values as bars, the oldest first. A value of 0 is a tick on
// the ground, one that is not finite leaves its place empty. Classes: spark,
// spark-bar, spark-zero.
func SparkBars(title string, values []float64) template.HTML {
	most := largest(values)
	return columns(title, values, func(v float64) (string, float64) {
		return "spark-bar", max(2, v/most*(SparkHeight-1))
	})
}

// columns draws values above 0 as columns, of the class and the height that
// shape says, and those of 0 as ticks. Neighbours of one class are one path.
func columns(title string, values []float64, shape func(v float64) (string, float64)) template.HTML {
	d := begin("spark", title, SparkWidth, SparkHeight)
	slot := math.Floor(SparkWidth/float64(max(10, len(values)))*10) / 10
	left := SparkWidth - slot*float64(len(values)) // the last run stands at the right edge
	drawn := ""
	for i, v := range values {
		if !finite(v) {
			continue
		}
		class, h := "spark-zero", 1.0
		if v > 0 {
			class, h = shape(v)
		}
		if class != drawn {
			if drawn != "" {
				d.text(`"/>`)
			}
			d.text(`<path class="`, class, `" d="`)
			drawn = class
		}
		d.column(left+float64(i)*slot, slot*0.75, h)
	}
	if drawn != "" {
		d.text(`"/>`)
	}
	return d.end()
}

// column adds a column to a path.
func (d *drawing) column(x, w, h float64) {
	d.text("M")
	d.number(x)
	d.text(" ")
	d.number(SparkHeight)
	d.text("v")
	d.number(-h)
	d.text("h")
	d.number(w)
	d.text("v")
	d.number(h)
	d.text("z")
}
