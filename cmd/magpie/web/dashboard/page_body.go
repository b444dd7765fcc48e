package dashboard

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/download"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/store"
)

// pageBody sends a stored body as a file: of no type that a browser would show,
// and if one showed it all the same, without rights.
func (d *dashboard) pageBody(w http.ResponseWriter, r *http.Request) {
	r, cancel := bounded(r)
	defer cancel()
	q := r.URL.Query()
	run, _ := runOf(q)
	p, err := d.pageOf(r.Context(), r.PathValue("job"), q.Get("url"), run)
	var body []byte
	if err == nil {
		select { // a body may be large, and is in memory as a whole
		case sending <- struct{}{}:
			defer func() { <-sending }()
			body, err = d.body(r.Context(), p, 0)
		case <-r.Context().Done():
			err = r.Context().Err()
		}
	}
	if errors.Is(err, store.ErrNotKept) || errors.Is(err, errNoResponse) {
		err = &refusal{Status: http.StatusNotFound, Text: words.Sentence(err.Error())}
	}
	if err != nil {
		d.fail(w, r, err)
		return
	}
	download.SetHeaders(w.Header(), bodyName(p))
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	out := newPatient(w)
	defer out.done()
	out.Write(body) // whoever asked may be gone
}

// bodyName names the file of a body after the host and the path, in letters
// that every system takes.
func bodyName(p *store.Page) string {
	u, err := url.Parse(p.URL)
	if err != nil {
		return "body.bin"
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, strings.Trim(u.Host+u.Path, "/"))
	return strings.TrimLeft(name[:min(len(name), 80)], ".") + ".body"
}
