package health

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/magpie-crawl/magpie/crawl"
)

// Kind is what of a run is worse than usual.
type Kind string

// Kinds of drift. Usual and Now of a Drift are shares from 0 to 1, unless noted.
const (
	Fill     Kind = "fill"     // records that have the field
	Failures Kind = "failures" // records in which the field failed its type or check
	Distinct Kind = "distinct" // numbers of distinct values
	Records  Kind = "records"  // numbers of an item's records
	Rejects  Kind = "rejects"  // records that were set aside
	Pages    Kind = "pages"    // numbers of pages
	Template Kind = "template" // how alike pages look to those before: Usual is 1
)

// Baseline is how many runs before say what is usual.
const Baseline = 5

// Drift is a figure that is worse than usual.
type Drift struct {
	ItemID         int64 // 0: it is about the pages
	Item           string
	Field, Pattern string
	Kind           Kind
	Usual, Now     float64
	Detail         string
}

// Compare returns what of a run, now, is worse than usual: than the median of
// the runs before by more than limit allows, and than chance explains. Without
// runs before that is nothing.
func Compare(now *Figures, before []*Figures, limit crawl.Health) []Drift {
	c := &comparison{limit: limit.WithDefaults(), least: 0, before: before}
	c.least = int64(c.limit.MinRecords)
	if len(before) == 0 {
		return nil
	}
	c.pages(now)
	for _, id := range sortedItems(now) {
		c.item(id, now.Items[id], now.Limited)
	}
	for _, pattern := range slices.Sorted(maps.Keys(now.Outlines)) {
		c.template(pattern, now.Outlines[pattern])
	}
	return c.found
}

// sortedItems are the items of a run by name.
func sortedItems(h *Figures) []int64 {
	return slices.SortedFunc(maps.Keys(h.Items), func(a, b int64) int { return cmp.Compare(h.Items[a].Name, h.Items[b].Name) })
}

// comparison compares a run with those before.
type comparison struct {
	limit  crawl.Health
	least  int64
	before []*Figures
	found  []Drift
}

// usual is the median of what f says of the runs before, of those of which it
// says something.
func (c *comparison) usual(f func(*Figures) (float64, bool)) (float64, bool) {
	var values []float64
	for _, h := range c.before {
		if v, ok := f(h); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return 0, false
	}
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle], true
	}
	return (values[middle-1] + values[middle]) / 2, true
}

// collapsed says that a number fell by more than the part that it may.
func collapsed(usual, now, part float64) bool {
	return part >= 0 && now < usual*(1-part)
}

// pages compares the number of pages.
func (c *comparison) pages(now *Figures) {
	if now.Limited {
		return
	}
	usual, ok := c.usual(func(h *Figures) (float64, bool) { return float64(h.Pages), !h.Limited })
	if n := float64(now.Pages); ok && usual >= float64(c.least) && collapsed(usual, n, c.limit.Volume) {
		c.found = append(c.found, Drift{Kind: Pages, Usual: usual, Now: n,
			Detail: fmt.Sprintf("%.0f pages, usually %.0f", n, usual)})
	}
}

func (c *comparison) item(id int64, now *Item, limited bool) {
	if !limited {
		usual, ok := c.usual(func(h *Figures) (float64, bool) {
			i := h.Items[id]
			return itemRecords(i), i != nil && !h.Limited
		})
		if n := float64(now.Records); ok && usual >= float64(c.least) && collapsed(usual, n, c.limit.Volume) {
			c.found = append(c.found, Drift{ItemID: id, Item: now.Name, Kind: Records, Usual: usual, Now: n,
				Detail: fmt.Sprintf("%.0f records, usually %.0f", n, usual)})
		}
	}
	if now.Total() < c.least {
		return
	}
	if usual, ok := c.share(id, now, now.Rejects, func(i *Item) (int64, bool) { return i.Rejects, true }, c.limit.Failures, +1); ok {
		share := float64(now.Rejects) / float64(now.Total())
		c.found = append(c.found, Drift{ItemID: id, Item: now.Name, Kind: Rejects, Usual: usual, Now: share,
			Detail: fmt.Sprintf("%s of %d records set aside, usually %s", percent(share), now.Total(), percent(usual))})
	}
	for _, name := range slices.Sorted(maps.Keys(now.Fields)) {
		c.field(id, now, name)
	}
}

func itemRecords(i *Item) float64 {
	if i == nil {
		return 0
	}
	return float64(i.Records)
}

