package warc

import "crypto/sha1"

const (
	// minRevisit is the size in bytes from which on a payload is not written
	// again: a record that refers to it takes some room too.
	minRevisit = 1 << 10

	maxOriginals = 1 << 16 // a few hundred bytes each
)

// Originals are the payloads that were written last, some ten thousand of them,
// so that what comes again can refer to them. The zero value knows none.
type Originals struct {
	records map[[sha1.Size]byte]original
	order   [][sha1.Size]byte // in which they were written, from oldest on
	oldest  int
}

// original is what a revisit tells of the record that it refers to.
type original struct{ id, uri, date string }

// Add takes note of a response record with its ID, whose payload has a SHA-1
// and a size in bytes.
func (o *Originals) Add(sum []byte, size int64, id string, h Header) {
	if size < minRevisit || len(sum) != sha1.Size {
		return
	}
	key := [sha1.Size]byte(sum)
	if _, known := o.records[key]; known {
		return
	}
	switch {
	case o.records == nil:
		o.records = map[[sha1.Size]byte]original{}
		fallthrough
	case len(o.order) < maxOriginals:
		o.order = append(o.order, key)
	default:
		delete(o.records, o.order[o.oldest])
		o.order[o.oldest] = key
		o.oldest = (o.oldest + 1) % maxOriginals
	}
	o.records[key] = original{id, h.Get("WARC-Target-URI"), h.Get("WARC-Date")}
}

// Revisit returns the fields of a record that refers to an earlier one with the
// same payload, WARC-Type included; nil if there is none. The record's block is
// the head of the response alone.
// https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#profile-identical-payload-digest
func (o *Originals) Revisit(sum []byte, size int64) Header {
	if size < minRevisit || len(sum) != sha1.Size {
		return nil
	}
	before, ok := o.records[[sha1.Size]byte(sum)]
	if !ok {
		return nil
	}
	return Header{
		{"WARC-Type", TypeRevisit},
		{"WARC-Profile", ProfileIdentical},
		{"WARC-Refers-To", before.id},
		{"WARC-Refers-To-Target-URI", before.uri},
		{"WARC-Refers-To-Date", before.date},
		{"WARC-Payload-Digest", FormatDigest(sum)},
		{"WARC-Truncated", "length"},
	}
}
