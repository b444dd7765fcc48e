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

// budgets reads how many pages of each pattern are asked for.
func (d *decoder) budgets(v value) (list []crawl.Budget) {
	d.patternList(v, "pages", `{url: "*/calendar/*", pages: 100}`, func(url string, v value) {
		list = append(list, crawl.Budget{URL: url, Pages: d.integer(v, 1, "100")})
	})
	return list
}

// priorities reads how much sooner or later URLs of each pattern go.
func (d *decoder) priorities(v value) (list []crawl.Priority) {
	d.patternList(v, "boost", `{url: "*/product/*", boost: 10}`, func(url string, v value) {
		boost := d.integer(v, -crawl.MaxBoost, "10")
		if boost > crawl.MaxBoost {
			d.wrong(v.place, "boost must be at most %d", crawl.MaxBoost)
		}
		list = append(list, crawl.Priority{URL: url, Boost: boost})
	})
	return list
}

// patternList reads a list of mappings from a URL pattern to a number under
// the given key.
func (d *decoder) patternList(v value, name, example string, add func(url string, number value)) {
	if v.kind != listKind {
		d.want(v, "a list such as ["+example+"]")
		return
	}
	for _, n := range v.list {
		entry := value{node: n, name: "an entry of " + v.name}
		var url string
		var number value
		d.mapping(entry, []key{
			{name: "url", read: func(v value) {
				if list := d.patterns(v); len(list) > 0 {
					url = list[0]
				}
			}},
			{name: name, read: func(v value) { number = v }},
		})
		switch {
		case n.kind != mappingKind || d.broken[n]:
		case url == "" || number.node == nil:
			d.wrong(n.place, "an entry of %s needs url and %s: write %s", v.name, name, example)
		default:
			add(url, number)
		}
	}
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
