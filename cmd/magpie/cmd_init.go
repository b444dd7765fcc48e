package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/draft"
	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/robots"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/extract/learn"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/weburl"
)

func newInitCommand(a *app) *cobra.Command {
	c := &initCommand{app: a}
	cmd := &cobra.Command{
		Use:   "init URL|FILE",
		Short: "Write a job file to start from",
		Long: `Init looks at a page and writes a commented job file that takes records from it.

Give examples of what you want, as you read it on the page, and it finds
selectors for them: it prefers ids, itemprops, data attributes and short class
paths to positions, and proves each with a few more pages of the site that the
page links to. Where the examples are all in one of several elements like each
other, such as the rows of a list, there is a record for each of them.

Without examples the fields are those of the page's structured data, else its
title, description and article.

The file is called after the site unless -o says otherwise, and is not written
over one that exists.`,
		Example: `  magpie init https://books.toscrape.com/catalogue/a-light-in-the-attic_1000/index.html --item book \
      --example 'title=A Light in the Attic' --example 'price=£51.77'
  magpie init https://news.example/2026/story.html
  magpie init saved.html --example 'price=£51.77' -o -    # to the standard output`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef(cmd, "name one page: a URL or a file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&c.examples, "example", nil, "a value on the page: `name=value`")
	f.StringVar(&c.item, "item", "", "what a record is called (default: by the structured data, else item)")
	f.IntVar(&c.pages, "pages", 3, "how many more pages of the site to look at; 0: none")
	f.StringVarP(&c.output, "output", "o", "", "the `file` to write; - is the standard output (default: by the site's name)")
	return cmd
}

// initCommand is one call of magpie init.
type initCommand struct {
	*app
	examples []string
	item     string
	pages    int
	output   string
}

// betweenPages is the pause between two pages of the site.
const betweenPages = time.Second

func (c *initCommand) run(cmd *cobra.Command, name string) error {
	if c.pages < 0 {
		return usagef(cmd, "--pages must not be below 0")
	}
	examples, err := readExamples(cmd, c.examples)
	if err != nil {
		return err
	}
	if err := checkItem(cmp.Or(c.item, "item"), examples); err != nil {
		return usagef(cmd, "%s", err)
	}
	page, err := c.page(cmd.Context(), name)
	if err != nil {
		return err
	}
	made := &draft.Draft{Page: page, Item: c.item, Now: time.Now()}
	if len(examples) == 0 {
		made.Guess()
	} else if err := c.learn(cmd.Context(), made, examples); err != nil {
		return err
	}
	text := made.Text()
	job, err := config.Parse("job.yaml", []byte(text))
	if err != nil { // it would be our mistake: show it whole
		return fmt.Errorf("the job that was made is wrong: %w\n%s", err, text)
	}
	file, err := c.write(cmd, page, text)
	if err != nil {
		return err
	}
	c.preview(page, job, file)
	return nil
}

// readExamples reads the values of --example.
func readExamples(cmd *cobra.Command, texts []string) ([]learn.Example, error) {
	var list []learn.Example
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		name = strings.TrimSpace(name)
		if !ok || strings.TrimSpace(value) == "" || !fieldName.MatchString(name) {
			return nil, usagef(cmd, "--example %q: write name=value, such as 'price=£51.77'", text)
		}
		list = append(list, learn.Example{Field: name, Value: strings.TrimSpace(value)})
	}
	return list, nil
}

// checkItem refuses names that an item and its fields cannot have, and those
// that are given twice.
func checkItem(name string, examples []learn.Example) error {
	item := extract.Item{Name: name}
	for _, e := range examples {
		item.Fields = append(item.Fields, extract.Field{Name: e.Field})
	}
	if len(item.Fields) == 0 { // they are guessed
		item.Fields = []extract.Field{{Name: "title"}}
	}
	_, err := extract.Compile(extract.Spec{Items: []extract.Item{item}})
	return err
}

// page reads and parses a page.
func (c *initCommand) page(ctx context.Context, name string) (extract.Page, error) {
	in, err := c.open(ctx, name)
	if err == nil && in.status != "" {
		err = fmt.Errorf("fetch %s: %s", name, in.status)
	}
	if err != nil {
		return extract.Page{}, err
	}
	doc, err := htmlparse.ParseBytes(in.body, &htmlparse.Options{ContentType: in.contentType})
	if err != nil {
		return extract.Page{}, fmt.Errorf("parse %s: %w", name, err)
	}
	return extract.Page{Root: doc.Root, URL: in.url, Lang: in.language, Header: in.header, FetchedAt: time.Now()}, nil
}

// learn finds where the examples are.
func (c *initCommand) learn(ctx context.Context, d *draft.Draft, examples []learn.Example) error {
	first := learn.Page{Root: d.Page.Root, URL: address(d.Page.URL)}
	each, fields, ok := learn.List(first, examples)
	if ok {
		d.Each, d.Learned = each, fields
		return nil
	}
	pages := []learn.Page{first}
	for _, link := range c.allowed(ctx, similarLinks(d.Page, c.pages)) {
		select {
		case <-time.After(betweenPages):
		case <-ctx.Done():
			return ctx.Err()
		}
		other, err := c.page(ctx, link)
		if err != nil {
			c.notice(notice{Kind: "note", Input: link, Detail: "not looked at: " + err.Error()})
			continue
		}
		d.Others = append(d.Others, link)
		pages = append(pages, learn.Page{Root: other.Root, URL: link})
	}
	fields, err := learn.Fields(pages, examples)
	var missing *learn.NotFoundError
	if errors.As(err, &missing) {
		for _, m := range missing.Missing {
			detail := fmt.Sprintf("the page does not have %s = %q", m.Field, m.Value)
			if len(m.Near) > 0 {
				detail += "; it has " + quoteAll(m.Near)
			}
			c.notice(notice{Kind: "note", Input: first.URL, Detail: detail})
		}
		return errFailed
	}
	d.Learned = fields
	return err
}

// allowed leaves out what the site's robots.txt forbids: the user named one
// page, not these.
func (c *initCommand) allowed(ctx context.Context, links []string) []string {
	if len(links) == 0 {
		return nil
	}
	u, err := url.Parse(links[0])
	if err != nil {
		return nil
	}
	in, err := c.open(ctx, u.Scheme+"://"+u.Host+"/robots.txt")
	switch {
	case err != nil, strings.HasPrefix(in.status, "5"):
		return nil // https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4
	case in.status != "":
		return links
	}
	group := robots.Parse(in.body).Group(crawl.DefaultUserAgent)
	return slices.DeleteFunc(links, func(link string) bool {
		u, err := weburl.Parse(link)
		if err != nil {
			return true
		}
		ok, _ := group.Allowed(u.RequestURI())
		return !ok
	})
}

func quoteAll(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(quoted, ", ")
}

func address(u *url.URL) string {
	if u == nil {
		return ""
	}
	return u.String()
}

// similarLinks returns up to n addresses that the page links to and that are
// built like its own: they may be pages of the same kind.
func similarLinks(page extract.Page, n int) []string {
	if page.URL == nil || page.URL.Scheme == "file" {
		return nil
	}
	links, err := linksOf(page)
	if err != nil {
		return nil
	}
	own := strings.Split(strings.Trim(page.URL.Path, "/"), "/")
	var list []string
	seen := map[string]bool{page.URL.String(): true}
	for _, link := range links {
		u, err := url.Parse(link)
		if err != nil || u.Host != page.URL.Host || len(list) == n {
			continue
		}
		u.Fragment = ""
		steps := strings.Split(strings.Trim(u.Path, "/"), "/")
		alike := len(steps) == len(own) && (len(own) < 2 || steps[0] == own[0]) && u.Path != page.URL.Path
		if alike && !seen[u.String()] {
			seen[u.String()] = true
			list = append(list, u.String())
		}
	}
	return list
}

// linksOf returns the addresses that a page links to, those of its content
// before those of its header and navigation.
func linksOf(page extract.Page) (links []string, err error) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "page", Fields: []extract.Field{
		{Name: "main", CSS: "main a[href], article a[href], [role=main] a[href]", As: extract.URL, All: true},
		{Name: "all", CSS: "a[href]", As: extract.URL, All: true},
	}}}})
	if err != nil {
		return nil, err
	}
	for _, r := range x.Extract(page).Records {
		for _, m := range r.Fields {
			list, _ := m.Value.([]any)
			for _, v := range list {
				if s, ok := v.(string); ok {
					links = append(links, s)
				}
			}
		}
	}
	return links, nil
}

