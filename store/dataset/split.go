package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
)

// Split is a part of an export: train, validation, test.
type Split struct {
	Name   string
	Weight int // its share, of the sum of all weights
}

var splitName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// ParseSplits reads parts such as "train=80,validation=10,test=10".
func ParseSplits(text string) ([]Split, error) {
	var splits []Split
	for part := range strings.SplitSeq(text, ",") {
		name, weight, ok := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(weight)
		if !ok || err != nil || n < 1 || n > 1_000_000 {
			return nil, fmt.Errorf("%q is no part with its share: write train=80,validation=10,test=10", part)
		}
		splits = append(splits, Split{name, n})
	}
	return splits, CheckSplits(splits)
}

// CheckSplits says what is wrong with parts.
func CheckSplits(splits []Split) error {
	seen := map[string]bool{}
	for _, s := range splits {
		switch {
		case !splitName.MatchString(s.Name):
			return fmt.Errorf("a part cannot be called %q: use small letters, digits and _", s.Name)
		case seen[s.Name]:
			return fmt.Errorf("part %q is named twice", s.Name)
		case s.Weight < 1:
			return fmt.Errorf("the share of part %q must be at least 1", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// PartOf is the place of the part that a record belongs to. It hangs on the
// item, the key and the shares alone: the record is in the same part of each
// later export, whatever else there is.
func PartOf(splits []Split, item, key string) int {
	if len(splits) < 2 {
		return 0
	}
	total := 0
	for _, s := range splits {
		total += s.Weight
	}
	sum := sha256.Sum256([]byte(item + "\x00" + key))
	at, _ := bits.Mul64(binary.BigEndian.Uint64(sum[:8]), uint64(total)) // from 0 to total-1
	for i, s := range splits {
		if at < uint64(s.Weight) {
			return i
		}
		at -= uint64(s.Weight)
	}
	return len(splits) - 1
}
