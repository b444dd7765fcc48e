package search

import (
	"encoding/binary"
	"errors"
	"math"
)

// MatchInfo is the format of SQLite's matchinfo() that Score reads: phrases,
// columns, rows, average lengths, lengths, hits.
const MatchInfo = "pcnalx"

// The usual constants of BM25: how soon more hits say nothing more, and how
// much the length of a text counts.
const (
	saturation = 1.2
	lengthness = 0.75
)

// Score returns how well a row matches, the higher the better, by BM25:
// https://en.wikipedia.org/wiki/Okapi_BM25
//
// info is the result of matchinfo() for the row in the format of MatchInfo, see
// https://www.sqlite.org/fts3.html#matchinfo. A term's hits in all columns
// count as one.
func Score(info []byte) (float64, error) {
	if len(info) < 8 || len(info)%4 != 0 {
		return 0, errMatchInfo
	}
	at := func(i int) float64 { return float64(binary.NativeEndian.Uint32(info[4*i:])) }
	phrases, columns := int(at(0)), int(at(1))
	// After the two counts: rows, then the two lists of lengths, then three figures
	// for each phrase and column.
	hits := 3 + 2*columns
	if columns < 1 || len(info)/4 != hits+3*phrases*columns {
		return 0, errMatchInfo
	}
	rows, average, length := at(2), max(at(3), 1), at(3+columns)
	score := 0.0
	for p := range phrases {
		var here, containing float64
		for c := range columns {
			i := hits + 3*(p*columns+c)
			here += at(i)
			containing = max(containing, at(i+2))
		}
		rarity := math.Log(1 + (rows-containing+0.5)/(containing+0.5))
		score += rarity * here * (saturation + 1) / (here + saturation*(1-lengthness+lengthness*length/average))
	}
	return score, nil
}

var errMatchInfo = errors.New("matchinfo() gave something else than was asked for")
