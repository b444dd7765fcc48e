package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/explain"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// extractFlags are the flags of extract.
type extractFlags struct {
	job, item   string
	asCrawl     bool        // URLs are fetched as a crawl of the job would
	loaded      *config.Job // of job; nil: none yet
	fields      fieldFlags
	meta        bool
	explain     bool
	auto        bool
	warc        bool
	baseURL     string
	charset     string
	contentType string
	format      *choiceFlag
}

func newExtractCommand(a *app) *cobra.Command {
	f := &extractFlags{}
	cmd := &cobra.Command{
		Use:   "extract URL|FILE|-...",
		Short: "Take records from pages, without a crawl",
		Long: `Extract takes records from pages: URLs, files or the standard input (-). What to
take is said by a job file (--job) or by fields (--css, repeated):

  name=selector             the text of the first match
  name=selector@attribute   an attribute of it
  name=selector|type        read as a type: ` + strings.Join(extract.TypeNames(), ", ") + `
  name=selector@attr|type   both
  name=@attr                of the item's own node, together with --each

Without --each there is one record for the page, with it one for each match, and
selectors look within that match.

Records go to the standard output, problems to the error output. A value that
cannot be read as its type is left out and told as a problem. A record without a
required value is a reject: it is told and not written. --explain tells of each
value what was tried, what was found where and what it became. A job's "when" decides
which items apply to a page, unless --item names one.

With --auto no fields are asked for: a JSON document for each page has what the
page says of itself (JSON-LD, microdata, RDFa, microformats, Open Graph, Twitter
cards, Dublin Core, meta, canonical, languages, feeds, icons) and its article.

With --warc the files are web archives, compressed or not, such as those of
Common Crawl. Records are taken from the HTML pages in them, in their order, and
what else there is is counted. A damaged record costs itself alone. A revisit is a
page whose content stands in another record, of these files or behind it in them;
where that one is missing, the page is told as failed.

The exit code is 3 when there were rejects or some pages failed, 1 when all
pages failed.`,
		Example: `  magpie extract page.html --css title=h1 --css 'price=.price|price'
  magpie extract https://books.toscrape.com/ --each article --css 'title=h3 a@title' --css 'link=h3 a@href|url' --format table
  magpie extract --job books.yaml --item book saved/*.html --base-url https://books.toscrape.com/ --format csv >books.csv
  magpie extract --auto https://example.com/post | jq .article.title
  magpie extract --warc --css title=title --meta CC-MAIN-20260101000000-00000.warc.gz`,
		Args: atLeastOne("a file, a URL or - for the standard input"),
	}
	f.define(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.extract(cmd, f, args) }
	return cmd
}

// extract takes records from pages as flags say.
func (a *app) extract(cmd *cobra.Command, f *extractFlags, args []string) error {
	x, err := f.extractor(cmd)
	if err != nil {
		return err
	}
	base, err := f.base(cmd)
	if err != nil {
		return err
	}
	if err := checkCharset(cmd, f.charset); err != nil {
		return err
	}
	if f.explain && f.warc {
		return usagef(cmd, "--explain tells of single pages: leave out --warc")
	}
	if err := apart(cmd, "explain", "format"); err != nil {
		return err
	}
	e := &extraction{app: a, flags: f, extractor: x, base: base}
	if !f.explain && !f.auto {
		if e.sink, err = newSink(a.stdout, f.format.value, x.Spec(), f.meta); err != nil {
			return usagef(cmd, "%s", err)
		}
	}
	if f.warc {
		return e.runArchives(cmd.Context(), args)
	}
	return e.run(cmd.Context(), args)
}

// define adds the flags to the command.
func (f *extractFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.job, "job", "", "take what this job `file` says")
	f.fields.define(cmd)
	f.definePage(cmd)
	flags.BoolVar(&f.auto, "auto", false, "what the page says of itself for machines, and its article, as JSON")
	flags.BoolVar(&f.explain, "explain", false, "tell how each value came about, in place of the records")
	flags.BoolVar(&f.meta, "meta", false, "add _item, _key, _url and _position to each record (JSONL and CSV)")
	flags.BoolVar(&f.warc, "warc", false, "the files are web archives (.warc, .warc.gz): take records from the pages in them")
	f.format = addChoice(cmd, "format", "what is written", "jsonl", "csv", "table")
	complete(cmd, "job", jobFiles)
}

// definePage defines the flags that say how pages are read.
func (f *extractFlags) definePage(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.item, "item", "", "only this item of the job, on every page")
	flags.StringVar(&f.baseURL, "base-url", "", "the address of files and of the standard input, as an absolute `URL`")
	flags.StringVar(&f.charset, "charset", "", "read the pages in this `encoding`, whatever they say themselves")
	flags.StringVar(&f.contentType, "content-type", "", "the Content-Type `value` that came with the pages")
	complete(cmd, "charset", cobra.FixedCompletions(commonCharsets, cobra.ShellCompDirectiveNoFileComp))
	complete(cmd, "item", jobItems)
}

