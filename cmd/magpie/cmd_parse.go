package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// parseFlags are the flags of parse.
type parseFlags struct {
	charset, contentType string
	encoding, errors     bool
	scripting, positions bool
	fragment             string
	format               *choiceFlag
}

func newParseCommand(a *app) *cobra.Command {
	f := &parseFlags{}
	cmd := &cobra.Command{
		Use:   "parse FILE|URL|-",
		Short: "Show the tree of a page, or its encoding",
		Long: `Parse reads a page from a file, a URL or the standard input (-) as a browser
does and writes its tree:

  tree  one line a node, indented, in the format of the html5lib tests
  html  markup, as the HTML Standard serializes a document
  xml   well-formed XML of the same tree
  json  nested objects: type, name, attributes, data, children

With --encoding it tells the page's character encoding instead: the name, how
sure it is (tentative or certain), and where it was found (bom, override,
transport, meta, xml-declaration, detected, locale or default).

With --errors it tells the parse errors instead, by the standard's names, each
with its line and a mark.

Bad HTML is no failure. An answer such as "404 Not Found" that has a body is
parsed too, with a word on the error output.`,
		Example: `  magpie parse page.html
  magpie parse --encoding https://example.com/
  magpie parse --errors page.html
  echo '<td>1' | magpie parse --fragment tr -
  curl -s https://example.com/ | magpie parse --content-type 'text/html; charset=windows-1251' -`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef(cmd, "parse needs one file, URL or - for the standard input")
			}
			return nil
		},
	}
	f.format = addChoice(cmd, "format", "what is written", "tree", "html", "xml", "json")
	cmd.Flags().BoolVar(&f.encoding, "encoding", false, "tell the encoding instead of the tree")
	cmd.Flags().BoolVar(&f.errors, "errors", false, "tell the parse errors instead of the tree")
	cmd.Flags().BoolVar(&f.scripting, "scripting", false, "parse as a browser that runs scripts: noscript holds text")
	cmd.Flags().BoolVar(&f.positions, "positions", false, "JSON: add to each node where it stands in the decoded source")
	cmd.Flags().StringVar(&f.fragment, "fragment", "", `parse as the contents of this `+"`element`"+`, such as tr, or "svg path"`)
	cmd.Flags().StringVar(&f.charset, "charset", "", "read the page in this `encoding`, whatever it says itself")
	cmd.Flags().StringVar(&f.contentType, "content-type", "", "the Content-Type `value` that came with the page")
	complete(cmd, "charset", cobra.FixedCompletions(commonCharsets, cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(cmd); err != nil {
			return err
		}
		if a.json && !cmd.Flags().Changed("format") {
			f.format.value = "json"
		}
		if f.positions && (f.format.value != "json" || f.fragment != "") {
			return usagef(cmd, "--positions goes with --format json, and not with --fragment")
		}
		return a.parse(cmd.Context(), f, args[0])
	}
	return cmd
}

// check refuses flags that contradict each other, and values that cannot be.
func (f *parseFlags) check(cmd *cobra.Command) error {
	for _, pair := range [][]string{{"encoding", "errors"}, {"encoding", "format"}, {"errors", "format"}} {
		if err := apart(cmd, pair...); err != nil {
			return err
		}
	}
	if words := len(strings.Fields(f.fragment)); f.fragment != "" && (words == 0 || words > 2) {
		return usagef(cmd, `--fragment %q is no element: write one such as tr, or "svg path"`, f.fragment)
	}
	return checkCharset(cmd, f.charset)
}

