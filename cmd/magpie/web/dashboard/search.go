package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/search"
)

// searchPage is what words were found in.
type searchPage struct {
	Path     string // of the job
	Words    string
	Found    []foundRow
	Unknown  string
	Indexed  string // how much is indexed; "": all
	Fault    string
	AllShown bool
}

// foundRow is a record or page.
type foundRow struct {
	Name    string
	What    string // the item; "page": the article of a page
	Link    string
	Field   string
	Snippet []search.Fragment
}

// How many are shown, and how long a page waits for the index to be brought up
// to date: it goes on where it was the next time.
const (
	foundShown  = 50
	indexWithin = 3 * time.Second
)

// indexing keeps two requests from doing the same work.
var indexing = make(chan struct{}, 1)

// search is the page of a search for words in a job's records.
func (d *dashboard) search(r *http.Request) (*view, error) {
	ctx, job := r.Context(), r.PathValue("job")
	if err := d.known(ctx, job); err != nil {
		return nil, err
	}
	p := &searchPage{Path: jobPath(job), Words: strings.TrimSpace(r.URL.Query().Get("q"))}
	v := &view{Template: "search", Title: "Search", Job: job, Tab: "records", Data: p, Styles: []string{"data.css"},
		Crumbs: []link{{"Records", p.Path + "/records"}, {Name: "Search"}}}
	if p.Words == "" {
		return v, nil
	}
	// Nobody should wait for an index to hear that there is no word.
	if _, err := search.ParseQuery(p.Words, func(string) (string, bool) { return "", false }); err != nil {
		p.Fault, v.Status = words.Sentence(err.Error()), http.StatusBadRequest
		return v, nil
	}
	index, err := d.db.OpenSearch(ctx, "")
	if err != nil {
		return nil, err
	}
	defer index.Close()
	if p.Indexed, err = updateIndex(ctx, index); err != nil {
		return nil, err
	}
	found, unknown, err := index.Find(ctx, p.Words, store.SearchFilter{Job: job, Limit: foundShown})
	if err != nil {
		return nil, err
	}
	p.Unknown, p.AllShown = strings.Join(unknown, ", "), len(found) < foundShown
	for _, f := range found {
		row := foundRow{Name: values.Key(f.Key), What: f.Item, Link: recordPath(job, f.Item, f.Key), Field: f.Field, Snippet: f.Snippet}
		if f.Item == "" {
			row.Name, row.What, row.Link = f.Title, "page", pagePath(job, f.URL, 0)
		}
		p.Found = append(p.Found, row)
	}
	return v, nil
}

// updateIndex brings the index up to date as far as there is time. indexed says
// how far it has come if not to the end.
func updateIndex(ctx context.Context, index *store.SearchIndex) (indexed string, err error) {
	ctx, cancel := context.WithTimeout(ctx, indexWithin)
	defer cancel()
	select {
	case indexing <- struct{}{}:
		defer func() { <-indexing }()
	case <-ctx.Done():
		return "somebody else’s search is bringing it up to date", nil
	}
	var now store.SearchProgress
	err = index.Update(ctx, store.SearchUpdate{Progress: func(next store.SearchProgress) { now = next }})
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Sprintf("%s of its records", percent(float64(now.Done)/float64(max(now.Total, 1)))), nil
	}
	return "", err
}
