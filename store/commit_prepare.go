package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/internal/body"
)

// prepared is a visit in the form in which it is stored. It is made before
// the transaction, on all processors: hashing, compressing and encoding cost
// more than writing.
type prepared struct {
	*crawl.Visit
	links    []urlHash
	page     *preparedPage
	records  []preparedRecord
	rejects  []preparedRecord
	robots   *body.Body // nil: no rules
	unstored error      // why the visit cannot be kept
}

type preparedPage struct {
	headers  string
	warnings any // string, or nil for NULL
	body     body.Body
}

type preparedRecord struct {
	*extract.Record
	data string
	hash [16]byte // of data
}

func (r *run) prepare(visits []*crawl.Visit) []prepared {
	batch := make([]prepared, len(visits))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(len(visits), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(visits)); i = next.Add(1) - 1 {
				batch[i] = r.prepareVisit(visits[i])
			}
		})
	}
	workers.Wait()
	return batch
}

func (r *run) prepareVisit(v *crawl.Visit) prepared {
	p := prepared{Visit: v}
	if v.Robots != nil && len(v.Robots.Body) > 0 {
		b := body.Pack(v.Robots.Body)
		p.robots = &b
	}
	if v.State == crawl.Pending {
		return p // of a try that is to be repeated, nothing is kept
	}
	p.links = make([]urlHash, len(v.Links))
	for i := range v.Links {
		p.links[i] = hashURL(r.jobID, v.Links[i].URL)
	}
	var err error
	if v.Page != nil {
		if p.page, err = preparePage(v.Page, r.keep); err != nil {
			return unstored(v, err)
		}
	}
	if p.records, err = prepareRecords(v.Records); err != nil {
		return unstored(v, err)
	}
	if p.rejects, err = prepareRecords(v.Rejects); err != nil {
		return unstored(v, err)
	}
	return p
}

// unstored is what is committed in place of a visit that cannot be kept, so
// that it costs its page and not the crawl.
func unstored(v *crawl.Visit, err error) prepared {
	return prepared{unstored: err, Visit: &crawl.Visit{
		Request: v.Request, State: crawl.Failed, Reason: crawl.ReasonStore, Detail: err.Error()}}
}

func preparePage(page *crawl.Page, keep crawl.KeepPolicy) (*preparedPage, error) {
	p := &preparedPage{}
	switch {
	case keep == crawl.KeepNone:
		p.body = body.Drop(page.Body)
	case page.NotModified: // it came from the store: there is no need to compress it again
		p.body = body.Body{Hash: sha256.Sum256(page.Body), Size: len(page.Body), Source: page.Body}
	default:
		p.body = body.Pack(page.Body)
	}
	headers, err := encodeJSON(page.Header)
	if err != nil {
		return nil, err
	}
	p.headers = headers
	if page.Header == nil {
		p.headers = "{}"
	}
	if len(page.Warnings) > 0 {
		if p.warnings, err = encodeJSON(page.Warnings); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func prepareRecords(records []extract.Record) ([]preparedRecord, error) {
	var e recordEncoder
	return e.prepare(records)
}

// recordEncoder prepares records. It uses its memory again.
type recordEncoder struct{ buf []byte }

func (e *recordEncoder) prepare(records []extract.Record) ([]preparedRecord, error) {
	out := make([]preparedRecord, len(records))
	for i := range records {
		data, err := records[i].Fields.AppendJSON(e.buf[:0])
		if err != nil {
			return nil, err
		}
		e.buf = data
		if records[i].Fields == nil {
			data = []byte("{}")
		}
		sum := sha256.Sum256(data)
		out[i] = preparedRecord{Record: &records[i], data: string(data), hash: [16]byte(sum[:16])}
	}
	return out, nil
}

// encodeJSON is json.Marshal without escapes for HTML, which would make the
// database harder to read and to search.
func encodeJSON(v any) (string, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}
