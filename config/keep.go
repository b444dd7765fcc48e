package config

import "github.com/magpie-crawl/magpie/crawl"

// keep reads which bodies are kept: a policy alone, or with a budget.
func (d *decoder) keep(v value, k *crawl.Keep) {
	if v.kind != mappingKind {
		k.Bodies = d.keepPolicy(v)
		return
	}
	d.mapping(v, []key{
		{name: "bodies", read: func(v value) { k.Bodies = d.keepPolicy(v) }},
		{name: "budget", read: func(v value) { k.Budget = d.size(v, "2GB") }},
	})
}

func (d *decoder) keepPolicy(v value) crawl.KeepPolicy {
	i, _ := d.choice(v, []string{"all", "last", "none"})
	return []crawl.KeepPolicy{crawl.KeepAll, crawl.KeepLast, crawl.KeepNone}[i]
}

// checkKeep refuses a recrawl that lives on bodies where none are kept.
func (d *decoder) checkKeep(v value, o *crawl.Options) {
	if o.Keep.Bodies == crawl.KeepNone && o.Recrawl.Policy == crawl.RecrawlAdaptive {
		d.wrong(v.place, "keep: none does not go with recrawl: adaptive, which reads pages that are not due from their stored bodies: write keep: last")
	}
}
