package dashboard

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/store"
)

// recordsAsked is what an address of the list of records asks for.
type recordsAsked struct {
	store.RecordsQuery
	Number  int      // of the page, as far as it is known
	Columns []string // fields that are shown; none: those that fit
	q       url.Values
}

// readRecordsAsked reads f, op and v, which stand in threes, and the rest.
func readRecordsAsked(job string, q url.Values) *recordsAsked {
	a := &recordsAsked{q: q, Columns: q["col"]}
	a.RecordsQuery = store.RecordsQuery{Job: job, Item: q.Get("item"), Sort: q.Get("sort"), Desc: q.Get("desc") != "",
		After: q.Get("after"), Before: q.Get("before"), Limit: recordsShown, Filters: readFilters(q)}
	n, _ := strconv.Atoi(q.Get("page"))
	a.Number = max(n, 1)
	if a.After == "" && a.Before == "" && a.Number > 1 {
		a.Page = a.Number
	}
	return a
}

// maxFilters bounds how many conditions a list is filtered by.
const maxFilters = 10

func readFilters(q url.Values) (filters []store.FieldFilter) {
	fields, ops, values := q["f"], q["op"], q["v"]
	for i, field := range fields {
		if field == "" || i >= len(ops) || len(filters) == maxFilters {
			continue
		}
		f := store.FieldFilter{Field: field, Op: store.FilterOp(ops[i])}
		if i < len(values) {
			f.Value = strings.TrimSpace(values[i])
		}
		if f.Value == "" && f.Op != store.Empty && f.Op != store.Present {
			continue // nothing was written behind it yet
		}
		filters = append(filters, f)
	}
	return filters
}

// with is the address of the same list with some things changed: pairs of name
// and value, "" for none. What page it is does not carry over.
func (a *recordsAsked) with(pairs ...string) string {
	q := url.Values{}
	for name, values := range a.q {
		if !slices.Contains([]string{"page", "after", "before", "said"}, name) {
			q[name] = values
		}
	}
	q.Set("item", a.Item)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			q.Del(pairs[i])
		} else {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return jobPath(a.Job) + "/records?" + q.Encode()
}

// export is where the records of the list are had as a file.
func (a *recordsAsked) export(format store.Format) string {
	q := url.Values{"item": {a.Item}, "format": {string(format)}}
	for _, f := range a.Filters {
		q.Add("f", f.Field)
		q.Add("op", string(f.Op))
		q.Add("v", f.Value)
	}
	return jobPath(a.Job) + "/exports/now?" + q.Encode()
}