// extractor compiles what the flags ask for.
func (f *extractFlags) extractor(cmd *cobra.Command) (*extract.Extractor, error) {
	switch {
	case f.auto && (f.job != "" || f.fields.given() || f.warc || f.explain):
		return nil, usagef(cmd, "--auto takes everything: --job, --css, --warc and --explain do not go with it")
	case f.auto:
		return nil, nil
	case f.job == "" && len(f.fields.css) == 0:
		return nil, usagef(cmd, "say what to extract: --css name=selector, --job JOB.yaml or --auto")
	case f.job != "" && f.fields.given():
		return nil, usagef(cmd, "--job says what to extract: --css, --each and --all do not go with it")
	case f.job == "" && f.item != "":
		return nil, usagef(cmd, "--item names an item of a job: give the job with --job")
	case f.job != "":
		return f.jobExtractor(cmd)
	}
	return f.fields.extractor(cmd)
}

// jobExtractor takes the items of a job file, or one of them for every page.
func (f *extractFlags) jobExtractor(cmd *cobra.Command) (*extract.Extractor, error) {
	load := loadJobOffline
	if f.asCrawl {
		load = loadJob
	}
	job, err := load(f.job)
	f.loaded = job
	switch {
	case err != nil:
		return nil, err
	case len(job.Items.Items) == 0:
		return nil, usagef(cmd, "%s has no items", f.job)
	case f.item == "":
		return job.Options.Extractor, nil
	}
	var names []string
	for _, item := range job.Items.Items {
		if item.Name == f.item {
			item.When = extract.When{}
			return extract.Compile(extract.Spec{Items: []extract.Item{item}})
		}
		names = append(names, item.Name)
	}
	return nil, usagef(cmd, "%s has no item %q: it has %s", f.job, f.item, strings.Join(names, ", "))
}

// base is the address that files have.
func (f *extractFlags) base(cmd *cobra.Command) (*url.URL, error) {
	if f.baseURL == "" {
		return nil, nil
	}
	u, err := url.Parse(f.baseURL)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return nil, usagef(cmd, "--base-url %q is no absolute URL, such as https://example.com/", f.baseURL)
	}
	return u, nil
}

// extraction is one run of extract.
type extraction struct {
	*app
	flags     *extractFlags
	extractor *extract.Extractor
	base      *url.URL
	sink      recordSink
}

func (e *extraction) run(ctx context.Context, names []string) error {
	failed, rejects := 0, 0
	for _, name := range names {
		result, err := e.page(ctx, name)
		if err != nil {
			failed++
			e.notice(notice{Kind: "error", Input: name, Detail: err.Error()})
			continue
		}
		rejects += len(result.Rejects)
		if err := e.tell(name, result); err != nil {
			return err
		}
		if e.sink != nil { // the next page may be long in coming
			if err := e.sink.flush(); err != nil {
				return fmt.Errorf("write records: %w", err)
			}
		}
	}
	if e.sink != nil {
		if err := e.sink.close(); err != nil {
			return fmt.Errorf("write records: %w", err)
		}
	}
	switch {
	case failed == len(names):
		return errFailed
	case failed > 0 || rejects > 0:
		return errIncomplete
	}
	return nil
}

// page takes the records from one page.
func (e *extraction) page(ctx context.Context, name string) (extract.Result, error) {
	open := e.open
	if e.flags.asCrawl && isURL(name) {
		open = e.fetchAsCrawl
	}
	in, err := open(ctx, name)
	if err != nil {
		return extract.Result{}, err
	}
	if in.status != "" {
		return extract.Result{}, fmt.Errorf("fetch %s: %s", name, in.status)
	}
	if e.flags.contentType != "" {
		in.contentType = e.flags.contentType
	}
	if e.base != nil && !isURL(name) {
		in.url = e.base
	}
	doc, err := htmlparse.ParseBytes(in.body, &htmlparse.Options{Charset: e.flags.charset, ContentType: in.contentType, Positions: e.flags.explain})
	if err != nil {
		return extract.Result{}, fmt.Errorf("parse %s: %w", name, err)
	}
	page := extract.Page{Root: doc.Root, URL: in.url, Lang: in.language, Header: in.header, FetchedAt: time.Now()}
	switch {
	case e.flags.auto:
		return extract.Result{}, e.writeData(extract.Auto(page))
	case !e.flags.explain:
		return e.extractor.Extract(page), nil
	}
	result, list := e.extractor.Explain(page)
	if e.json {
		return result, e.writeJSON(explain.Values(doc, page, list))
	}
	return result, writeExplained(e.stdout, explain.Values(doc, page, list))
}

// writeData writes what a page says: on a line, for people on several.
func (e *extraction) writeData(data *extract.PageData) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	if terminalOf(e.stdout).people {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(data)
}

// tell writes what came of one page.
func (e *extraction) tell(name string, result extract.Result) error {
	for _, r := range result.Records {
		if e.sink != nil {
			if err := e.sink.write(r); err != nil {
				return fmt.Errorf("write records: %w", err)
			}
		}
		e.problems("problem", name, r)
	}
	for _, r := range result.Rejects {
		e.problems("reject", name, r)
	}
	if len(result.Records)+len(result.Rejects) == 0 && !e.flags.auto {
		e.notice(notice{Kind: "note", Input: name, Detail: "no records: no item applies to this page, or nothing matched"})
	}
	return nil
}

func (e *extraction) problems(kind, name string, r extract.Record) {
	for _, p := range r.Problems {
		e.notice(notice{kind, name, r.Item, r.Position, p.Field, p.Code, p.Detail})
	}
}
