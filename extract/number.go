package extract

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A number is read as many countries write it: 1,234.5 · 1.234,5 · 1 234,5
// with any kind of space · 1'234.5 · 1,23,456 · digits of every script ·
// 1.2k, 3 million, 5万. Words around it are passed over; text with two
// different numbers, such as 4.5/5, is no number: a regex says which.
//
// A lone separator with three digits behind it, as in 1.234, may be either.
// An integer has no fraction, so there it separates thousands. In a number it
// is what the language of the element says, as in English where no language
// is given; in an attribute that has nothing but digits and a dot, the dot is
// the decimal one.
func parseNumber(f found, as Type) (json.Number, error) {
	if s := f.text; exponent.MatchString(s) && as == Number {
		return json.Number(strings.Clone(strings.TrimPrefix(s, "+"))), nil
	}
	folded := eastSums(fold(f.text))
	value := ""
	for _, n := range numerals(folded) {
		if n.inWord || n.raised && !digitAt(folded, n.start-2) {
			continue
		}
		d, err := n.decimal(func(separator rune) bool {
			if as == Integer {
				return true
			}
			if f.machineDecimal() {
				return false
			}
			return (separator == ',') != commaDecimal(f.language())
		})
		if err != nil {
			return "", err
		}
		power, _ := scale(folded[n.end:])
		if d = signed(n.negative, shift(d, power)); value != "" && d != value {
			return "", errors.New("has more than one number: say which with a regex")
		}
		value = d
	}
	if value == "" {
		return "", errors.New("has no number")
	}
	return json.Number(strings.Clone(value)), nil // it may be a part of the page
}

var exponent = regexp.MustCompile(`^[+-]?(?:0|[1-9]\d{0,99})(?:\.\d{1,99})?[eE][+-]?\d{1,4}$`)

// parseInteger is parseNumber for numbers without a fraction that fit 64 bits.
func parseInteger(f found) (int64, error) {
	d, err := parseNumber(f, Integer)
	if err != nil {
		return 0, err
	}
	whole, fraction, _ := strings.Cut(string(d), ".")
	if strings.Trim(fraction, "0") != "" {
		return 0, errors.New("has a fraction")
	}
	i, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, errors.New("is beyond 64 bits")
	}
	return i, nil
}

func signed(negative bool, decimal string) string {
	if negative && strings.Trim(decimal, "0.") != "" {
		return "-" + decimal
	}
	return decimal
}

// shift multiplies a decimal by a power of ten.
func shift(decimal string, power int) string {
	if power == 0 {
		return decimal
	}
	whole, fraction, _ := strings.Cut(decimal, ".")
	fraction += strings.Repeat("0", max(0, power-len(fraction)))
	whole = strings.TrimLeft(whole+fraction[:power], "0")
	if whole == "" {
		whole = "0"
	}
	if fraction = fraction[power:]; fraction != "" {
		return whole + "." + fraction
	}
	return whole
}

// scales are words for powers of ten. They stand behind the number, with a
// space or not; one of a single letter without.
var scales = map[string]int{
	"k": 3, "K": 3, "M": 6, "B": 9, "bn": 9, "Bn": 9,
	"thousand": 3, "tsd": 3, "tys": 3, "tis": 3, "тыс": 3, "тис": 3, "хил": 3, "千": 3, "천": 3, "พัน": 3,
	"lakh": 5, "lakhs": 5, "lac": 5, "lacs": 5, "crore": 7, "crores": 7, "हजार": 3, "\u0939\u091c\u093c\u093e\u0930": 3, "\u0939\u095b\u093e\u0930": 3, "लाख": 5, "\u0915\u0930\u094b\u0921\u093c": 7, "\u0915\u0930\u094b\u095c": 7,
	"万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "兆": 12, "조": 12, "หมื่น": 4, "แสน": 5, "ล้าน": 6,
	"million": 6, "millions": 6, "mln": 6, "mio": 6, "mn": 6, "millionen": 6, "millón": 6, "millones": 6, "milione": 6,
	"milioni": 6, "milhão": 6, "milhões": 6, "miljoen": 6, "miljoner": 6, "mil": 3, "млн": 6, "triệu": 6, "juta": 6, "jt": 6, "ribu": 3, "rb": 3,
	"billion": 9, "billions": 9, "mrd": 9, "milliard": 9, "milliards": 9, "milliarden": 9, "mld": 9, "miliardi": 9, "млрд": 9, "tỷ": 9, "bilhão": 9, "bilhões": 9, "bi": 9,
	"trillion": 12, "trillions": 12, "trn": 12, "tn": 12, "billionen": 12, "трлн": 12, "trilhão": 12, "trilhões": 12, "cr": 7,
}

// scale returns the power of ten that a word at the start of s stands for,
// and the word's length with the space before it.
func scale(s string) (power, length int) {
	rest := strings.TrimLeft(s, " ")
	gap := len(s) - len(rest)
	end := 0
	for end < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		if end += size; end > 40 {
			return 0, 0
		}
	}
	word := rest[:end]
	if r, size := utf8.DecodeRuneInString(word); size > 0 && !joinsDigits(r) { // no spaces between words: 5万円
		for w, power := range scales {
			if strings.HasPrefix(word, w) {
				return power, gap + len(w)
			}
		}
		return 0, 0
	}
	power, ok := scales[word]
	if !ok && len(word) > 1 {
		power = scales[strings.ToLower(word)]
	}
	if len(word) == 1 && gap > 0 && !startsWithSign(rest[end:]) || power == 0 {
		return 0, 0
	}
	if strings.HasPrefix(rest[end:], ". ") { // an abbreviation
		end++
	}
	return power, gap + end
}

// startsWithSign reports whether s starts with a currency sign, as in 5 M€.
func startsWithSign(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Sc, r)
}
