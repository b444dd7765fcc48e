package crawl

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/crawl/weburl"
	"github.com/magpie-crawl/magpie/htmlparse"
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

// read takes links and records from a visit's response. A panic on the way
// costs this page and no other.
func (s *session) read(v *Visit) {
	defer func() {
		if p := recover(); p != nil {
			v.failPanic(p)
		}
	}()
	if v.State != Done || v.Page == nil || v.Page.Location != "" {
		return
	}
	at, err := weburl.Parse(v.Request.URL)
	switch {
	case err != nil:
		v.fail(ReasonParse, err.Error())
	case v.Request.Kind == SitemapKind:
		s.readSitemap(v, at)
	case isHTML(v.Page):
		s.readHTML(v, at)
	default:
		s.onPage(v, at, nil, s.newLinkSet(v.Links))
	}
	s.onRecords(v)
}

func (s *session) readHTML(v *Visit, at weburl.URL) {
	doc, err := htmlparse.ParseBytes(v.Page.Body, &htmlparse.Options{ContentType: v.Page.ContentType})
	if err != nil {
		v.fail(ReasonParse, err.Error())
		return
	}
	v.Page.Encoding = doc.Encoding

	links := s.newLinkSet(v.Links)
	links.addPage(doc.Root, at, v.Request.Depth+1)
	v.take(links)

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
	v.Links = links.links
	if w := links.warning(); w != "" {
		v.Page.Warnings = append(v.Page.Warnings, w)
	}
}

// failPanic gives the visit's URL up after a panic.
func (v *Visit) failPanic(p any) {
	v.failWhole(ReasonPanic, fmt.Sprintf("%v\n%s", p, debug.Stack()))
}

// isHTML says that a body is to be parsed: the server calls it HTML, or says
// nothing and it looks like HTML.
func isHTML(p *Page) bool {
	kind, _, err := mime.ParseMediaType(p.ContentType)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(p.ContentType)), ";")
	}
	switch kind {
	case "text/html", "application/xhtml+xml":
		return true
	case "":
		return strings.HasPrefix(http.DetectContentType(p.Body), "text/html")
	}
	return false
}
