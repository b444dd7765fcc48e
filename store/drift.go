package store

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/magpie-crawl/magpie/crawl"
)

// DriftKind is what of a run is worse than usual.
type DriftKind string

// Kinds of drift. Usual and Now of a Drift are shares from 0 to 1, unless noted.
const (
	DriftFill     DriftKind = "fill"     // records that have the field
	DriftFailures DriftKind = "failures" // records in which the field failed its type or check
	DriftDistinct DriftKind = "distinct" // numbers of distinct values
	DriftRecords  DriftKind = "records"  // numbers of an item's records
	DriftRejects  DriftKind = "rejects"  // records that were set aside
	DriftPages    DriftKind = "pages"    // numbers of pages
	DriftTemplate DriftKind = "template" // how alike pages look to those before: Usual is 1
)

// baselineRuns is how many runs before say what is usual.
const baselineRuns = 5

// drift is a figure that is worse than usual.
type drift struct {
	itemID         int64 // 0: it is about the pages
	item           string
	field, pattern string
	kind           DriftKind
	usual, now     float64
	detail         string
}

// compare returns what of now is worse than the median of the runs before.
func compare(now *health, before []*health, limit crawl.Health) []drift {
	c := &comparison{limit: limit.WithDefaults(), least: 0, before: before}
	c.least = int64(c.limit.MinRecords)
	if len(before) == 0 {
		return nil
	}
	c.pages(now)
	for _, id := range sortedItems(now) {
		c.item(id, now.items[id], now.limited)
	}
	for _, pattern := range slices.Sorted(maps.Keys(now.outlines)) {
		c.template(pattern, now.outlines[pattern])
	}
	return c.found
}

// sortedItems are the items of a run by name.
func sortedItems(h *health) []int64 {
	return slices.SortedFunc(maps.Keys(h.items), func(a, b int64) int { return cmp.Compare(h.items[a].name, h.items[b].name) })
}

// comparison compares a run with those before.
type comparison struct {
	limit  crawl.Health
	least  int64
	before []*health
	found  []drift
}

