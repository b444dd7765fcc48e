package dataset

import (
	"bytes"
	"crypto/sha256"

	"github.com/magpie-crawl/magpie/crawl/simhash"
)

// Dedup says which records are left out as duplicates of one before them.
type Dedup string

// Ways to leave out duplicates.
const (
	KeepAll   Dedup = ""
	DropExact Dedup = "exact" // those whose fields have the same values
	DropNear  Dedup = "near"  // also those whose texts say nearly the same
)

// Texts of fewer words are too short for fingerprints to tell which are nearly
// the same: of such records exact duplicates alone are left out.
const nearWords = 12

// nearDistance is that of Manku, Jain, Das Sarma (2007).
const nearDistance = 3

// Duplicates remembers records: about 40 bytes of each, and 60 more where near
// ones are looked for.
type Duplicates struct {
	schema Schema
	near   bool
	member *members
	exact  map[[16]byte]struct{}
	sums   []uint64
	blocks [4]map[uint16][]uint32 // places in sums by each quarter of a sum: two that differ in 3 bits agree in one
}

// NewDuplicates returns an empty memory; nil, which has no duplicates, for
// KeepAll.
func NewDuplicates(s Schema, how Dedup) *Duplicates {
	if how == KeepAll {
		return nil
	}
	d := &Duplicates{schema: s, near: how == DropNear, member: newMembers(s.fieldNames()...), exact: map[[16]byte]struct{}{}}
	for i := range d.blocks {
		d.blocks[i] = map[uint16][]uint32{}
	}
	return d
}

// Seen tells whether a record is a duplicate of one that was asked about
// before; if it is not, it is remembered.
func (d *Duplicates) Seen(r *Record) (bool, error) {
	if d == nil {
		return false, nil
	}
	if err := d.member.read(r.Data); err != nil {
		return false, recordError(r, err)
	}
	sum := d.sum()
	if _, seen := d.exact[sum]; seen {
		return true, nil
	}
	if d.near {
		if near, ok := d.fingerprint(); ok && d.nearSeen(near) {
			return true, nil
		}
	}
	d.exact[sum] = struct{}{}
	return false, nil
}

// sum is that of the fields that are exported; metadata does not count.
func (d *Duplicates) sum() (short [16]byte) {
	h := sha256.New()
	for i, f := range d.schema.Fields {
		if !f.Meta {
			h.Write(d.member.values[i])
			h.Write([]byte{0}) // no JSON has it
		}
	}
	copy(short[:], h.Sum(nil))
	return short
}

// fingerprint is that of the record's texts; ok is false if they are short.
func (d *Duplicates) fingerprint() (sum uint64, ok bool) {
	var b simhash.Builder
	for i, f := range d.schema.Fields {
		switch f.Type {
		case Text, HTML, MarkdownText:
			if s, ok := text(d.member.values[i]); ok && !f.Meta {
				for word := range bytes.FieldsSeq(s) {
					b.Add(view(bytes.ToLower(word)))
				}
			}
		}
	}
	return b.Sum(), b.Words() >= nearWords
}

func (d *Duplicates) nearSeen(sum uint64) bool {
	for i, block := range d.blocks {
		for _, at := range block[uint16(sum>>(16*i))] {
			if simhash.Distance(sum, d.sums[at]) <= nearDistance {
				return true
			}
		}
	}
	for i, block := range d.blocks {
		quarter := uint16(sum >> (16 * i))
		block[quarter] = append(block[quarter], uint32(len(d.sums)))
	}
	d.sums = append(d.sums, sum)
	return false
}
