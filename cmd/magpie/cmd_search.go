package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/internal/spelling"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/search"
)

func newSearchCommand(a *app) *cobra.Command {
	c := &searchCommand{app: a}
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Find records and articles by the words in them",
		Long: `Search finds the current records that have all the words in their texts, the
best first, and the articles of pages where the job says search: {pages: true}.

  brass lantern        both words
  "brass lantern"      one after the other
  brass OR copper      one of them
  -lamp                not this word
  lant*                words that begin so
  title:lantern        in this field; also title:"brass lantern"

Case and accents make no difference. A word counts more where few records have
it, and in a field called title, name, headline or heading. Put all words in
single quotes, so that the shell leaves quotes, - and * to magpie.

The index is a file beside the database, DATABASE-search. Each search brings it
up to date first; it may be deleted at any time.`,
		Example: `  magpie search lantern
  magpie search '"brass lantern" -broken' --item product
  magpie search 'title:lant* price:GBP' --json | jq .record
  magpie search 漢字
  magpie search --pages 'opening hours'   # in the articles of all stored pages too`,
		Args: atLeastOne("words to search for"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, strings.Join(args, " ")) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if _, unknown := errors.AsType[*pflag.NotExistError](err); !unknown {
			return flagError(cmd, err)
		}
		return usagef(cmd, "%s; to leave a word out write all words in quotes behind --: magpie search -- 'lantern -lamp'", flagError(cmd, err))
	})
	f := cmd.Flags()
	f.StringVar(&c.filter.Job, "job", "", "of this job alone")
	f.StringVar(&c.filter.Item, "item", "", "records of this item type alone")
	f.IntVar(&c.filter.Limit, "limit", 10, "at most this many; 0: all")
	f.BoolVar(&c.pages, "pages", false, "the articles of stored pages too, whatever the job says")
	f.StringVar(&c.index, "index", "", "the index `file` (default: the database's name with -search behind it)")
	a.completeNames(cmd)
	return cmd
}

// searchCommand is one call of magpie search.
type searchCommand struct {
	*app
	filter store.SearchFilter
	pages  bool
	index  string
}

func (c *searchCommand) run(cmd *cobra.Command, words string) error {
	if err := checkLimit(cmd, c.filter.Limit); err != nil {
		return err
	}
	// Nobody should wait for an index to hear that there is no word.
	if _, err := search.ParseQuery(words, func(string) (string, bool) { return "", false }); err != nil {
		return usagef(cmd, "%s", err)
	}
	if err := c.checkIndex(cmd); err != nil {
		return err
	}
	db, err := c.openReadOnly()
	if err != nil {
		return err
	}
	defer db.Close()
	jobs, err := c.jobs(cmd, db)
	if err != nil {
		return err
	}
	index, err := db.OpenSearch(cmd.Context(), c.index)
	if err != nil {
		return err
	}
	defer index.Close()
	if err := c.update(cmd, index, jobs); err != nil {
		return err
	}
	found, unknown, err := index.Find(cmd.Context(), words, c.filter)
	if err != nil {
		return err
	}
	return errors.Join(c.show(found), c.advise(cmd, index, len(found), unknown))
}

// checkIndex refuses an --index that is the database, or no database at all. Of
// others the store says that an index may be deleted: not of these.
func (c *searchCommand) checkIndex(cmd *cobra.Command) error {
	index, err := os.Stat(c.index)
	if c.index == "" || err != nil { // it is made
		return nil
	}
	if db, err := os.Stat(c.db); err == nil && os.SameFile(db, index) {
		return usagef(cmd, "--index %s is the database itself: name another file", c.index)
	}
	if index.Size() > 0 && !hasPrefix(c.index, sqliteHeader) {
		return usagef(cmd, "--index %s is something else: name another file", c.index)
	}
	return nil
}

// sqliteHeader is what files of SQLite begin with:
// https://www.sqlite.org/fileformat.html#magic_header_string
const sqliteHeader = "SQLite format 3\x00"

