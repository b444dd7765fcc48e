package crawl

import (
	"fmt"
	"runtime/debug"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// Reread takes the records from a page that was fetched before, as a crawl
// with the same Options would: it parses p.Body, extracts, obeys noindex where
// the job says so, and shows the records to OnRecord. Links are not taken, and
// OnPage is not called. A page that is no HTML has no records. It may be called
// from several goroutines, also while the Crawler crawls. What comes of it
// shares no memory with p.Body.
//
// An error, such as a panic of the program on this page, costs the page alone.
func (c *Crawler) Reread(url string, p *Page) (result extract.Result, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			result, err = extract.Result{}, fmt.Errorf("reading %s panicked: %v\n%s", url, fault, debug.Stack())
		}
	}()
	if c.opts.Extractor == nil || !p.IsHTML() {
		return result, nil
	}
	parser := c.takeParser()
	defer c.giveBack(parser) // no hook is shown the document
	doc, err := parser.ParseBytes(p.Body, &htmlparse.Options{ContentType: p.ContentType})
	if err != nil {
		return result, fmt.Errorf("parse %s: %w", url, err)
	}
	if c.opts.Politeness.Noindex != NoindexIgnore && c.directives(p.Header, doc.Root).noindex {
		return result, nil
	}
	page, err := extractPage(url, p, doc)
	if err != nil {
		return result, fmt.Errorf("read %s: %w", url, err)
	}
	result = c.opts.Extractor.Extract(page)
	if c.opts.OnRecord != nil {
		v := Visit{State: Done, Records: result.Records, Rejects: result.Rejects}
		(&session{Crawler: c}).onRecords(&v)
		result.Records, result.Rejects = v.Records, v.Rejects
	}
	return result, nil
}
