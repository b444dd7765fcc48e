package extract

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	errPhone     = errors.New("has no phone number")
	errTwoPhones = errors.New("has more than one phone number: say which with a regex or a closer selector")
)

// parsePhone reads the phone number in a text or a tel URL and returns it as
// E.164 has it: +49301234567. An extension is left out.
//
// country is where the page is from, as a region (DE) or a language with one
// (de-DE), for numbers without a country code. Where it is not known, or the
// number isn't one that the country writes with its area code, the result is
// the digits alone, without a +: 0301234567. Text with two different numbers
// is none, and so are less than six digits, dates and sums of money.
//
// https://www.itu.int/rec/T-REC-E.164
// https://www.rfc-editor.org/rfc/rfc3966#section-3
func parsePhone(s, country string) (string, error) {
	if len(s) > longestWriting {
		return "", errors.New("is too long to be a phone number")
	}
	region := regionOf(country)
	s = fold(telURL(strings.TrimSpace(s)))
	var found []string
	for at := 0; at < len(s) && len(found) < 2; {
		c, next := phoneAt(s, at)
		if c.digits != "" {
			if number := c.number(region); number != "" && !slices.Contains(found, number) {
				found = append(found, number)
			}
		}
		at = next
	}
	switch len(found) {
	case 0:
		return "", errPhone
	case 1:
		return found[0], nil
	}
	return "", errTwoPhones
}

// regionOf returns the region of DE or de-DE.
func regionOf(country string) string {
	if len(country) == 2 && strings.ToUpper(country) == country {
		return country
	}
	_, region := languageOf(country)
	return region
}

// telURL returns the number in a URL, other text as it is.
func telURL(s string) string {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !slices.Contains([]string{"tel", "sms", "callto", "fax"}, strings.ToLower(scheme)) {
		return s
	}
	rest, _, _ = strings.Cut(rest, "?")
	if decoded, err := url.PathUnescape(rest); err == nil {
		rest = decoded
	}
	number, parameters, _ := strings.Cut(strings.TrimLeft(rest, "/ "), ";")
	for p := range strings.SplitSeq(parameters, ";") {
		if context, ok := strings.CutPrefix(p, "phone-context=+"); ok && !strings.HasPrefix(number, "+") {
			return "+" + context + number
		}
	}
	return number
}

// phoneNumber is a piece of text that may be a phone number.
type phoneNumber struct {
	digits string
	plus   bool // it begins with +
	zero   int  // where in digits a 0 in brackets was, -1 where none was
}

// phoneAt reads a phone number from at on, or passes over what is none; next
// is where to go on.
func phoneAt(s string, at int) (c phoneNumber, next int) {
	r, size := utf8.DecodeRuneInString(s[at:])
	if unicode.IsLetter(r) {
		end := wordEnd(s, at)
		if extensionWords[strings.ToLower(strings.TrimRight(s[at:end], "."))] {
			end = passDigits(s, end)
		}
		return c, end
	}
	if r == '#' {
		return c, passDigits(s, at+1)
	}
	if r != '+' && r != '(' && !isDigit(s[at]) {
		return c, at + size
	}
	return scanPhone(s, at)
}

// wordEnd returns the end of the word at, with the point of an abbreviation.
// Digits that follow belong to it, unless it is a label such as Tel.
func wordEnd(s string, at int) int {
	end, last := at, rune(0)
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		last, end = r, end+size
	}
	if !digitAt(s, end) {
		if end < len(s) && s[end] == '.' {
			end++
		}
		return end
	}
	if word := strings.ToLower(s[at:end]); !joinsDigits(last) || phoneLabels[word] || extensionWords[word] {
		return end
	}
	for digitAt(s, end) || end < len(s) && strings.IndexByte("-./", s[end]) >= 0 && digitAt(s, end+1) {
		end++
	}
	return end
}

// phoneLabels are words that digits of a phone number may follow directly.
var phoneLabels = setOf(`tel telefon téléphone teléfono telefono telefone phone call mobile mobil handy fax whatsapp тел телефон`)

// extensionWords stand before an extension.
var extensionWords = setOf(`ext extn extension x durchwahl dw poste anexo ramal interno int доб дод wew linka mellék klapka anknytning toestel lokal 内線 内线 分機 내선`)