func (c *comparison) field(id int64, item *Item, name string) {
	now, total := item.Fields[name], item.Total()
	base := Drift{ItemID: id, Item: item.Name, Field: name}
	filled := func(i *Item) (int64, bool) { f := i.Fields[name]; return f.get().Filled, f != nil }
	failed := func(i *Item) (int64, bool) { f := i.Fields[name]; return f.get().Failed, f != nil }
	if usual, ok := c.share(id, item, now.Filled, filled, c.limit.Fill, -1); ok {
		d := base
		d.Kind, d.Usual, d.Now = Fill, usual, float64(now.Filled)/float64(total)
		d.Detail = fmt.Sprintf("%s of %d records have it, usually %s", percent(d.Now), total, percent(usual))
		c.found = append(c.found, d)
	}
	if usual, ok := c.share(id, item, now.Failed, failed, c.limit.Failures, +1); ok {
		d := base
		d.Kind, d.Usual, d.Now = Failures, usual, float64(now.Failed)/float64(total)
		d.Detail = fmt.Sprintf("%s of %d records failed, usually %s", percent(d.Now), total, percent(usual))
		c.found = append(c.found, d)
	}
	if usual, ok := c.distinct(id, now, name); ok {
		d := base
		d.Kind, d.Usual, d.Now = Distinct, usual, float64(now.Different)
		d.Detail = fmt.Sprintf("%s in %d records, usually %.0f", countOf(now.Different, "value"), now.Filled, usual)
		c.found = append(c.found, d)
	}
}

// get is f, or zeros for nil.
func (f *Field) get() Field {
	if f == nil {
		return Field{}
	}
	return *f
}

// share compares the share that part is of an item's records. It tells if the
// share moved by more than it may in the direction of sign, and by more than
// chance moves it: three standard errors.
func (c *comparison) share(id int64, now *Item, part int64, of func(*Item) (int64, bool), may float64, sign float64) (usual float64, drifted bool) {
	if may < 0 {
		return 0, false
	}
	var records []float64
	usual, ok := c.usual(func(h *Figures) (float64, bool) {
		i := h.Items[id]
		if i == nil || i.Total() < c.least {
			return 0, false
		}
		n, known := of(i)
		if known {
			records = append(records, float64(i.Total()))
		}
		return float64(n) / float64(i.Total()), known
	})
	if !ok {
		return 0, false
	}
	slices.Sort(records)
	n, m := float64(now.Total()), records[len(records)/2]
	share := float64(part) / n
	pooled := (share*n + usual*m) / (n + m)
	chance := 3 * math.Sqrt(pooled*(1-pooled)*(1/n+1/m))
	const rounding = 1e-9
	moved := sign * (share - usual)
	return usual, moved > may+rounding && moved > chance
}

// fewValues is below how many distinct values a field is no longer asked
// whether it lost some.
const fewValues = 5

// distinct compares the number of distinct values, which has to fall by itself
// and in relation to the records: fewer records have fewer.
func (c *comparison) distinct(id int64, now *Field, name string) (usual float64, drifted bool) {
	if now.Filled < c.least {
		return 0, false
	}
	get := func(f func(*Field) float64) (float64, bool) {
		return c.usual(func(h *Figures) (float64, bool) {
			i := h.Items[id]
			if i == nil || i.Fields[name].get().Filled < c.least {
				return 0, false
			}
			return f(i.Fields[name]), true
		})
	}
	usual, ok := get(func(f *Field) float64 { return float64(f.Different) })
	share, _ := get(func(f *Field) float64 { return float64(f.Different) / float64(f.Filled) })
	if !ok || usual < fewValues {
		return 0, false
	}
	n := float64(now.Different)
	return usual, collapsed(usual, n, c.limit.Distinct) && collapsed(share, n/float64(now.Filled), c.limit.Distinct)
}

// template compares what the pages of a pattern look like.
func (c *comparison) template(pattern string, now *Outlines) {
	if now.Pages < c.least || c.limit.Template < 0 {
		return
	}
	differs, ok := c.usual(func(h *Figures) (float64, bool) {
		o := h.Outlines[pattern]
		if o == nil || o.Pages < c.least {
			return 0, false
		}
		return now.Difference(o), true
	})
	if ok && differs > c.limit.Template {
		c.found = append(c.found, Drift{Pattern: pattern, Kind: Template, Usual: 1, Now: 1 - differs,
			Detail: fmt.Sprintf("%d pages are built otherwise than before: they are %s alike", now.Pages, percent(1-differs))})
	}
}

func percent(share float64) string {
	p := share * 100
	if p > 0 && p < 1 || p > 99 && p < 100 {
		return fmt.Sprintf("%.1f%%", p)
	}
	return fmt.Sprintf("%.0f%%", p)
}

func countOf(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
