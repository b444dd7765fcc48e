// Package config reads job files: one crawl, written in YAML, becomes the
// Options of the packages that do the work.
//
// A job file is read strictly. Every mistake is found in one go and told with
// its line and column, with what is wrong and what to write instead.
//
// Keys that say how a job is run again, and how its hosts are treated:
//
//	recrawl: all                # every page, on condition that it has changed (default)
//	recrawl: adaptive           # pages that are due; also as {min: 1h, max: 30d}, which are its bounds
//	recrawl: full               # every page, without condition
//	politeness:
//	  adaptive: on              # slower after 429, 503 and with latency (default); off
//	  max_delay: 1m             # the longest delay that a host may bring about
//	  nofollow: obey            # rel=nofollow, meta robots and X-Robots-Tag (default); ignore
//	  noindex: ignore           # records are taken from such pages (default); obey
//
// Keys that say where links lead, and which are left out:
//
//	links: {forms: true}        # forms that are sent by GET are links too
//	scope:
//	  strip: ["utm_*", ref]     # query parameters taken off links; default: crawl.DefaultStrip; []: none
//	limits:
//	  links: 10000              # of one page (default)
//	  per_host: 5000            # pages asked for of each host
//	  paths: [{url: "*/calendar/*", pages: 50}]
//	priorities: [{url: "*/product/*", boost: 10}]
//	traps:                      # or off
//	  repeats: 2                # the same path segments in a row (default); off
//	  length: 2083              # of a URL (default); off
//	  duplicates: 100           # near-duplicates in a row at URLs of one shape (default); off
//
//	keep: all                   # bodies of every run (default); last: the last of each URL; none
//	keep: {bodies: all, budget: 2GB}   # compressed; beyond it the oldest that newer ones took the place of are dropped
//
//	search: {pages: true}       # magpie search finds the articles of pages too; default: records alone
//	warc: archive               # a folder, from the job file's, that each exchange is archived in
//
// Keys that say how requests are sent. ${NAME} stands for an environment
// variable: secrets must come from there, because the file's text is kept in
// the database.
//
//	headers: {Accept-Language: en}   # to the origins of the start URLs
//	credentials:
//	  - {origin: "https://example.com", user: me, password: "${PASSWORD}"}
//	  - {origin: "https://api.example.com", bearer: "${TOKEN}"}
//	cookies: true               # (default)
//	proxy: "http://proxy.example:3128"   # or a list that takes turns, or environment, or a mapping from hosts ("*", "*.example.com") to either or none
//	insecure_tls: false         # accept any certificate
//	login:
//	  url: "https://example.com/login"
//	  form: "form#login"        # default: the one with a password field
//	  fields: {user: me, password: "${PASSWORD}"}
//	  check: "a.logout"         # is there when it worked
//	  logged_out: "form#login"  # is there when the session has ended
//
// Keys that say when a job runs by itself, see package schedule:
//
//	schedule:
//	  cron: "0 3 * * mon-fri"   # five fields, six with seconds in front, @daily and the like, or "@every 90m"
//	  zone: Europe/Berlin       # whose clock that is; default: the machine's
//	  jitter: 10m               # each start is put off by less than this
//	  start: 2026-01-01         # not before this day or time
//	  end: 2027-01-01           # not on this day, at this time, or later
//	  overlap: skip             # when the run before is still going on (default); queue; cancel that run
//	  missed: run               # one run for the due times while magpie serve was not there (default); skip
//	  silence: 3                # intervals without a success of which notify tells (default); off
//
// Keys that say when a run is worse than usual, and who is told of runs:
//
//	health:                     # when figures count as drift; or off
//	  min_records: 20           # below that nothing is compared (default)
//	  fill: 0.25                # by how much the share of records with a field may fall (default); off
//	  failures: 0.1             # by how much that of failed values and of rejects may rise (default); off
//	  distinct: 0.5             # by what part the number of distinct values may fall (default); off
//	  volume: 0.5               # by what part the number of records and pages may fall (default); off
//	  template: 0.3             # how much the elements of pages may differ from before (default); off
//	fail_on: [drift]            # exit code 3
//	webhook: {url: "https://example.com/hook", secret: "${HOOK_SECRET}", on: [finish, drift, changes]}   # or a list
//
// Keys that say whom magpie serve tells of a job. Where a job has none, those of
// serve.yaml hold; with notify: [] nobody is told.
//
//	notify:                     # one entry, or a list
//	  - webhook: "https://example.com/hook"
//	    secret: "${HOOK_SECRET}"         # signs the message
//	    headers: {Authorization: "Bearer ${TOKEN}"}
//	    template: '{"text": {{json .Text}}}'   # of the body, by Go's text/template; default: JSON
//	    on: [failure, drift, silence]    # (default); changes
//	    group: 10m                       # what happens within that time is one message (default)
//	    repeat: 24h                      # an open problem is told again after that (default)
//	  - email: [ops@example.com]         # by the smtp of serve.yaml
//	  - command: [./page-me.sh, "{{.Job}}"]   # without a shell; the message is its input, and MAGPIE_… its environment
//	    timeout: 30s                     # (default)
package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// Job is what a job file says.
type Job struct {
	Name     string        // identifies the job in a database; default: the file's name without its extension
	Source   string        // the file's text
	Options  crawl.Options // Extractor is Items compiled; nil without items
	Items    extract.Spec
	Schedule schedule.Options // without Cron: the job does not run by itself
	Exports  []Export
	Dataset  dataset.Description // what exports say of themselves
	Webhooks []Webhook
	Notify   []notify.Channel // who is told when it goes wrong; nil: those of the daemon's settings, empty: nobody
	Silence  int              // intervals of Schedule without a success after which the job is silent; 0: notify.DefaultSilence, below 0: never

	FailOnDrift bool // a crawl whose figures have drifted ends with an exit code of its own
	Search      Search
	Variables   []string // names of the environment variables that values are taken from
}

