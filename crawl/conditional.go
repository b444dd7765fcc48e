package crawl

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// maxValidator bounds the validators that are kept: what is longer is no help.
const maxValidator = 1 << 10

// condition returns the header fields that make a request conditional on the
// stored response being out of date (RFC 9110, section 13), nil without one. A
// retry asks without condition: whatever went wrong, it cannot be for what is
// believed to be stored.
// https://www.rfc-editor.org/rfc/rfc9110#section-13.1
func (s *session) condition(r Request) http.Header {
	p := r.Past
	if p == nil || r.Attempts > 0 || s.opts.Recrawl.Policy == RecrawlFull || p.ETag == "" && p.LastModified == "" {
		return nil
	}
	h := http.Header{}
	if p.ETag != "" {
		h.Set("If-None-Match", p.ETag)
	}
	if p.LastModified != "" {
		h.Set("If-Modified-Since", p.LastModified)
	}
	return h
}

// validators are those of a response that a later request can refer to. Of one
// that was not received whole and well there are none, or it would stay as it
// is for ever.
func validators(p *Page, well bool) (etag, lastModified string) {
	if p.Status != http.StatusOK && !p.NotModified || p.Truncated || !well {
		return "", ""
	}
	if etag = p.Header.Get("Etag"); len(etag) > maxValidator || strings.Trim(etag, `W/" `) == "" {
		etag = ""
	}
	if lastModified = p.Header.Get("Last-Modified"); !settled(lastModified, p.Header.Get("Date")) {
		lastModified = ""
	}
	return etag, lastModified
}

// settled says that a modification time can tell versions apart: it has whole
// seconds, so the response could have changed again in the one it was made in.
// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.2.2
func settled(lastModified, date string) bool {
	modified, err := http.ParseTime(lastModified)
	if err != nil {
		return false
	}
	answered, err := http.ParseTime(date)
	return err == nil && answered.Sub(modified) >= time.Second
}

// notModified puts the stored response in the place of an answer that says it
// is still good. It returns false where the answer cannot mean that: nothing
// was asked, it speaks of another version, or the response is lost.
func (f *fetcher) notModified(ctx context.Context, v *Visit, asked http.Header) bool {
	answer := v.Page
	if asked == nil || !sameVersion(asked.Get("If-None-Match"), answer.Header.Get("Etag")) {
		return false
	}
	stored, err := f.run.StoredPage(ctx, v.Request.ID)
	if err != nil {
		return false
	}
	v.Page = stored
	v.Page.FetchedAt, v.Page.Duration, v.Page.Status = answer.FetchedAt, answer.Duration, answer.Status
	v.Page.NotModified = true
	freshen(v.Page.Header, answer.Header)
	return true
}

// sameVersion compares entity tags weakly; one that is missing says nothing.
// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2
func sameVersion(asked, answered string) bool {
	if asked == "" || answered == "" {
		return true
	}
	return strings.TrimPrefix(asked, "W/") == strings.TrimPrefix(answered, "W/")
}

// freshen brings the header of a stored response up to date with that of a
// 304, but for what describes the stored body.
// https://www.rfc-editor.org/rfc/rfc9111#section-3.2
func freshen(stored, answer http.Header) {
	for name, values := range answer {
		switch name {
		case "Content-Length", "Content-Encoding", "Content-Type", "Content-Range", "Connection", "Keep-Alive", "Transfer-Encoding", "Trailer", "Upgrade":
		default:
			stored[name] = values
		}
	}
}