// passDigits passes over spaces, signs and a number.
func passDigits(s string, at int) int {
	for at < len(s) && strings.IndexByte(" :.-", s[at]) >= 0 {
		at++
	}
	for digitAt(s, at) {
		at++
	}
	return at
}

// scanPhone reads digits and the signs between them.
func scanPhone(s string, at int) (c phoneNumber, next int) {
	c.zero = -1
	digits := make([]byte, 0, 20)
	i, end := at, at
scan:
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isDigit(s[i]):
			digits = append(digits, s[i])
			end = i + 1
		case r == '+':
			if len(digits) > 0 || c.plus {
				break scan
			}
			c.plus = true
		case r == '(' && strings.HasPrefix(s[i:], "(0)") && len(digits) > 0:
			c.zero = len(digits)
			size, end = 3, i+3
		case r == '/' && len(digits) > 5, r == '(' && len(digits) > 6:
			break scan
		case r == ' ' || r == '-' || r == '–' || r == '.' || r == '/' || r == '(' || r == ')' || r == decimalMark || r == '~':
		case r == '[' || r == ']':
		default:
			break scan
		}
		i += size
	}
	if end == at {
		return phoneNumber{}, max(i, at+1)
	}
	if rest := s[end:]; !notPhone(s[at:end], rest) {
		c.digits = string(digits)
	}
	return c, end
}

// notPhone reports whether digits are something else: a date, a sum, the
// beginning of a number with letters in it.
func notPhone(text, rest string) bool {
	if strings.HasPrefix(rest, "-") && len(rest) > 1 {
		if r, _ := utf8.DecodeRuneInString(rest[1:]); unicode.IsLetter(r) { // 1-800-FLOWERS
			return true
		}
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	if unicode.Is(unicode.Sc, r) || r == '%' {
		return true
	}
	if glued, _ := utf8.DecodeRuneInString(rest); unicode.IsLetter(glued) && joinsDigits(glued) && !extensionWords[string(unicode.ToLower(glued))] {
		return true
	}
	p, err := findDates(text, func() string { return "en-GB" })
	return err == nil && len(p.dates) > 0 && len(p.spans) == 1 && p.spans[0] == [2]int{0, len(p.tokens)}
}

const minPhone, maxPhone = 6, 15 // digits; E.164 has no more

// number returns the number as E.164 has it, or its digits alone; "" where it
// is none.
func (c phoneNumber) number(region string) string {
	abroad := dialAbroad[region]
	if abroad == "" {
		abroad = "00"
	}
	if c.plus {
		return international(c.digits, c.zero)
	}
	if rest, ok := strings.CutPrefix(c.digits, abroad); ok && len(rest) > minPhone+1 {
		if n := international(rest, c.zero-len(abroad)); n != "" {
			return n
		}
	}
	digits := c.digits
	if c.zero == 0 {
		digits = "0" + digits
	}
	if len(digits) < minPhone || len(digits) > maxPhone {
		return ""
	}
	if country, ok := phoneCountries[region]; ok {
		if n, ok := country.national(digits); ok {
			return "+" + country.code + n
		}
	}
	return digits
}

// national returns the digits of a number of the country without trunk.
func (c phoneCountry) national(digits string) (string, bool) {
	fits := func(s string) bool { return c.min <= len(s) && len(s) <= c.max }
	if rest, ok := strings.CutPrefix(digits, c.trunk); ok && fits(rest) && (c.trunk != "0" || rest[0] != '0') {
		return rest, true
	}
	switch {
	case c.optional && fits(digits) && digits[0] != '0':
		return digits, true
	case c.code == "86" && len(digits) == 11 && digits[0] == '1': // mobile numbers of China have no trunk prefix
		return digits, true
	}
	return "", false
}

// international returns a number that begins with a country code, "" where it
// can't be one. zero is where a 0 in brackets was.
func international(digits string, zero int) string {
	for n := 1; n <= 3 && n < len(digits); n++ {
		code := digits[:n]
		if !callingCodes[code] {
			continue
		}
		rest := digits[n:]
		switch {
		case zero == n && keepsZero[code]:
			rest = "0" + rest
		case rest[0] == '0' && zeroTrunk[code] && !keepsZero[code]:
			if rest = rest[1:]; strings.HasPrefix(rest, "0") {
				return ""
			}
		}
		if len(code)+len(rest) < minPhone+1 || len(code)+len(rest) > maxPhone {
			return ""
		}
		return "+" + code + rest
	}
	return ""
}
