package crawl

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/weburl"
)

// ProblemHook is the code of the problem that OnRecord refused a record.
const ProblemHook = "hook"

// Outgoing is a request that is about to be sent.
type Outgoing struct {
	Request             // what is known of the URL; to be read alone
	Header  http.Header // sent beside the fields of every request, in place of those of the same name; empty at first

	skip string
}

// Skip keeps the request from being sent: its URL is skipped for ReasonHook,
// which why explains to people.
func (o *Outgoing) Skip(why string) {
	if o.skip = why; why == "" {
		o.skip = "by the program"
	}
}

// onRequest asks the hook about a request. header is what it wants sent; send
// is false if the visit is settled without a request.
func (s *session) onRequest(v *Visit) (header http.Header, send bool) {
	if s.opts.OnRequest == nil {
		return nil, true
	}
	out := &Outgoing{Request: v.Request, Header: http.Header{}}
	err := s.opts.OnRequest(out)
	switch {
	case err != nil:
		v.fail(ReasonHook, err.Error())
	case out.skip != "":
		v.State, v.Reason, v.Detail = Skipped, ReasonHook, out.skip
		v.Links = nil
	default:
		return out.Header, true
	}
	return nil, false
}

// withHeader returns header with the fields of more in place of those of the
// same name.
func withHeader(header, more http.Header) http.Header {
	if len(more) == 0 {
		return header
	}
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	for name, values := range more {
		header[http.CanonicalHeaderKey(name)] = values
	}
	return header
}

// Fields are the values of a record that PageVisit.Save keeps, by the names of
// the item's fields.
type Fields map[string]any

// PageVisit is a page in the hands of OnPage: the request, the response, and
// the document where the response is HTML. Its Root is a *html.Node, on which
// goquery and the like work too. It must not be used after OnPage has returned.
type PageVisit struct {
	Request                      // how the page was come by; to be read alone
	*Page                        // the response; to be read alone
	Document *htmlparse.Document // nil: the page is no HTML

	session  *session
	at       weburl.URL
	links    *linkSet
	records  []extract.Record
	rejects  []extract.Record
	position map[string]int // of the next record, by item
	errs     []error
}

// Follow adds a link to ref, which may be relative to the page. It is judged
// like every link: it is recorded as skipped when it is out of scope, and
// fetched once however often it is found; nofollow does not count. A page follows the links that
// Options.Follow says besides; set that to an empty list to follow these alone.
func (p *PageVisit) Follow(ref string) {
	base := p.at
	if p.Document != nil {
		base = documentBase(p.Document.Root, p.at)
	}
	p.links.add(base, ref, PageKind, p.Depth+1, "")
}

// FollowAll adds the links of the elements that match css, or that are below
// one that does.
func (p *PageVisit) FollowAll(css string) {
	for _, e := range p.Select(css) {
		refs := references(e.Node)
		if len(refs) == 0 {
			for inner := range elements(e.Node) {
				if p.session.navigates(inner) {
					refs = append(refs, references(inner)...)
				}
			}
		}
		for _, ref := range refs {
			p.Follow(ref)
		}
	}
}

// Save keeps a record with the page, as if the Extractor had taken it: it has
// a key and a history, and what is wrong with it is a problem of the record or
// makes it a reject. item is one of Options.Items; see extract.Extractor.Given
// for the values. What is wrong with the call itself, such as a field that the
// item does not have, fails the page.
func (p *PageVisit) Save(item string, fields Fields) {
	page, err := extractPage(p.URL, p.Page, p.Document)
	if err != nil {
		p.errs = append(p.errs, err)
		return
	}
	if p.session.saved == nil {
		p.errs = append(p.errs, fmt.Errorf("save %s: Options.Items is empty", item))
		return
	}
	r, complete, err := p.session.saved.Given(page, item, p.position[item], fields)
	if err != nil {
		p.errs = append(p.errs, fmt.Errorf("save: %w", err))
		return
	}
	p.position[item]++
	if complete {
		p.records = append(p.records, r)
	} else {
		p.rejects = append(p.rejects, r)
	}
}

// extractPage is a page as package extract wants it; doc may be nil.
func extractPage(rawURL string, p *Page, doc *htmlparse.Document) (extract.Page, error) {
	u, err := netURL(rawURL)
	page := extract.Page{URL: u, Lang: p.Header.Get("Content-Language"), Header: p.Header, FetchedAt: p.FetchedAt}
	if doc != nil {
		page.Root = doc.Root
	}
	return page, err
}

// netURL is a canonical URL as package net/url has it. The path of one that it
// would refuse, such as "/100%", is taken to the letter.
func netURL(canonical string) (*url.URL, error) {
	u, err := url.Parse(canonical)
	if err == nil {
		return u, nil
	}
	w, err := weburl.Parse(canonical)
	if err != nil {
		return nil, err
	}
	u = &url.URL{Scheme: w.Scheme(), Host: w.Host(), Path: w.Path()}
	_, u.RawQuery, _ = strings.Cut(w.RequestURI(), "?")
	return u, nil
}

// onPage shows a fetched page to the hook and adds what comes of it to the
// visit. doc is nil for a page that is no HTML.
func (s *session) onPage(v *Visit, at weburl.URL, doc *htmlparse.Document, links *linkSet) {
	if s.opts.OnPage == nil {
		return
	}
	p := &PageVisit{
		Request: v.Request, Page: v.Page, Document: doc,
		session: s, at: at, links: links, position: map[string]int{},
	}
	if err := errors.Join(append([]error{s.opts.OnPage(p)}, p.errs...)...); err != nil {
		v.failWhole(ReasonHook, err.Error())
		return
	}
	v.Records = append(v.Records, p.records...)
	v.Rejects = append(v.Rejects, p.rejects...)
}

// onRecords shows the visit's records to the hook.
func (s *session) onRecords(v *Visit) {
	if s.opts.OnRecord == nil || v.State != Done {
		return
	}
	kept := v.Records[:0]
	for i := range v.Records {
		r := v.Records[i]
		if err := s.opts.OnRecord(&r); err != nil {
			r.Problems = append(r.Problems, extract.Problem{Code: ProblemHook, Detail: err.Error()})
			v.Rejects = append(v.Rejects, r)
			continue
		}
		kept = append(kept, r)
	}
	v.Records = kept
}

// onError tells the hook of a try that failed.
func (s *session) onError(v *Visit) {
	if s.opts.OnError == nil || v.State != Failed && v.State != Pending || v.putOff() {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			v.failPanic(p)
		}
	}()
	s.opts.OnError(v)
}

// onVisit tells the hook of a visit that was stored.
func (s *session) onVisit(v *Visit) (err error) {
	if s.opts.OnVisit == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("OnVisit panicked: %v\n%s", p, debug.Stack())
		}
	}()
	s.opts.OnVisit(v)
	return nil
}

// failWhole gives the visit's URL up, with all that came of the page but the
// response.
func (v *Visit) failWhole(reason Reason, detail string) {
	v.Links, v.Records, v.Rejects = nil, nil, nil
	v.fail(reason, detail)
}
