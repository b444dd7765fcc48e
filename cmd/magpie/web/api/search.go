package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/search"
)

var searchRoutes = []route{
	{id: "search", method: http.MethodGet, path: "/search", summary: "Find records, and articles of pages, by the words in them, the best first",
		doc: `All words must be there: brass lantern, "brass lantern", brass OR copper, -lamp, lant*, title:lantern. Articles of pages are found of jobs with search: {pages: true}.`,
		params: []param{needed("q", "The words."), text("job", "Of this job alone."), text("item", "Records of this item type alone."),
			{name: "limit", kind: "integer", doc: "At most this many.", least: 1, most: 200, usual: 20}},
		answer: FoundList{}, faults: []int{404}, handle: (*call).search},
}

// FoundList is what a search has found.
type FoundList struct {
	List[machine.Found]
	Complete bool     `json:"complete"` // else what was stored lately is not indexed yet: ask again later
	Unknown  []string `json:"unknown"`  // names before a colon that are no field's: they were searched for as words
}

// indexWithin is how long a search may bring the index up to date. It goes on
// with the next one.
const indexWithin = readWithin / 2

// search brings the index up to date, within bounds, and searches it.
func (c *call) search() (any, error) {
	words := c.text("q")
	if _, err := search.ParseQuery(words, func(string) (string, bool) { return "", false }); err != nil {
		return nil, refuse("write one or more words, such as brass lant* -lamp", "%s", err)
	}
	pages, err := c.searched()
	if err != nil {
		return nil, err
	}
	select { // an index is one connection, and one at a time writes to it
	case c.api.searching <- struct{}{}:
		defer func() { <-c.api.searching }()
	case <-c.ctx.Done():
		return nil, problem.New(http.StatusServiceUnavailable, "try again in a minute", "others are searching")
	}
	index, err := c.DB.OpenSearch(c.ctx, "")
	if err != nil {
		return nil, err
	}
	defer index.Close()
	began := time.Now()
	ctx, cancel := context.WithTimeout(c.ctx, indexWithin)
	defer cancel()
	err = index.Update(ctx, store.SearchUpdate{Pages: pages})
	list := FoundList{List: whole[machine.Found](nil), Complete: err == nil, Unknown: []string{}}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	c.Log.Debug("search index", "complete", list.Complete, "took", time.Since(began))
	found, unknown, err := index.Find(c.ctx, words, store.SearchFilter{Job: c.text("job"), Item: c.text("item"), Limit: c.int("limit")})
	if err != nil {
		return nil, err
	}
	for i := range found {
		list.Items = append(list.Items, machine.FoundOf(&found[i]))
	}
	list.Unknown = append(list.Unknown, unknown...)
	return list, nil
}

// searched checks where is to be searched, and returns the jobs whose pages
// are searched too.
func (c *call) searched() (pages []string, err error) {
	job, item := c.text("job"), c.text("item")
	jobs, err := c.DB.Jobs(c.ctx)
	if err != nil {
		return nil, err
	}
	_, known := c.Daemon.Job(job)
	known = known || job == ""
	for _, j := range jobs {
		known = known || j.Name == job
		if (job == "" || j.Name == job) && item == "" && config.ReadSearch([]byte(j.Latest.Source)).Pages {
			pages = append(pages, j.Name)
		}
	}
	items, err := c.DB.Items(c.ctx, job)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && !known:
		return nil, problem.New(http.StatusNotFound, "see "+Base+"/jobs, or magpie status, for the jobs there are", "there is no job %q", job)
	case err != nil:
		return nil, err
	case item != "" && !slices.ContainsFunc(items, func(i store.ItemSummary) bool { return i.Name == item }):
		return nil, problem.New(http.StatusNotFound, "see "+Base+"/jobs/{job}/items for those there are", "there is no item type %q", item)
	}
	return pages, nil
}
