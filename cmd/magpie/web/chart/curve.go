package chart

import "html/template"

// Curve draws values over time as a line with the area below it, the oldest
// first, as wide as a Timeline. There is room for n values; fewer stand at the
// right. Classes: timeline, tl-grid, tl-text, tl-line, tl-area.
func Curve(title string, values []float64, n int, from, to, unit string) template.HTML {
	d := begin("timeline", title, stackWidth, stackHeight)
	top := ceiling(largest(values))
	d.scale(top, unit)
	const ground = stackHeight - stackFoot
	step := float64(stackWidth-stackLeft) / float64(max(1, n-1))
	x := func(i int) float64 { return stackWidth - float64(len(values)-1-i)*step }
	y := func(v float64) float64 { return ground - min(1, max(0, v)/top)*(ground-stackTop) }
	for first := 0; first < len(values); {
		if !finite(values[first]) {
			first++
			continue
		}
		end := first
		for end < len(values) && finite(values[end]) {
			end++
		}
		d.area(first, end, x, func(i int) float64 { return y(values[i]) })
		first = end
	}
	if len(values) == 0 {
		d.label("tl-text", "middle", stackLeft+(stackWidth-stackLeft)/2, ground/2+4, "nothing yet")
	}
	d.label("tl-text", "start", stackLeft, stackHeight-4, from)
	d.label("tl-text", "end", stackWidth, stackHeight-4, to)
	return d.end()
}

// area draws a stretch without gaps: the area, and the line on top of it.
func (d *drawing) area(first, end int, x func(int) float64, y func(int) float64) {
	const ground = stackHeight - stackFoot
	var line drawing
	for i := first; i < end; i++ {
		line.text("L")
		line.number(x(i))
		line.text(" ")
		line.number(y(i))
	}
	line[0] = 'M'
	d.text(`<path class="tl-area" d="`, string(line), "L")
	d.number(x(end - 1))
	d.text(" ")
	d.number(ground)
	d.text("L")
	d.number(x(first))
	d.text(" ")
	d.number(ground)
	d.text(`Z"/><path class="tl-line" d="`, string(line), `h0"/>`) // h0: a dot where the value stands alone
}
