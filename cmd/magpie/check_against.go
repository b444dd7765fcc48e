package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// saved is what a folder of saved pages has beside each page NAME.html, as
// NAME.json: where the page is from, and the records that the job takes from
// it.
type saved struct {
	URL         string        `json:"url,omitempty"` // left out: the file's own address
	ContentType string        `json:"content_type,omitempty"`
	Header      http.Header   `json:"header,omitempty"`    // of the response, for fields that come from it
	FetchedAt   time.Time     `json:"fetched_at,omitzero"` // what "yesterday" is seen from
	Records     []savedRecord `json:"records"`
	Rejects     []savedRecord `json:"rejects,omitempty"`
}

type savedRecord struct {
	Item     string         `json:"item"`
	Fields   extract.Object `json:"fields"`
	Problems []string       `json:"problems,omitempty"` // "price: type"
}

// against compares what a job takes from saved pages with what it is to take.
type against struct {
	*app
	folder string
	update bool
	add    []string // URLs of pages to be saved first
}

// outcome of one saved page, as --json writes it.
type comparedPage struct {
	Page    string   `json:"page"`
	OK      bool     `json:"ok"`
	Records int      `json:"records"`
	Updated bool     `json:"updated,omitempty"`
	Error   string   `json:"error,omitempty"`
	Diff    []string `json:"diff,omitempty"`
}

// check runs the one job that is named.
func (g *against) check(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef(cmd, "--against tests one job: name one file")
	}
	job, err := loadJobOffline(args[0])
	if err != nil {
		return err
	}
	if len(job.Items.Items) == 0 {
		return usagef(cmd, "%s has no items", args[0])
	}
	ok, err := g.run(cmd.Context(), job.Options.Extractor)
	if err == nil && !ok {
		err = errFailed
	}
	return err
}

// run compares all pages. It reports whether they are as they should be.
func (g *against) run(ctx context.Context, x *extract.Extractor) (ok bool, err error) {
	for _, address := range g.add {
		if err := g.save(ctx, address); err != nil {
			return false, err
		}
	}
	var pages []string
	err = filepath.WalkDir(g.folder, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err == nil && !d.IsDir() && (ext == ".html" || ext == ".htm") {
			pages = append(pages, path)
		}
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("there is no folder %s: --update --add URL makes it, with a page", g.folder)
	case err != nil:
		return false, err
	case len(pages) == 0:
		return false, fmt.Errorf("there are no pages in %s: save some as NAME.html, or name URLs with --add", g.folder)
	}
	ok, passed := true, 0
	for _, page := range pages {
		c := g.page(x, page)
		if c.OK {
			passed++
		}
		ok = ok && c.OK
		if err := g.tell(c); err != nil {
			return false, err
		}
	}
	if !g.json {
		_, err = fmt.Fprintf(g.stdout, "%d of %s as expected\n", passed, count(len(pages), "page"))
	}
	return ok, err
}

// page compares one page.
func (g *against) page(x *extract.Extractor, path string) (c comparedPage) {
	c.Page = path
	fail := func(err error) comparedPage {
		c.Error = err.Error()
		return c
	}
	expected, err := readSaved(savedName(path))
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return fail(err)
	}
	got, err := extractSaved(x, path, expected)
	if err != nil {
		return fail(err)
	}
	c.Records = len(got.Records)
	switch c.Diff = differences(expected, got); {
	case missing && !g.update:
		c.Diff = nil
		return fail(fmt.Errorf("nothing says what to expect: write it with --update, and read it"))
	case len(c.Diff) == 0 && !missing:
		c.OK = true
	case g.update:
		if err := writeSaved(savedName(path), got); err != nil {
			return fail(err)
		}
		c.OK, c.Updated = true, true
	}
	return c
}

func savedName(page string) string { return strings.TrimSuffix(page, filepath.Ext(page)) + ".json" }

func readSaved(file string) (s saved, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s cannot be read as JSON: mend it, or delete it and write it anew with --update: %w", file, err)
	}
	return s, nil
}

