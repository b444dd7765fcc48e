package config

import (
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// recrawl reads a policy by its name, or the bounds of the adaptive one.
func (d *decoder) recrawl(v value, r *crawl.Recrawl) {
	if v.kind != mappingKind {
		i, ok := d.choice(v, []string{"all", "adaptive", "full"})
		if ok {
			r.Policy = []crawl.RecrawlPolicy{crawl.RecrawlAll, crawl.RecrawlAdaptive, crawl.RecrawlFull}[i]
		}
		return
	}
	r.Policy = crawl.RecrawlAdaptive
	d.mapping(v, []key{
		{name: "min", read: func(v value) { r.Min = d.aboveZero(v, "6h") }},
		{name: "max", read: func(v value) { r.Max = d.aboveZero(v, "30d") }},
	})
	if r.Min > 0 && r.Max > 0 && r.Min > r.Max {
		d.wrong(v.place, "min must not be longer than max in recrawl")
	}
}

// adaptive reads whether hosts are throttled by how they are doing.
func (d *decoder) adaptive(v value) crawl.AdaptivePolicy {
	if v.text == "off" || v.kind == boolKind && v.text == "false" {
		return crawl.AdaptiveOff
	}
	if v.text != "on" && v.kind != boolKind {
		d.choice(v, []string{"on", "off"})
	}
	return crawl.AdaptiveOn
}

// aboveZero reads a duration that must not be zero.
func (d *decoder) aboveZero(v value, example string) time.Duration {
	before := len(d.mistakes)
	t := d.duration(v, example)
	if t == 0 && len(d.mistakes) == before {
		d.wrong(v.place, "%s must be above 0, such as %s", v.name, example)
	}
	return t
}
