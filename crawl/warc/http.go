package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/crawl/fetch"
)

const (
	maxHead    = 1 << 20 // length of the header of an HTTP message
	maxInterim = 16      // responses before the response

	// maxChunkLine is how long the line may be with which a chunk begins, its
	// extensions included, for a body to be taken for chunked.
	maxChunkLine = 256
)

// Response is the HTTP response of a record.
type Response struct {
	Status    int
	Header    http.Header
	Body      []byte   // transfer- and content-codings undone
	Truncated bool     // the body was cut, here or when it was archived
	Warnings  []string // faults that did not cost the response
}

// Response reads the block of a response record, or that of a resource record,
// which has no more than a body and its type. Codings are undone that its
// header tells of, unless the block shows that they were undone when it was
// archived, as crawlers do that keep what they have parsed. At most limit bytes
// of the body are kept.
func (r *Record) Response(limit int64) (*Response, error) {
	br := bufio.NewReader(r.Block)
	status, header := http.StatusOK, http.Header{"Content-Type": {r.Header.Get("Content-Type")}}
	if r.Type() != TypeResource {
		var err error
		if status, header, err = readHead(br); err != nil {
			return nil, fmt.Errorf("HTTP header: %w", err)
		}
	}
	out := &Response{Status: status, Header: header, Truncated: r.Header.Get("WARC-Truncated") != ""}
	var body io.Reader = br
	if strings.Contains(strings.ToLower(header.Get("Transfer-Encoding")), "chunked") && looksChunked(br) {
		body = httputil.NewChunkedReader(br)
	}
	d, err := fetch.Decode(body, header, limit)
	out.Body, out.Warnings = d.Body, d.Warnings
	out.Truncated = out.Truncated || d.Truncated
	if err != nil { // what there is counts: archives cut what is long
		out.Truncated = true
		out.Warnings = append(out.Warnings, err.Error())
	}
	return out, nil
}

// readHead reads the status line and the header of a response. Those of interim
// responses before it are passed over.
// https://www.rfc-editor.org/rfc/rfc9110#section-15.2
func readHead(br *bufio.Reader) (status int, header http.Header, err error) {
	for range maxInterim {
		status, header, err = readOneHead(br)
		if err != nil || status < 100 || status > 199 {
			return status, header, err
		}
	}
	return 0, nil, fmt.Errorf("more than %d interim responses", maxInterim)
}

func readOneHead(br *bufio.Reader) (status int, header http.Header, err error) {
	var raw bytes.Buffer
	for {
		line, err := br.ReadSlice('\n')
		if raw.Len()+len(line) > maxHead {
			return 0, nil, fmt.Errorf("longer than %d bytes", maxHead)
		}
		raw.Write(line)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			return 0, nil, unexpected(err)
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 && raw.Len() > len(line) {
			break
		}
	}
	lines := strings.Split(strings.ReplaceAll(raw.String(), "\r\n", "\n"), "\n")
	proto, rest, _ := strings.Cut(lines[0], " ")
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	status, err = strconv.Atoi(code)
	if !strings.HasPrefix(proto, "HTTP/") || err != nil {
		return 0, nil, errors.New("no status line")
	}
	header = http.Header{}
	last := ""
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		switch {
		case line == "":
		case (line[0] == ' ' || line[0] == '\t') && last != "":
			values := header[last]
			values[len(values)-1] += " " + strings.TrimSpace(line)
		case ok: // what is no field is passed over, as browsers do
			last = http.CanonicalHeaderKey(strings.TrimSpace(name))
			header[last] = append(header[last], strings.TrimSpace(value))
		}
	}
	return status, header, nil
}

// looksChunked says that a body begins as the chunked coding does: with a
// length in hexadecimal digits.
func looksChunked(br *bufio.Reader) bool {
	head, _ := br.Peek(maxChunkLine)
	line, _, ok := bytes.Cut(head, []byte("\n"))
	size, _, _ := bytes.Cut(bytes.TrimRight(line, "\r"), []byte(";"))
	_, err := strconv.ParseUint(strings.TrimSpace(string(size)), 16, 64)
	return ok && err == nil
}
