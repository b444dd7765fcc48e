package extract

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// numeral is a number as it stands in a folded text.
type numeral struct {
	start, end int    // of the digits and what is between them, with what marks that there are no cents
	digits     string // with separators
	negative   bool
	inWord     bool // a letter stands directly before it, as in A4
	raised     bool // a superscript
	percent    bool
	whole      bool // ",-" or ".–" follows: there is no fraction
	unread     bool // more of the number follows: ½ or an exponent
}

// The separators that can only be one thing.
const (
	decimalMark = '٫' // U+066B, also written for the raised dot
	groupMark   = '٬' // U+066C
)

// fold rewrites a text so that numbers in it have ASCII digits, a space for
// each kind of space, a newline for each line break, ' for each apostrophe,
// - for each minus and – for each dash; what can't be seen is dropped. A
// superscript has ^ before it.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf && s[i] != '`' && (s[i] >= ' ' || s[i] == '\n')
	}
	if ascii {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	up := false
	for _, r := range s {
		d, raised := superscript(r)
		if raised && !up {
			b.WriteByte('^')
		}
		if up = raised; raised {
			b.WriteByte(d)
		} else if r = foldRune(r); r >= 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// superscript returns the digit that a superscript digit stands for.
func superscript(r rune) (digit byte, ok bool) {
	switch {
	case r == '¹':
		return '1', true
	case r == '²', r == '³':
		return byte('2' + r - '²'), true
	case r == '⁰', '⁴' <= r && r <= '⁹':
		return byte('0' + r - '⁰'), true
	}
	return 0, false
}

func foldRune(r rune) rune {
	switch r {
	case '\t', '\n', '\r', '\f', '\v', '\u2028', '\u2029':
		return '\n'
	case '’', '‘', 'ʼ', 'ʹ', '′', '`', '´', '＇':
		return '\''
	case '−', '﹣', '－', '‐', '‑':
		return '-'
	case '‒', '—', '―', '⸺':
		return '–'
	case '·', '‧', '・':
		return decimalMark
	case '،', '、':
		return ','
	case '٪':
		return '%'
	case '￥':
		return '¥'
	case '￡':
		return '£'
	case '￦':
		return '₩'
	case '￠':
		return '¢'
	case '﹩':
		return '$'
	case '\u00ad', '\u061c', '\ufeff':
		return -1
	}
	switch {
	case r < utf8.RuneSelf:
		return r
	case '！' <= r && r <= '～': // full width forms
		return r - '！' + '!'
	case '\u200b' <= r && r <= '\u200f', '\u202a' <= r && r <= '\u202e', '\u2060' <= r && r <= '\u2069':
		return -1
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Nd, r):
		return '0' + digitValue(r)
	}
	return r
}

// digitValue returns what a decimal digit of any script stands for: Unicode
// keeps them in runs of ten that begin with zero.
func digitValue(r rune) rune {
	for _, rg := range unicode.Nd.R16 {
		if rune(rg.Lo) <= r && r <= rune(rg.Hi) {
			return (r - rune(rg.Lo)) % 10
		}
	}
	for _, rg := range unicode.Nd.R32 {
		if rune(rg.Lo) <= r && r <= rune(rg.Hi) {
			return (r - rune(rg.Lo)) % 10
		}
	}
	return 0
}

// eastSum finds the numbers of East Asia that are sums: 1万2,000, 3億5000万.
var eastSum = regexp.MustCompile(`\d[\d,]*[兆조億亿억万萬만](?: ?\d[\d,]*[億亿억万萬만千천])* ?\d[\d,]*[万萬만千천]?|\d[\d,]*[兆조億亿억](?: ?\d[\d,]*[億亿억万萬만千천])+`)

// eastTerm is a term of such a sum.
var eastTerm = regexp.MustCompile(`(\d[\d,]*)([兆조億亿억万萬만千천]?)`)

// eastSums writes those numbers of a folded text as figures. What is none,
// for its terms don't become smaller, stays.
func eastSums(s string) string {
	if !strings.ContainsAny(s, "兆조億亿억万萬만") {
		return s
	}
	return eastSum.ReplaceAllStringFunc(s, func(number string) string {
		sum, below := int64(0), int64(math.MaxInt64)
		for _, term := range eastTerm.FindAllStringSubmatch(number, -1) {
			unit := int64(math.Pow10(scales[term[2]]))
			n, err := strconv.ParseInt(strings.ReplaceAll(term[1], ",", ""), 10, 64)
			if err != nil || n >= 10_000 || n*unit >= below {
				return number
			}
			sum, below = sum+n*unit, unit
		}
		return strconv.FormatInt(sum, 10)
	})
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digitAt reports whether a digit stands at i.
func digitAt(s string, i int) bool { return 0 <= i && i < len(s) && isDigit(s[i]) }

// noCents is what stands for the missing cents in 5,- and 5.–
var noCents = regexp.MustCompile(`^[.,:](?:--?|––?|=)`)

var furtherExponent = regexp.MustCompile(`^[eE][+-]?\d`)

// start returns as much of a text as an expression at its start can need: a
// match takes time for all the text it is given.
func start(s string) string { return s[:min(len(s), 16)] }

// numerals finds the numbers in a folded text.
func numerals(s string) []numeral {
	var found []numeral
	for i := 0; i < len(s); {
		if !isDigit(s[i]) && !pointAt(s, i) {
			i++
			continue
		}
		n := numeral{start: i, end: digitsEnd(s, i)}
		n.digits = s[i:n.end]
		n.negative = minusBefore(s, i)
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		n.inWord = joinsDigits(before)
		n.raised = before == '^'
		if end := noCents.FindString(start(s[n.end:])); end != "" && !digitAt(s, n.end+len(end)) {
			n.whole = true
			n.end += len(end)
		}
		after, _ := utf8.DecodeRuneInString(s[n.end:])
		n.unread = unicode.Is(unicode.No, after) || furtherExponent.MatchString(start(s[n.end:]))
		rest := strings.TrimLeft(s[n.end:], " ")
		n.percent = before == '%' || strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "‰")
		found = append(found, n)
		i = n.end
	}
	return found
}

// pointAt reports whether a number such as .99 begins at i. After a letter,
// as in No.5, the point belongs to the word.
func pointAt(s string, i int) bool {
	if s[i] != '.' && s[i] != ',' || !digitAt(s, i+1) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return i == 0 || strings.ContainsRune(" \n(-–", before) || unicode.Is(unicode.Sc, before)
}

// digitsEnd returns the end of the digits and separators that begin at i.
func digitsEnd(s string, i int) int {
	spaced := true // all separators so far are spaces
	group := i     // where the digits after the last separator begin
	if !isDigit(s[i]) {
		i, spaced = i+1, false
	}
	for {
		for digitAt(s, i) {
			i++
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !digitAt(s, i+size) {
			return i
		}
		three := digitAt(s, i+size+1) && digitAt(s, i+size+2) && !digitAt(s, i+size+3)
		switch {
		case r == '.', r == ',', r == decimalMark, r == groupMark:
			spaced = false
		case r == '\'' && three:
			spaced = false
		case r == ' ' && three && spaced && i-group <= 3:
		default:
			return i
		}
		i += size
		group = i
	}
}

// minusBefore reports whether a minus stands directly before i that is
// neither a hyphen nor the dash of a range.
func minusBefore(s string, i int) bool {
	sign, size := utf8.DecodeLastRuneInString(s[:i])
	if sign != '-' && sign != '–' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i-size])
	return i == size || strings.ContainsRune(" \n([:=", before)
}