// usual is the median of what f says of the runs before, of those of which it
// says something.
func (c *comparison) usual(f func(*health) (float64, bool)) (float64, bool) {
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
func (c *comparison) pages(now *health) {
	if now.limited {
		return
	}
	usual, ok := c.usual(func(h *health) (float64, bool) { return float64(h.pages), !h.limited })
	if n := float64(now.pages); ok && usual >= float64(c.least) && collapsed(usual, n, c.limit.Volume) {
		c.found = append(c.found, drift{kind: DriftPages, usual: usual, now: n,
			detail: fmt.Sprintf("%.0f pages, usually %.0f", n, usual)})
	}
}

func (c *comparison) item(id int64, now *itemHealth, limited bool) {
	if !limited {
		usual, ok := c.usual(func(h *health) (float64, bool) {
			i := h.items[id]
			return itemRecords(i), i != nil && !h.limited
		})
		if n := float64(now.records); ok && usual >= float64(c.least) && collapsed(usual, n, c.limit.Volume) {
			c.found = append(c.found, drift{itemID: id, item: now.name, kind: DriftRecords, usual: usual, now: n,
				detail: fmt.Sprintf("%.0f records, usually %.0f", n, usual)})
		}
	}
	if now.total() < c.least {
		return
	}
	if usual, ok := c.share(id, now, now.rejects, func(i *itemHealth) (int64, bool) { return i.rejects, true }, c.limit.Failures, +1); ok {
		share := float64(now.rejects) / float64(now.total())
		c.found = append(c.found, drift{itemID: id, item: now.name, kind: DriftRejects, usual: usual, now: share,
			detail: fmt.Sprintf("%s of %d records set aside, usually %s", percent(share), now.total(), percent(usual))})
	}
	for _, name := range slices.Sorted(maps.Keys(now.fields)) {
		c.field(id, now, name)
	}
}

func itemRecords(i *itemHealth) float64 {
	if i == nil {
		return 0
	}
	return float64(i.records)
}

func (c *comparison) field(id int64, item *itemHealth, name string) {
	now, total := item.fields[name], item.total()
	base := drift{itemID: id, item: item.name, field: name}
	filled := func(i *itemHealth) (int64, bool) { f := i.fields[name]; return f.get().filled, f != nil }
	failed := func(i *itemHealth) (int64, bool) { f := i.fields[name]; return f.get().failed, f != nil }
	if usual, ok := c.share(id, item, now.filled, filled, c.limit.Fill, -1); ok {
		d := base
		d.kind, d.usual, d.now = DriftFill, usual, float64(now.filled)/float64(total)
		d.detail = fmt.Sprintf("%s of %d records have it, usually %s", percent(d.now), total, percent(usual))
		c.found = append(c.found, d)
	}
	if usual, ok := c.share(id, item, now.failed, failed, c.limit.Failures, +1); ok {
		d := base
		d.kind, d.usual, d.now = DriftFailures, usual, float64(now.failed)/float64(total)
		d.detail = fmt.Sprintf("%s of %d records failed, usually %s", percent(d.now), total, percent(usual))
		c.found = append(c.found, d)
	}
	if usual, ok := c.distinct(id, now, name); ok {
		d := base
		d.kind, d.usual, d.now = DriftDistinct, usual, float64(now.different)
		d.detail = fmt.Sprintf("%s in %d records, usually %.0f", countOf(now.different, "value"), now.filled, usual)
		c.found = append(c.found, d)
	}
}

// get is f, or zeros for nil.
func (f *fieldHealth) get() fieldHealth {
	if f == nil {
		return fieldHealth{}
	}
	return *f
}

// share compares the share that part is of an item's records. It tells if the
// share moved by more than it may in the direction of sign, and by more than
// chance moves it: three standard errors.
func (c *comparison) share(id int64, now *itemHealth, part int64, of func(*itemHealth) (int64, bool), may float64, sign float64) (usual float64, drifted bool) {
	if may < 0 {
		return 0, false
	}
	var records []float64
	usual, ok := c.usual(func(h *health) (float64, bool) {
		i := h.items[id]
		if i == nil || i.total() < c.least {
			return 0, false
		}
		n, known := of(i)
		if known {
			records = append(records, float64(i.total()))
		}
		return float64(n) / float64(i.total()), known
	})
	if !ok {
		return 0, false
	}
	slices.Sort(records)
	n, m := float64(now.total()), records[len(records)/2]
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
func (c *comparison) distinct(id int64, now *fieldHealth, name string) (usual float64, drifted bool) {
	if now.filled < c.least {
		return 0, false
	}
	get := func(f func(*fieldHealth) float64) (float64, bool) {
		return c.usual(func(h *health) (float64, bool) {
			i := h.items[id]
			if i == nil || i.fields[name].get().filled < c.least {
				return 0, false
			}
			return f(i.fields[name]), true
		})
	}
	usual, ok := get(func(f *fieldHealth) float64 { return float64(f.different) })
	share, _ := get(func(f *fieldHealth) float64 { return float64(f.different) / float64(f.filled) })
	if !ok || usual < fewValues {
		return 0, false
	}
	n := float64(now.different)
	return usual, collapsed(usual, n, c.limit.Distinct) && collapsed(share, n/float64(now.filled), c.limit.Distinct)
}

// template compares what the pages of a pattern look like.
func (c *comparison) template(pattern string, now *outlineCount) {
	if now.pages < c.least || c.limit.Template < 0 {
		return
	}
	differs, ok := c.usual(func(h *health) (float64, bool) {
		o := h.outlines[pattern]
		if o == nil || o.pages < c.least {
			return 0, false
		}
		return now.difference(o), true
	})
	if ok && differs > c.limit.Template {
		c.found = append(c.found, drift{pattern: pattern, kind: DriftTemplate, usual: 1, now: 1 - differs,
			detail: fmt.Sprintf("%d pages are built otherwise than before: they are %s alike", now.pages, percent(1-differs))})
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

// putDrifts stores what of a run is worse than usual.
func (t *tx) putDrifts(runID int64, drifts []drift) error {
	for _, d := range drifts {
		var item any
		if d.itemID > 0 {
			item = d.itemID
		}
		err := t.exec(`INSERT INTO magpie_drifts (run_id, item_id, field, pattern, kind, usual, now, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			runID, item, null(d.field), null(d.pattern), string(d.kind), d.usual, d.now, d.detail)
		if err != nil {
			return err
		}
	}
	return nil
}
