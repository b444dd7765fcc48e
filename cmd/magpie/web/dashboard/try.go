package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime/debug"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/explain"
	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/weburl"
)

// tried is what a job made of a page.
type tried struct {
	Failed    string // why there is no page
	URL       string
	Status    int
	Redirects []string
	Warnings  []string
	Encoding  string
	Took      time.Duration
	Size      int64
	Skipped   string // why a crawl would not go there
	Records   []triedRecord
	More      int // records that are not shown
	Rejects   int
	NoItems   bool
}

// triedRecord is a record with how its values came about.
type triedRecord struct {
	Item     string
	Position int
	Key      string
	Rejected bool
	Fields   []recordField
	Problems []extract.Problem
	Values   []explainedValue
}

// recordsTried is how many records of a page are shown.
const recordsTried = 20

// maxTried is the largest page that is tried, in bytes.
const maxTried = maxReread

// trying bounds how many pages are fetched for people at a time, and a host is
// asked no more often than once in betweenTries.
var trying = struct {
	places chan struct{}
	mu     sync.Mutex
	next   map[string]time.Time // when a host may be asked again
}{places: make(chan struct{}, 2), next: map[string]time.Time{}}

var betweenTries = time.Second // tests are in a hurry

// waitTurn waits until a host may be asked.
func waitTurn(ctx context.Context, host string) error {
	trying.mu.Lock()
	now := time.Now()
	for h, at := range trying.next {
		if now.After(at) {
			delete(trying.next, h)
		}
	}
	at := trying.next[host]
	if at.Before(now) {
		at = now
	}
	trying.next[host] = at.Add(betweenTries)
	trying.mu.Unlock()
	select {
	case <-time.After(time.Until(at)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fetchSingle fetches a page as a crawl of options would.
func fetchSingle(ctx context.Context, o crawl.Options, address string) (*crawl.Single, *crawl.Crawler, error) {
	u, err := weburl.Parse(address)
	if err != nil {
		return nil, nil, fmt.Errorf("%q is no address that can be fetched: write one such as https://example.com/", address)
	}
	o.Limits.Body = maxTried
	c, err := crawl.New(o)
	if err != nil {
		return nil, nil, err
	}
	select {
	case trying.places <- struct{}{}:
		defer func() { <-trying.places }()
	case <-ctx.Done():
		return nil, nil, errors.New("others are trying pages at the moment: try again in a minute")
	}
	if err := waitTurn(ctx, u.Host()); err != nil {
		return nil, nil, errors.New("this host was asked too often: try again in a minute")
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	page, err := c.Single(ctx, u.String())
	return page, c, words.Unfetched(err)
}

// try fetches a page and shows what the job takes from it.
func (d *dashboard) try(ctx context.Context, p *editPage) (t *tried) {
	t = &tried{URL: p.Page}
	defer func() { // pages are hostile; a fault of the program is to cost this try alone
		if fault := recover(); fault != nil {
			d.Log.Error("try a page", "url", p.Page, "panic", fault, "stack", string(debug.Stack()))
			t = &tried{URL: p.Page, Failed: "The program failed on this page: the log of magpie serve says how."}
		}
	}()
	job, err := d.parse(p)
	if err == nil {
		err = d.Daemon.MayTry(job)
	}
	if err != nil {
		t.Failed = words.Sentence(err.Error())
		return t
	}
	page, c, err := fetchSingle(ctx, job.Options, p.Page)
	if err != nil {
		t.Failed = words.Sentence(err.Error())
		return t
	}
	t.URL, t.Status, t.Redirects, t.Warnings, t.Took, t.Size = page.URL, page.Status, page.Redirects, page.Warnings, page.Duration, int64(len(page.Body))
	if x, err := c.Explain(page.URL); err == nil && x.Reason != "" {
		t.Skipped = reasonText(x.Reason)
		if x.Rule != "" {
			t.Skipped = x.Rule
		}
	}
	if job.Options.Extractor == nil {
		t.NoItems = true
		return t
	}
	done, err := rereadTurn(ctx)
	if err != nil {
		t.Failed = "Others are looking into pages at the moment: try again in a minute."
		return t
	}
	defer done()
	if err := t.read(page, job); err != nil {
		t.Failed = words.Sentence(err.Error())
	}
	return t
}

// parse reads the text of the editor.
func (d *dashboard) parse(p *editPage) (*config.Job, error) {
	job, err := d.Daemon.Check(p.File, []byte(p.Source))
	if err != nil {
		job, err = d.Daemon.Check(checkName, []byte(p.Source))
	}
	return job, err
}

// read takes the records from a page.
func (t *tried) read(page *crawl.Single, job *config.Job) error {
	stored, err := parseStored(&store.Page{URL: page.URL, Response: &store.Response{ContentType: page.ContentType, Header: page.Header, FetchedAt: page.FetchedAt}}, page.Body)
	if err != nil {
		return err
	}
	t.Encoding = fmt.Sprintf("%s, %s, by %s", stored.Doc.Encoding.Name, stored.Doc.Encoding.Confidence, stored.Doc.Encoding.Source)
	result, list := stored.explain(job.Options.Extractor)
	t.Rejects = len(result.Rejects)
	for _, part := range []struct {
		records  []extract.Record
		rejected bool
	}{{result.Records, false}, {result.Rejects, true}} {
		for _, r := range part.records {
			if len(t.Records) == recordsTried {
				t.More++
				continue
			}
			t.Records = append(t.Records, triedRecordOf(stored, &r, part.rejected, list, typesOf(job, r.Item)))
		}
	}
	return nil
}

func typesOf(job *config.Job, item string) map[string]extract.Field {
	types := map[string]extract.Field{}
	for _, i := range job.Items.Items {
		if i.Name == item {
			for _, f := range i.Fields {
				types[f.Name] = f
			}
		}
	}
	return types
}

func triedRecordOf(page *storedPage, r *extract.Record, rejected bool, list []explain.Value, types map[string]extract.Field) triedRecord {
	x := triedRecord{Item: r.Item, Position: r.Position, Key: values.Key(r.Key), Rejected: rejected, Problems: r.Problems}
	for _, m := range r.Fields {
		x.Fields = append(x.Fields, recordField{Name: m.Name, Value: valueOf(m.Value, types[m.Name])})
	}
	for i := range list {
		if v := &list[i]; v.Item == r.Item && v.Position == r.Position && len(x.Values) < maxExplained {
			x.Values = append(x.Values, explainedOf(page, v, types[v.Field], ""))
		}
	}
	return x
}

// addressOf reads an absolute address.
func addressOf(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || !isWebURL(text) {
		return nil, fmt.Errorf("%q is no address of a page: write one such as https://example.com/", text)
	}
	return u, nil
}