// commonCharsets are offered for completion; any label of the Encoding
// Standard can be given.
var commonCharsets = []string{"utf-8", "windows-1252", "windows-1251", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"}

// checkCharset refuses the value of --charset that names no encoding.
func checkCharset(cmd *cobra.Command, label string) error {
	if _, ok := htmlparse.EncodingName(label); label != "" && !ok {
		return usagef(cmd, "--charset %q is no encoding that browsers know", label)
	}
	return nil
}

func (a *app) parse(ctx context.Context, f *parseFlags, name string) error {
	in, err := a.open(ctx, name)
	if err != nil {
		return err
	}
	if in.status != "" {
		if len(in.body) == 0 {
			return fmt.Errorf("fetch %s: %s", in.name, in.status)
		}
		a.notice(notice{Kind: "note", Input: in.name, Detail: in.status})
	}
	if f.contentType != "" {
		in.contentType = f.contentType
	}
	var found []htmlparse.ParseError
	options := &htmlparse.Options{Charset: f.charset, ContentType: in.contentType, Scripting: f.scripting, Positions: f.positions}
	if f.errors {
		options.OnError = func(e htmlparse.ParseError) { found = append(found, e) }
	}
	doc, err := f.document(in, options)
	switch {
	case err != nil:
		return fmt.Errorf("parse %s: %w", in.name, err)
	case f.encoding:
		return a.writeEncoding(doc.Encoding)
	case f.errors:
		return a.writeParseErrors(in, doc.Encoding, found)
	}
	return writeDocument(a.stdout, doc, f.format.value)
}

// document parses the input whole, or as a fragment.
func (f *parseFlags) document(in *input, options *htmlparse.Options) (*htmlparse.Document, error) {
	if f.fragment == "" {
		return htmlparse.ParseBytes(in.body, options)
	}
	enc := htmlparse.Sniff(in.body, options)
	text, err := htmlparse.Decode(in.body, enc.Name)
	if err != nil {
		return nil, err
	}
	nodes, err := htmlparse.ParseFragment(text, contextElement(f.fragment), options)
	if err != nil {
		return nil, err
	}
	doc := &htmlparse.Document{Root: &html.Node{Type: html.DocumentNode}, Encoding: enc}
	for _, n := range nodes {
		doc.Root.AppendChild(n)
	}
	return doc, nil
}

// contextElement is the element that a name such as "tr" or "svg path" says.
func contextElement(name string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name}
	if space, local, found := strings.Cut(name, " "); found {
		n.Namespace, n.Data = space, local
	}
	n.DataAtom = atom.Lookup([]byte(n.Data))
	return n
}

// writeParseErrors tells each error in the order of the source, with its line.
func (a *app) writeParseErrors(in *input, enc htmlparse.Encoding, found []htmlparse.ParseError) error {
	slices.SortStableFunc(found, func(x, y htmlparse.ParseError) int { return cmp.Compare(x.Offset, y.Offset) })
	text, err := htmlparse.Decode(in.body, enc.Name)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	t := terminalOf(a.stdout)
	for _, e := range found {
		if a.json {
			if err := a.writeJSON(map[string]any{"code": e.Code, "offset": e.Offset, "line": e.Line, "column": e.Column}); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintf(a.stdout, "%s:%d:%d: %s\n", harmless.Text(in.name), e.Line, e.Column, e.Code); err != nil {
			return err
		}
		writeSourceLine(a.stdout, t, lines, e.Line, e.Column)
	}
	return nil
}

// writeEncoding tells an encoding as "name confidence source" or as JSON.
func (a *app) writeEncoding(e htmlparse.Encoding) error {
	if a.json {
		return a.writeJSON(jsonEncoding(e))
	}
	_, err := fmt.Fprintf(a.stdout, "%s %s %s\n", e.Name, e.Confidence, e.Source)
	return err
}

func writeDocument(w io.Writer, doc *htmlparse.Document, format string) error {
	out, flush := pageWriter(w)
	b := bufio.NewWriter(out)
	var err error
	switch format {
	case "tree":
		err = htmlparse.Dump(b, doc.Root)
	case "html":
		if err = htmlparse.Render(b, doc.Root); err == nil {
			err = b.WriteByte('\n')
		}
	case "xml":
		if err = htmlparse.RenderXML(b, doc.Root, nil); err == nil {
			err = b.WriteByte('\n')
		}
	case "json":
		err = writeTreeJSON(b, doc)
	}
	if err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return flush()
}
