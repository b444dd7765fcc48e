package config

import (
	"github.com/magpie-crawl/magpie/crawl"
)

// strip reads names of query parameters; an empty list, which strips none, is
// not nil.
func (d *decoder) strip(v value) []string {
	list := d.texts(v, `"utm_*"`)
	if len(list) == 0 {
		return []string{}
	}
	return plainTexts(list)
}

func (d *decoder) links(v value, l *crawl.Links) {
	d.mapping(v, []key{
		{name: "forms", read: func(v value) { l.Forms = d.boolean(v) }},
	})
}

// traps reads the rules against URLs without end; "off" stands for all of
// them, and "off" or 0 for one.
func (d *decoder) traps(v value, t *crawl.Traps) {
	if isOff(v) {
		*t = crawl.NoTraps
		return
	}
	rule := func(name, example string, into *int) key {
		return key{name: name, read: func(v value) {
			if isOff(v) || v.text == "0" {
				*into = -1
				return
			}
			*into = d.integer(v, 1, example)
		}}
	}
	d.mapping(v, []key{
		rule("repeats", "2", &t.Repeats),
		rule("length", "2083", &t.Length),
		rule("duplicates", "100", &t.Duplicates),
	})
}

// isOff says that a value turns something off.
func isOff(v value) bool {
	return v.kind == textKind && v.text == "off" || v.kind == boolKind && v.text == "false"
}

func (d *decoder) nofollow(v value) crawl.NofollowPolicy {
	i, _ := d.choice(v, []string{"obey", "ignore"})
	return []crawl.NofollowPolicy{crawl.NofollowObey, crawl.NofollowIgnore}[i]
}

func (d *decoder) noindex(v value) crawl.NoindexPolicy {
	i, _ := d.choice(v, []string{"ignore", "obey"})
	return []crawl.NoindexPolicy{crawl.NoindexIgnore, crawl.NoindexObey}[i]
}