func writeSaved(file string, s saved) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// extractSaved takes the records from a saved page.
func extractSaved(x *extract.Extractor, path string, s saved) (saved, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	u, err := url.Parse(s.URL)
	if err == nil && s.URL == "" {
		u = &url.URL{Scheme: "file", Path: "/" + filepath.Base(path)}
	}
	if err != nil {
		return s, err
	}
	doc, err := htmlparse.ParseBytes(body, &htmlparse.Options{ContentType: s.ContentType})
	if err != nil {
		return s, err
	}
	if s.FetchedAt.IsZero() {
		s.FetchedAt = time.Now().UTC().Truncate(time.Second)
	}
	result := x.Extract(extract.Page{Root: doc.Root, URL: u, Lang: s.Header.Get("Content-Language"), Header: s.Header, FetchedAt: s.FetchedAt})
	s.Records, s.Rejects = savedRecords(result.Records), savedRecords(result.Rejects)
	return s, nil
}

func savedRecords(records []extract.Record) []savedRecord {
	list := make([]savedRecord, len(records))
	for i, r := range records {
		list[i] = savedRecord{Item: r.Item, Fields: r.Fields}
		for _, p := range r.Problems {
			list[i].Problems = append(list[i].Problems, strings.TrimPrefix(p.Field+": "+p.Code, ": "))
		}
	}
	return list
}

// differences tells field by field what is not as expected.
func differences(want, got saved) []string {
	diff := recordDifferences("record", want.Records, got.Records)
	return append(diff, recordDifferences("reject", want.Rejects, got.Rejects)...)
}

func recordDifferences(kind string, want, got []savedRecord) (diff []string) {
	if len(want) != len(got) {
		diff = append(diff, fmt.Sprintf("%s, not %d", count(len(got), kind), len(want)))
	}
	for i := range min(len(want), len(got)) {
		w, g := want[i], got[i]
		at := fmt.Sprintf("%s %s[%d]", kind, g.Item, i)
		if w.Item != g.Item {
			diff = append(diff, fmt.Sprintf("%s: is a %s, not a %s", at, g.Item, w.Item))
			continue
		}
		for _, name := range fieldNames(w.Fields, g.Fields) {
			if before, now := shown(w.Fields, name), shown(g.Fields, name); before != now {
				diff = append(diff, fmt.Sprintf("%s.%s: is %s, not %s", at, name, now, before))
			}
		}
		if !slices.Equal(w.Problems, g.Problems) {
			diff = append(diff, fmt.Sprintf("%s: its problems are %q, not %q", at, g.Problems, w.Problems))
		}
	}
	return diff
}

// fieldNames are the names of both, in order.
func fieldNames(objects ...extract.Object) (names []string) {
	for _, o := range objects {
		for _, m := range o {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// shown is a member's value as JSON, "absent" where there is none.
func shown(o extract.Object, name string) string {
	v, ok := o.Get(name)
	if !ok {
		return "absent"
	}
	b, err := extract.Object{{Name: "v", Value: v}}.AppendJSON(nil)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(b), `{"v":`), "}")
}

func (g *against) tell(c comparedPage) error {
	if g.json {
		return g.writeJSON(c)
	}
	state := "ok"
	switch {
	case c.Updated:
		state = "written"
	case c.Error != "":
		state = c.Error
	case !c.OK:
		state = "differs"
	}
	line := fmt.Sprintf("%s: %s: %s\n", c.Page, state, count(c.Records, "record"))
	for _, d := range c.Diff {
		if !c.Updated || c.OK {
			line += "  " + values.Short(d) + "\n"
		}
	}
	_, err := fmt.Fprint(g.stdout, harmless.Lines(line))
	return err
}

var notFileName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// save fetches a page into the folder.
func (g *against) save(ctx context.Context, address string) error {
	in, err := g.open(ctx, address)
	if err == nil && in.status != "" {
		err = fmt.Errorf("fetch %s: %s", address, in.status)
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(g.folder, 0o777); err != nil {
		return err
	}
	_, name, _ := strings.Cut(address, "://")
	name = strings.Trim(notFileName.ReplaceAllString(name, "-"), "-.")
	page := filepath.Join(g.folder, strings.TrimSuffix(name, ".html")+".html")
	s := saved{URL: address, ContentType: in.contentType, FetchedAt: time.Now().UTC().Truncate(time.Second)}
	if in.url != nil {
		s.URL = in.url.String()
	}
	if s.Header = in.header.Clone(); s.Header != nil {
		s.Header.Del("Set-Cookie") // whoever gets the folder need not have the session
	}
	if err := os.WriteFile(page, in.body, 0o666); err != nil {
		return err
	}
	return writeSaved(savedName(page), s)
}
