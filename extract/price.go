package extract

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Price is an amount of money, or a range of amounts. In JSON it is
// {"amount":1234.50,"currency":"GBP"}, for a range
// {"amount":10,"amount_max":20,"currency":"GBP"}.
type Price struct {
	Amount    json.Number `json:"amount"`               // decimal, with the cents as they were written; of a range the lower end
	AmountMax json.Number `json:"amount_max,omitempty"` // the upper end of a range; "" where the text has one amount
	Currency  string      `json:"currency"`             // ISO 4217 code; "" where the text has none
}

var errTwoPrices = errors.New("has more than one price: say which with a regex or a closer selector")

// parsePrice reads a price as many countries write it: numbers as in
// parseNumber, the currency before or behind, cents as ,- or .– or raised,
// 19€99, 99¢. The words around it are passed over, as in "from $5".
//
// A range, such as 10–20 € or from $5 to $10, is a price with an AmountMax. A
// word for free, with nothing beside it, is 0 without a currency.
//
// What does not say one price is none: several different amounts, a price for
// several ("2 for £3"), a percentage, a number of something.
//
// A lone separator with three digits behind it separates thousands: 1.234 €
// and $1,234; not after a leading 0, not in an attribute that has nothing but
// digits and a dot, and not with a currency of three decimals.
//
// $ is the US dollar, ¥ the yen, and so on for signs of several currencies,
// unless a code stands beside it (US$, $5 CAD) or the language of the element
// has a region or is of a country that uses the sign for its own (en-AU: AUD,
// zh: CNY). kr has no currency where the language doesn't tell.
func parsePrice(f found) (Price, error) {
	s := raisedCents(eastSums(fold(f.text)))
	if freeOfCharge(s) {
		return Price{Amount: "0"}, nil
	}
	amounts, err := amounts(s, f)
	if err != nil {
		return Price{}, err
	}
	if amounts, err = joinRanges(s, amounts); err != nil {
		return Price{}, err
	}
	priced := slices.DeleteFunc(slices.Clone(amounts), func(a amount) bool { return !a.hasSign })
	switch {
	case len(priced) > 0:
		for _, a := range priced[1:] {
			if a.Price != priced[0].Price {
				return Price{}, errTwoPrices
			}
		}
		for _, bare := range amounts {
			if !bare.hasSign && related(s, bare, priced[0]) {
				return Price{}, errors.New("is a price for several, or of something with a number")
			}
		}
		return priced[0].own(), nil
	case len(amounts) == 0:
		return Price{}, errors.New("has no price")
	}
	for _, a := range amounts {
		if a.Price != amounts[0].Price {
			return Price{}, errors.New("has several numbers and no currency")
		}
	}
	if countsSomething(s[amounts[0].end:]) {
		return Price{}, errors.New("is a number of something, without a currency")
	}
	return amounts[0].own(), nil
}

// own returns the price without parts of the page.
func (p Price) own() Price {
	p.Amount, p.AmountMax = json.Number(strings.Clone(string(p.Amount))), json.Number(strings.Clone(string(p.AmountMax)))
	return p
}

// amount is a number in a text that may be a price, with its sign if any.
type amount struct {
	Price
	start, end int // with the sign
	hasSign    bool
	signBefore bool
	signAfter  bool
	scaled     bool // a word such as million follows
}

// amounts finds what may be prices in a folded text.
func amounts(s string, f found) ([]amount, error) {
	var found []amount
	for _, n := range numerals(s) {
		if n.percent || n.raised {
			continue
		}
		a, err := amountOf(s, n, f)
		if err != nil {
			return nil, err
		}
		if a.Amount != "" {
			found = append(found, a)
		}
	}
	return found, nil
}

// amountOf reads the number n and the signs around it. Its amount is "" where
// it can't be a price.
func amountOf(s string, n numeral, f found) (amount, error) {
	a := amount{start: n.start, end: n.end}
	power, length := priceScale(s[n.end:])
	a.end += length
	left := s[:n.start]
	negative := n.negative
	if t := strings.TrimRight(left, "-–"); len(t) < len(left) { // £-5, - £5
		if _, _, ok := currencyBefore(t); ok {
			negative, left = true, t
		} else if n.negative {
			left = t
		}
	}
	var signs []currency
	for range 2 { // USD $5
		c, rest, ok := currencyBefore(left)
		if !ok {
			break
		}
		signs, left = append(signs, c), rest
		a.start = len(rest)
	}
	if n.inWord && len(signs) == 0 {
		return amount{}, nil
	}
	if len(signs) > 0 && minusBefore(s, a.start) {
		negative = true
	}
	a.signBefore = len(signs) > 0
	right := s[a.end:]
	for range 2 { // $5 CAD
		c, rest, ok := currencyAfter(right)
		if !ok || belongsToNext(right, rest, len(signs) > 0) {
			break
		}
		signs, right, a.signAfter = append(signs, c), rest, true
		a.end = len(s) - len(rest)
	}
	code, err := oneCurrency(signs, f)
	if err != nil {
		return amount{}, err
	}
	a.hasSign, a.Currency = len(signs) > 0, code
	if sub := subunitAfter(s[n.end:]); sub != "" && len(signs) == 0 {
		a.hasSign, a.Currency, power = true, sub, -2
	}
	d, err := n.decimal(func(separator rune) bool {
		mills := threeDecimals[a.Currency] && (separator == '.' || a.Currency == "TND")
		return !mills && !(separator == '.' && f.machineDecimal())
	})
	switch {
	case err != nil && a.hasSign:
		return amount{}, err
	case err != nil: // a date or a version beside the price
		return amount{}, nil
	case power < 0:
		d = hundredth(d)
	default:
		d = shift(d, power)
	}
	a.scaled = power > 0
	a.Amount = json.Number(signed(negative, d))
	return a, nil
}

