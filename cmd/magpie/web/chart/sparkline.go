package chart

import "html/template"

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
	most, step := largest(values), 0.0
	if len(values) > 1 {
		step = (SparkWidth - 2*pad) / float64(len(values)-1)
	}
	y := func(v float64) float64 {
		if most == 0 {
			return SparkHeight - pad
		}
		return SparkHeight - pad - max(0, v)/most*(SparkHeight-2*pad)
	}
	d.sparkPath(values, pad, step, y)
	for i := len(values) - 1; i >= 0; i-- {
		if finite(values[i]) {
			d.text(`<circle class="spark-last"`)
			d.attr("cx", pad+float64(i)*step)
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
	}
	if begun {
		d.text(`"/>`)
	}
}

// SparkBars draws values as bars, the oldest first. A value of 0 is a tick on
// the ground, one that is not finite leaves its place empty. Classes: spark,
// spark-bar, spark-zero.
func SparkBars(title string, values []float64) template.HTML {
	d := begin("spark", title, SparkWidth, SparkHeight)
	most := largest(values)
	slot := SparkWidth / float64(max(10, len(values)))
	left := SparkWidth - slot*float64(len(values)) // the last run stands at the right edge
	for i, v := range values {
		x := left + float64(i)*slot
		switch {
		case !finite(v):
		case v <= 0:
			d.rect("spark-zero", x, SparkHeight-1, slot*0.7, 1, "")
		default:
			h := max(2, v/most*(SparkHeight-1))
			d.rect("spark-bar", x, SparkHeight-h, slot*0.7, h, "")
		}
	}
	return d.end()
}
