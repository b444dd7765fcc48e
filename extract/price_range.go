package extract

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var errRange = errors.New("is a range whose ends don't fit each other")

// rangeWords stand between the ends of a range.
var rangeWords = setOf(`- – ~ 〜 to bis до až do til till tot upto until jusqu'à à hasta até fino ila έως ως から 至 到 ถึง đến hingga sampai s/d ∼ --`)

// pairedWords stand between the ends of a range only where one of the words
// they are listed with stands before the first.
var pairedWords = map[string][]string{
	"a": {"de", "desde", "da"}, "and": {"between"}, "und": {"zwischen"}, "et": {"entre"}, "y": {"entre"}, "e": {"entre", "tra", "fra"},
	"och": {"mellan"}, "og": {"mellem", "mellom"}, "en": {"tussen"}, "и": {"между"}, "au": {"de", "du"}, "la": {"de"}, "і": {"між"}, "i": {"między", "entre", "između"},
}

// beforeRanges are words that may stand before the first end of a range that
// has no currency beside it: after another word, the number may be part of a
// name.
var beforeRanges = setOf(`from von ab de desde du entre between zwischen от від od da fra från van vanaf mellan mellem mellom tussen między tra price prices preis preise prix precio
 preço prezzo цена ціна cena ár pris prijs hinta fiyat giá harga ราคา 価格 价格 가격 السعر approx ca circa about etwa rund total`)

// joinRanges makes one amount of the two ends of each range.
func joinRanges(s string, amounts []amount) ([]amount, error) {
	joined := amounts[:0]
	for i := 0; i < len(amounts); i++ {
		a := amounts[i]
		if i+1 < len(amounts) && isRange(s, a, amounts[i+1]) {
			var err error
			if a, err = rangeOf(a, amounts[i+1]); err != nil {
				return nil, err
			}
			i++
		}
		joined = append(joined, a)
	}
	return joined, nil
}

// isRange reports whether two amounts are the ends of a range: the first has
// a sign or stands where none is needed, for the second has it behind.
func isRange(s string, a, b amount) bool {
	if a.end > b.start || b.start-a.end > 20 {
		return false
	}
	word := strings.ToLower(strings.TrimSpace(s[a.end:b.start]))
	before := strings.ToLower(lastWord(s[:a.start]))
	if !rangeWords[word] && !slices.Contains(pairedWords[word], before) {
		return false
	}
	switch {
	case a.hasSign && b.hasSign:
		return true
	case a.signBefore && !a.signAfter:
		return !countsSomething(s[b.end:])
	case !a.hasSign && b.signAfter && !b.signBefore:
		return before == "" || beforeRanges[before]
	}
	return false
}

// lastWord returns the letters that end a text, spaces and a colon left out;
// a digit there is a word too.
func lastWord(s string) string {
	s = strings.TrimRight(s, " :")
	i := len(s)
	for i > 0 && len(s)-i < 40 {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			break
		}
		i -= size
	}
	return s[i:]
}

// rangeOf returns the range of two ends.
func rangeOf(a, b amount) (amount, error) {
	low, ok := new(big.Rat).SetString(string(a.Amount))
	high, ok2 := new(big.Rat).SetString(string(b.Amount))
	switch {
	case !ok, !ok2, a.AmountMax != "", b.AmountMax != "", !a.scaled && b.scaled && !a.signAfter, low.Cmp(high) > 0, low.Sign() < 0,
		a.Currency != b.Currency && a.Currency != "" && b.Currency != "":
		return amount{}, errRange
	}
	r := a
	r.end, r.hasSign, r.signAfter = b.end, true, b.signAfter
	if a.Currency == "" {
		r.Currency = b.Currency
	}
	if low.Cmp(high) < 0 {
		r.AmountMax = b.Amount
	}
	return r, nil
}
