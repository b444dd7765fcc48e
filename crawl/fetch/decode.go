package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Decoded is a body whose content-codings are undone.
type Decoded struct {
	Body      []byte
	Truncated bool     // it was cut at the limit
	Warnings  []string // codings that were not as they are said to be
}

// Decode reads a body that was fetched earlier and undoes the content-codings
// that its header tells of, keeping at most limit bytes. A body that does not
// have a coding it claims is kept as it is. After an error the Body is what
// there was before it.
func Decode(r io.Reader, header http.Header, limit int64) (Decoded, error) {
	out := &Response{}
	codings, unknown := contentCodings(header["Content-Encoding"])
	if unknown != "" {
		out.warn("unknown content-coding %.40q, the body is kept as sent", unknown)
		codings = nil
	}
	if len(codings) > maxCodings {
		return Decoded{}, fmt.Errorf("%d content-codings, one on the other", len(codings))
	}
	decoded, release := decode(r, codings, limit, out)
	defer release()
	body, err := new(buffer).read(decoded, limit, nil)
	d := Decoded{Body: body, Warnings: out.Warnings}
	switch {
	case errors.Is(err, errLimit):
		d.Truncated = true
	case err != nil:
		return d, fmt.Errorf("read body with content-coding %q: %w", strings.Join(codings, ", "), err)
	}
	return d, nil
}
