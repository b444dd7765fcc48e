package crawl

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/weburl"
)

// pageLoop makes whole visits of responses until there are no more.
func (s *session) pageLoop(ctx context.Context) {
	for v := range s.responses {
		s.read(v)
		s.onError(v)
		select {
		case s.visits <- v:
		case <-ctx.Done():
			return
		}
	}
}

// read takes links and records from a visit's response, and notes when to come
// back. A panic on the way costs this page and no other.
func (s *session) read(v *Visit) {
	defer func() {
		if p := recover(); p != nil {
			if v.stored != nil {
				v.Page = nil // nothing was fetched
			}
			v.failPanic(p)
		}
	}()
	if v.stored != nil {
		s.readStored(v)
		return
	}
	s.readPage(v)
	s.remember(v)
}

func (s *session) readPage(v *Visit) {
	if v.State != Done || v.Page == nil || v.Page.Location != "" {
		return
	}
	at, err := weburl.Parse(v.Request.URL)
	switch {
	case err != nil:
		v.fail(ReasonParse, err.Error())
	case v.Request.Kind == SitemapKind:
		s.readSitemap(v, at)
	case v.Page.IsHTML():
		s.readHTML(v, at)
	default:
		links := s.newLinkSet(v.Links)
		s.onPage(v, at, nil, links)
		v.take(links)
	}
	s.onRecords(v)
}

func (s *session) readHTML(v *Visit, at weburl.URL) {
	parse := htmlparse.ParseBytes
	if s.opts.OnPage == nil { // else the program might keep the document
		parser := s.takeParser()
		defer s.giveBack(parser)
		parse = parser.ParseBytes
	}
	doc, err := parse(v.Page.Body, &htmlparse.Options{ContentType: v.Page.ContentType})
	if err != nil {
		v.fail(ReasonParse, err.Error())
		return
	}
	v.Page.Encoding = doc.Encoding

	if s.loggedOut(v, doc.Root) {
		return
	}
	v.Page.Canonical = canonical(doc.Root, at)
	if !s.opts.Health.Off {
		v.Outline = outline(at, doc.Root)
	}
	asks := s.directives(v.Page.Header, doc.Root)
	links := s.newLinkSet(v.Links)
	links.addPage(v.Page.Header, doc.Root, at, v.Request.Depth+1, asks.nofollow)

	if s.opts.Recrawl.Policy == RecrawlAdaptive {
		v.text = hashText(doc.Root)
	}
	if s.opts.Extractor != nil {
		page, err := extractPage(v.Request.URL, v.Page, doc)
		if err != nil {
			v.fail(ReasonParse, err.Error())
			return
		}
		result := s.opts.Extractor.Extract(page)
		v.Records, v.Rejects = result.Records, result.Rejects
	}
	s.onPage(v, at, doc, links)
	v.take(links)
	v.Trap = s.watch.learn(at, doc.Root, len(v.Records) > 0)
	if n := len(v.Records) + len(v.Rejects); asks.noindex && n > 0 {
		v.Page.Warnings = append(v.Page.Warnings, fmt.Sprintf("records not kept: %d, the page says noindex", n))
		v.Records, v.Rejects = nil, nil
	}
}

func (s *session) readSitemap(v *Visit, at weburl.URL) {
	m := sitemap.Parse(v.Page.Body, at)
	v.Page.Warnings = append(v.Page.Warnings, m.Warnings...)
	if m.Format == sitemap.Unknown {
		v.fail(ReasonParse, "no sitemap: "+strings.Join(m.Warnings, ", "))
		return
	}
	links := s.newLinkSet(v.Links)
	links.addSitemap(m, v.Request.Depth)
	v.take(links)
}

// take makes the links the visit's.
func (v *Visit) take(links *linkSet) {
	if v.State != Done {
		return // a hook has failed
	}
	v.Links = links.links
	v.Page.Warnings = append(v.Page.Warnings, links.warnings()...)
}

// failPanic gives the visit's URL up after a panic.
func (v *Visit) failPanic(p any) {
	v.failWhole(ReasonPanic, fmt.Sprintf("%v\n%s", p, debug.Stack()))
}

// IsHTML says that the body is to be parsed: the server calls it HTML, or says
// nothing and it looks like HTML.
func (p *Page) IsHTML() bool {
	kind, _, _ := strings.Cut(p.ContentType, ";") // whatever is wrong with its parameters
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "text/html", "application/xhtml+xml":
		return true
	case "":
		return strings.HasPrefix(http.DetectContentType(p.Body), "text/html")
	}
	return false
}
