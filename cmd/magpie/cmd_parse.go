package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// parseFlags are the flags of parse.
type parseFlags struct {
	charset, contentType string
	encoding             bool
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
  json  nested objects: type, name, attributes, data, children

With --encoding it tells the page's character encoding instead: the name, how
sure it is (tentative or certain), and where it was found (bom, override,
transport, meta, xml-declaration, detected, locale or default).

Bad HTML is no error. An answer such as "404 Not Found" that has a body is
parsed too, with a word on the error output.`,
		Example: `  magpie parse page.html
  magpie parse --encoding https://example.com/
  curl -s https://example.com/ | magpie parse --content-type 'text/html; charset=windows-1251' -`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef(cmd, "parse needs one file, URL or - for the standard input")
			}
			return nil
		},
	}
	f.format = addChoice(cmd, "format", "what is written", "tree", "html", "json")
	cmd.Flags().BoolVar(&f.encoding, "encoding", false, "tell the encoding instead of the tree")
	cmd.Flags().StringVar(&f.charset, "charset", "", "read the page in this `encoding`, whatever it says itself")
	cmd.Flags().StringVar(&f.contentType, "content-type", "", "the Content-Type `value` that came with the page")
	complete(cmd, "charset", cobra.FixedCompletions(commonCharsets, cobra.ShellCompDirectiveNoFileComp))
	complete(cmd, "content-type", cobra.NoFileCompletions)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkCharset(cmd, f.charset); err != nil {
			return err
		}
		if a.json && !cmd.Flags().Changed("format") {
			f.format.value = "json"
		}
		return a.parse(cmd.Context(), f, args[0])
	}
	return cmd
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
	doc, err := htmlparse.ParseBytes(in.body, &htmlparse.Options{Charset: f.charset, ContentType: in.contentType})
	if err != nil {
		return fmt.Errorf("parse %s: %w", in.name, err)
	}
	if f.encoding {
		return a.writeEncoding(doc.Encoding)
	}
	return writeDocument(a.stdout, doc, f.format.value)
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
		err = dumpTree(b, doc.Root)
	case "html":
		if err = htmlparse.Render(b, doc.Root); err == nil {
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