// write writes the job file and returns its name; "" for the standard output.
func (c *initCommand) write(cmd *cobra.Command, page extract.Page, text string) (string, error) {
	if c.output == "-" {
		_, err := fmt.Fprint(c.stdout, text)
		return "", err
	}
	file := c.output
	if file == "" {
		file = draft.SiteName(page.URL) + ".yaml"
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", usagef(cmd, "%s exists: name another file with -o", file)
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%w: there is no folder %s, make it first", err, filepath.Dir(file))
	case err != nil:
		return "", err
	}
	_, err = f.WriteString(text)
	if err = cmp.Or(err, f.Close()); err != nil {
		os.Remove(file)
		return "", err
	}
	return file, nil
}

// preview shows what the job takes from the page, on the error output where the
// job itself goes to the standard output.
func (c *initCommand) preview(page extract.Page, job *config.Job, file string) {
	out := c.stdout
	if file == "" {
		out = c.stderr
	}
	t := terminalOf(out)
	result := job.Options.Extractor.Extract(page)
	for i, r := range result.Records {
		if i == 3 {
			fmt.Fprintf(out, "… and %s more\n", count(len(result.Records)-i, "record"))
			break
		}
		for _, m := range r.Fields {
			fmt.Fprintf(out, "%s = %s\n", t.style(bold, m.Name), harmless.Text(values.Short(values.Display(m.Value))))
		}
	}
	if file != "" {
		fmt.Fprintf(out, "\nWrote %s. Next:\n  magpie try %s URL    # see what it takes from another page, and why\n  magpie crawl %s\n", file, file, file)
	}
}