// Search says what magpie search looks at beside the job's records.
type Search struct {
	Pages bool // the articles of its pages
}

// Export is a file that a job's records are written to.
type Export struct {
	Item   string // name of the item type
	Format store.Format
	Path   string // a relative path of the job file is joined to the job file's folder

	Fields     []string        // these alone, in this order; empty: all
	Where      string          // condition in SQL over the item's view
	Split      []dataset.Split // a file for each part
	Dedup      dataset.Dedup   // duplicates that are left out
	Meta       bool            // where a record comes from follows its fields
	NoManifest bool            // write none beside the file
}

// Options are those of the export in the store, for a job.
func (e Export) Options(job *Job) store.ExportOptions {
	return store.ExportOptions{
		Item: e.Item, Job: job.Name, Format: e.Format, Meta: e.Meta, Fields: e.Fields, Where: e.Where, Split: e.Split, Dedup: e.Dedup,
		Manifest: !e.NoManifest, Dataset: job.About(),
	}
}

// About is what exports of the job say of themselves: its dataset, and where
// that is silent the job's name and its first start URL.
func (j *Job) About() dataset.Description {
	about := j.Dataset
	if about.Title == "" {
		about.Title = j.Name
	}
	if about.Source == "" && len(j.Options.Start) > 0 {
		about.Source = j.Options.Start[0]
	}
	return about
}

// Load reads the job file at path. The error is Mistakes when the file could
// be read but is no valid job.
func Load(path string) (*Job, error) { return load(path, "job file", Parse) }

// LoadOffline is Load for a job that is to fetch nothing, see ParseOffline.
func LoadOffline(path string) (*Job, error) { return load(path, "job file", ParseOffline) }

func load[T any](path, what string, parse func(string, []byte) (*T, error)) (*T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", what, err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return parse(path, src)
}

// Parse reads a job file's text. name is the file's path: it stands in front
// of mistakes, names a job without a name, and relative paths start from its
// folder. The error is Mistakes.
func Parse(name string, src []byte) (*Job, error) { return parse(name, src, false) }

// ParseOffline is Parse for a job that is to fetch nothing: the environment
// variables that its secrets are in need not be set.
func ParseOffline(name string, src []byte) (*Job, error) { return parse(name, src, true) }

func parse(name string, src []byte, offline bool) (*Job, error) {
	job := &Job{Name: defaultName(name), Source: string(src)}
	if err := decode(name, src, offline, func(d *decoder, root *node) {
		d.job(root, job)
		job.Variables = d.variables
	}); err != nil {
		return nil, err
	}
	return job, nil
}

// largeSource is the length from which files are read one at a time, in bytes:
// the YAML parser may take some hundred times as much memory.
const largeSource = 128 << 10

var large sync.Mutex

// decode reads YAML and what it says by means of read. The error is Mistakes.
func decode(name string, src []byte, offline bool, read func(*decoder, *node)) error {
	d := &decoder{folder: filepath.Dir(name), offline: offline}
	if len(src) > largeSource {
		large.Lock()
		defer large.Unlock()
	}
	root, mistakes := readYAML(string(src))
	d.mistakes = mistakes
	if root != nil {
		d.lines = strings.Split(strings.TrimPrefix(string(src), "\uFEFF"), "\n")
		read(d, root)
	}
	if len(d.mistakes) == 0 {
		return nil
	}
	found := make(Mistakes, len(d.mistakes))
	for i, m := range d.mistakes {
		found[i] = *m
		found[i].File = name
	}
	return found.sorted()
}

// ReadSearch reads what a job file's text says of searching, and nothing else
// of it: other parts may need an environment that is not there.
func ReadSearch(src []byte) (s Search) {
	root, _ := readYAML(string(src))
	if root == nil {
		return s
	}
	if p, ok := root.get("search"); ok {
		(&decoder{}).search(value{p.value, "search"}, &s)
	}
	return s
}

// defaultName is a job's name taken from its file's.
func defaultName(file string) string {
	base := filepath.Base(file)
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
		return name
	}
	return base
}

// compile prepares the items of a job. Mistakes that only show then are put
// where they stand in the file, which items is the part of.
func (d *decoder) compile(spec extract.Spec, items *node) *extract.Extractor {
	x, err := extract.Compile(spec)
	if err == nil {
		return x
	}
	var errs extract.SpecErrors
	if !errors.As(err, &errs) {
		d.wrong(items.place, "%s", err)
		return nil
	}
	for _, e := range errs {
		d.specError(items, e)
	}
	return nil
}
