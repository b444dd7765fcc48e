package warc

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"strings"
	"time"
)

// Place is where a record stands in a list of files.
type Place struct {
	File   int
	Offset int64
}

// Index knows where the records stand that revisits may refer to. It keeps some
// fifty bytes for each of up to three names of a record, and takes no more once
// it has maxNames. The zero value is empty.
type Index struct{ places map[indexKey]Place }

// maxNames bounds an Index to a few hundred megabytes.
const maxNames = 6 << 20

// indexKey is the digest of a record's name.
type indexKey [16]byte

// Add takes note of where a response stands, or what a revisit refers to.
func (x *Index) Add(r *Record, at Place) {
	if x.places == nil {
		x.places = map[indexKey]Place{}
	}
	for _, key := range []indexKey{
		nameKey("id", bare(r.Header.Get("WARC-Record-ID"))),
		captureKey(r.TargetURI(), r.Date()),
		nameKey("payload", normalDigest(r.Header.Get("WARC-Payload-Digest"))),
	} {
		if _, known := x.places[key]; key != (indexKey{}) && !known && len(x.places) < maxNames {
			x.places[key] = at
		}
	}
}

// Find returns where the record stands that a revisit record refers to.
func (x *Index) Find(revisit *Record) (at Place, ok bool) {
	h := revisit.Header
	keys := []indexKey{
		nameKey("id", bare(h.Get("WARC-Refers-To"))),
		captureKey(bare(h.Get("WARC-Refers-To-Target-URI")), parseDate(h.Get("WARC-Refers-To-Date"))),
	}
	if strings.Contains(h.Get("WARC-Profile"), "identical-payload-digest") {
		keys = append(keys, nameKey("payload", normalDigest(h.Get("WARC-Payload-Digest"))))
	}
	for _, key := range keys {
		if at, ok := x.places[key]; ok && key != (indexKey{}) {
			return at, true
		}
	}
	return Place{}, false
}

// nameKey is the key of a name of some kind, zero for none.
func nameKey(kind, name string) indexKey {
	if name == "" {
		return indexKey{}
	}
	sum := sha256.Sum256([]byte(kind + " " + name))
	return indexKey(sum[:16])
}

// captureKey is the key of what was fetched from a URL at a time.
func captureKey(uri string, date time.Time) indexKey {
	if uri == "" || date.IsZero() {
		return indexKey{}
	}
	return nameKey("capture", date.UTC().Format(time.RFC3339Nano)+" "+uri)
}

// normalDigest writes a digest in one way, however it is spelled: SHA-1 is
// common in base 32 and in base 16.
func normalDigest(digest string) string {
	label, value, ok := strings.Cut(digest, ":")
	if !ok {
		return ""
	}
	if label = strings.ToLower(label); label == "sha1" || label == "sha-1" {
		if sum, err := hex.DecodeString(value); err == nil && len(sum) == sha1.Size {
			return FormatDigest(sum)
		}
		if sum, err := base32.StdEncoding.DecodeString(strings.ToUpper(value)); err == nil {
			return FormatDigest(sum)
		}
	}
	return label + ":" + value
}