// priceScale is scale, with the small letters of £5m and $5b.
func priceScale(s string) (power, length int) {
	switch {
	case strings.HasPrefix(s, "m"):
		power = 6
	case strings.HasPrefix(s, "b"):
		power = 9
	}
	if power > 0 {
		if r, _ := utf8.DecodeRuneInString(s[1:]); !unicode.IsLetter(r) && !startsWithSquare(s[1:]) {
			return power, 1
		}
	}
	return scale(s)
}

// startsWithSquare reports whether metres are squared.
func startsWithSquare(s string) bool { return strings.HasPrefix(s, "^") }

// belongsToNext reports whether a sign, which begins right and is followed
// by rest, belongs to the number after it: $5 $6, size 42 £30.
func belongsToNext(right, rest string, signed bool) bool {
	if digitAt(rest, 0) {
		return signed || right[0] == ' ' || right[0] == '\n'
	}
	return signed && len(rest) > 1 && (rest[0] == ' ' || rest[0] == '-') && digitAt(rest, 1)
}

// oneCurrency returns what the signs beside an amount say together.
func oneCurrency(signs []currency, f found) (string, error) {
	if len(signs) == 0 {
		return "", nil
	}
	code, open := "", []currency{}
	for _, c := range signs {
		switch {
		case len(c.others) > 0:
			open = append(open, c)
		case code != "" && code != c.code:
			return "", fmt.Errorf("has two currencies, %s and %s", code, c.code)
		default:
			code = c.code
		}
	}
	for _, c := range open {
		if code == "" {
			code = c.in(f.language())
		} else if code != c.code && !slices.Contains(c.others, code) && c.code != "" {
			return "", fmt.Errorf("has two currencies, %s and %s", c.code, code)
		}
	}
	return code, nil
}

// subunitAfter returns the currency of a sign such as ¢ directly behind a
// number.
func subunitAfter(s string) string {
	for sign, code := range subunits {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			if r, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(r) {
				return code
			}
		}
	}
	return ""
}

func hundredth(d string) string {
	whole, fraction, _ := strings.Cut(d, ".")
	for len(whole) < 3 {
		whole = "0" + whole
	}
	return whole[:len(whole)-2] + "." + whole[len(whole)-2:] + fraction
}

var (
	raisedFraction = regexp.MustCompile(`(\d)[.,]?\^(\d\d)([^\d.,]|$)`)
	signAsPoint    = regexp.MustCompile(`(^|[^\d.,\p{Sc}])(\d{1,3}(?:[. ]\d{3})+|\d+)(€|£|\$)\^?(\d\d)([^\d.,€£$]|$)`)
	colonCents     = regexp.MustCompile(`(\d):(\d\d ?(?:[Kk]r|SEK)\b)`)
	cents          = regexp.MustCompile(`(\d) ?(zł|руб\.?|р\.|грн\.?|lei|лв\.?|Kč|€|Fr\.?) ?(\d\d) ?(gr|коп|bani|ст|hal|ct|Rp)\b?\.?`)
)

// raisedCents rewrites cents that only their form sets apart: 19 with a
// raised 99, 19€99, 12 zł 50 gr, 19:50 kr.
func raisedCents(s string) string {
	s = colonCents.ReplaceAllString(s, "${1}٫${2}")
	s = signAsPoint.ReplaceAllString(s, "${1}${2}٫${4}${3}${5}")
	s = cents.ReplaceAllString(s, "${1}٫${3}${2}")
	return raisedFraction.ReplaceAllString(s, "${1}٫${2}${3}")
}

// between are the words and signs that make of two numbers a range or a
// price for several.
var between = []string{"-", "–", "~", "〜", "to", "bis", "до", "até", "au", "/", "x", "×", "@", "for", "für", "pour", "por", "per", "za", "за", "voor", "för", "til", "till"}

// related reports whether a number without a currency and a price are parts
// of one statement.
func related(s string, bare, priced amount) bool {
	from, to := bare.end, priced.start
	after := bare.start > priced.start
	if after {
		from, to = priced.end, bare.start
	}
	if from > to || to-from > 20 {
		return false
	}
	words := strings.ToLower(strings.TrimSpace(s[from:to]))
	if words == "" && !after && priced.signAfter && !priced.signBefore && looseCents(s[priced.start:]) {
		return true
	}
	return slices.Contains(between, words) && !(after && words == "/") // $5/2 kg
}

// looseCents reports whether a number of two digits begins s: behind another
// one, as in 19 99 €, it may be the cents.
func looseCents(s string) bool {
	return digitAt(s, 0) && digitAt(s, 1) && (len(s) == 2 || !strings.ContainsRune("0123456789.,٫", rune(s[2])))
}

// countsSomething reports whether a word follows: 3 items.
func countsSomething(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \n"))
	return unicode.IsLetter(r) || r == '^'
}