// hasPrefix tells whether a file begins with a text.
func hasPrefix(file, text string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(text))
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == text
}

// jobs checks the filter against what there is, and returns the jobs whose
// pages are searched.
func (c *searchCommand) jobs(cmd *cobra.Command, db *store.DB) (pages []string, err error) {
	if err := c.checkNames(cmd.Context(), db, c.filter.Job, c.filter.Item); err != nil {
		return nil, err
	}
	jobs, err := db.Jobs(cmd.Context())
	if err != nil {
		return nil, err
	}
	for _, job := range jobs {
		if (c.filter.Job == "" || c.filter.Job == job.Name) && c.filter.Item == "" &&
			(c.pages || config.ReadSearch([]byte(job.Latest.Source)).Pages) {
			pages = append(pages, job.Name)
		}
	}
	return pages, nil
}

// update brings the index up to date with its progress shown.
func (c *searchCommand) update(cmd *cobra.Command, index *store.SearchIndex, pages []string) error {
	var mu sync.Mutex
	var now store.SearchProgress
	p := startProgress(c.stderr, logOptions{}, c.json, func() []stat {
		mu.Lock()
		defer mu.Unlock()
		what := "records"
		if now.Pages {
			what = "pages"
		}
		return []stat{{name: "indexed " + what, value: now.Done, text: fmt.Sprintf("indexing %s: %d%%", what, 100*now.Done/max(now.Total, 1))}}
	})
	defer p.stop()
	return index.Update(cmd.Context(), store.SearchUpdate{Pages: pages, Progress: func(next store.SearchProgress) {
		mu.Lock()
		defer mu.Unlock()
		now = next
	}})
}

// show writes what was found: for each a line of what it is, and one of the
// words in their place.
func (c *searchCommand) show(found []store.Found) error {
	t := terminalOf(c.stdout)
	for i := range found {
		f := &found[i]
		if c.json {
			if err := c.writeJSON(machine.FoundOf(f)); err != nil {
				return err
			}
			continue
		}
		what := harmless.Text(f.Item) + "  " + harmless.Text(values.Key(f.Key))
		if f.Item == "" {
			what = "page  " + harmless.Text(f.Title)
		}
		if f.Item == "" || f.Key != f.URL {
			what += "  " + t.style(dim, harmless.Text(f.URL))
		}
		if len(f.Snippet) > 0 { // else nothing in the texts could be marked
			what += "\n    " + snippetLine(t, f)
		}
		if _, err := fmt.Fprintln(c.stdout, what); err != nil {
			return err
		}
	}
	return nil
}

// snippetLine is an excerpt with the matches bold.
func snippetLine(t terminal, f *store.Found) string {
	var b strings.Builder
	b.WriteString(harmless.Text(f.Field) + ": ")
	for _, part := range f.Snippet {
		if part.Match {
			b.WriteString(t.style(bold, harmless.Text(part.Text)))
		} else {
			b.WriteString(harmless.Text(part.Text))
		}
	}
	return b.String()
}

// advise says what may be meant when little or nothing was found.
func (c *searchCommand) advise(cmd *cobra.Command, index *store.SearchIndex, n int, unknown []string) error {
	if c.json {
		return nil
	}
	if c.filter.Limit > 0 && n == c.filter.Limit {
		fmt.Fprintf(c.stderr, "The best %d; --limit 0 shows all.\n", n)
	}
	if n > 0 {
		return nil
	}
	fmt.Fprintln(c.stderr, "Nothing found.")
	fields, err := index.Fields(cmd.Context())
	if err != nil || len(unknown) == 0 {
		return err
	}
	for _, name := range unknown {
		hint := ""
		if near := spelling.Nearest(name, fields); near != "" {
			hint = fmt.Sprintf(" Did you mean %s:?", harmless.Text(near))
		}
		fmt.Fprintf(c.stderr, "%q is no field, so it was searched for as a word.%s\n", harmless.Text(name), hint)
	}
	return nil
}
