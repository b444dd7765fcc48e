package config

import (
	"strings"

	"github.com/magpie-crawl/magpie/crawl"
)

// health reads when the figures of a run count as drift; "off" is never.
func (d *decoder) health(v value, h *crawl.Health) {
	if isOff(v) {
		h.Off = true
		return
	}
	rule := func(name, example string, into *float64) key {
		return key{name: name, read: func(v value) {
			if isOff(v) {
				*into = -1
				return
			}
			*into = d.share(v, example)
		}}
	}
	d.mapping(v, []key{
		{name: "min_records", read: func(v value) { h.MinRecords = d.integer(v, 1, "20") }},
		rule("fill", "0.25", &h.Fill),
		rule("failures", "0.1", &h.Failures),
		rule("distinct", "0.5", &h.Distinct),
		rule("volume", "0.5", &h.Volume),
		rule("template", "0.3", &h.Template),
	})
}

// share reads a part of a whole: 0.25 or 25%.
func (d *decoder) share(v value, example string) float64 {
	if v.kind == numberKind || v.kind == textKind {
		digits, percent := strings.CutSuffix(v.text, "%")
		n, ok := parseDecimal(digits)
		if percent {
			n /= 100
		}
		if ok && n > 0 && n <= 1 && percent == (v.kind == textKind) {
			return n
		}
	}
	d.want(v, "a share above 0 and up to 1 such as "+example+", or off")
	return 0
}

// failOn reads what makes a crawl that has finished end with exit code 3.
func (d *decoder) failOn(v value) (drift bool) {
	for _, one := range d.texts(v, "drift") {
		d.choice(one, []string{"drift"})
		drift = true
	}
	return drift
}