// joinsDigits reports whether r is a letter of a script that puts spaces
// between words, so that digits behind it belong to its word.
func joinsDigits(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

var errNumeral = errors.New("is no number of any country's writing")

// groups tells whether a lone separator with three digits behind it, which
// may be either, separates thousands.
type groups func(separator rune) bool

// decimal returns the number as a JSON number without its sign.
func (n numeral) decimal(ambiguous groups) (string, error) {
	parts := strings.FieldsFunc(n.digits, func(r rune) bool { return r >= utf8.RuneSelf || !isDigit(byte(r)) })
	separators := []rune(strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, n.digits))
	if len(parts) == len(separators) { // .99
		parts = append([]string{""}, parts...)
	}
	if n.unread || len(parts) != len(separators)+1 {
		return "", errNumeral
	}
	whole, fraction := parts, ""
	if k := len(separators) - 1; k >= 0 && n.endsInFraction(parts, separators, ambiguous) {
		whole, fraction, separators = parts[:k+1], "."+parts[k+1], separators[:k]
	}
	if !validGroups(whole, separators) {
		return "", errNumeral
	}
	digits := strings.TrimLeft(strings.Join(whole, ""), "0")
	if digits == "" {
		digits = "0"
	}
	return digits + fraction, nil
}

// endsInFraction decides whether the last separator is the decimal one.
func (n numeral) endsInFraction(parts []string, separators []rune, ambiguous groups) bool {
	last := separators[len(separators)-1]
	switch {
	case last == decimalMark:
		return true
	case last != '.' && last != ',':
		return false
	case len(separators) > 1:
		return separators[len(separators)-2] != last
	case len(parts[1]) != 3, len(parts[0]) > 3, parts[0] == "", parts[0][0] == '0':
		return true
	case n.whole:
		return false
	}
	return !ambiguous(last)
}

// validGroups checks digits that one kind of separator cuts by threes, or as
// in India: three at the end, twos before.
func validGroups(parts []string, separators []rune) bool {
	if len(separators) == 0 {
		return true
	}
	for _, r := range separators {
		if r != separators[0] || r == decimalMark {
			return false
		}
	}
	last := len(parts) - 1
	threes := 1 <= len(parts[0]) && len(parts[0]) <= 3 && len(parts[last]) == 3
	twos := separators[0] == ',' && 1 <= len(parts[0]) && len(parts[0]) <= 2 && len(parts[last]) == 3
	for _, p := range parts[1:last] {
		threes = threes && len(p) == 3
		twos = twos && len(p) == 2
	}
	return threes || twos
}
