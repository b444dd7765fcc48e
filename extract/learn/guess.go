package learn

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/weburl"
)

// wanted is an example with what it may also be written as.
type wanted struct {
	Example
	line   string // on one line
	text   digest
	as     extract.Type
	value  any    // of type as; nil for texts
	digits string // of a number or price: see significant
	url    string // canonical; "": no URL
	plain  string // see plain; of a URL only its last segment
	fields []string
}

// maxValue is how long an example may be.
const maxValue = 20_000

// newWanted reads an example as one of a page.
func newWanted(ix *index, e Example) wanted {
	w := wanted{Example: e, line: oneLine(e.Value), as: extract.Text, fields: words(e.Field)}
	if len(w.line) > maxValue {
		w.line = ""
	}
	w.text = digestOf(w.line)
	w.plain = plain(w.line)
	w.guess(ix)
	return w
}

var (
	bareNumber = regexp.MustCompile(`^[+-]?\d[\d.,' \x{a0}\x{202f}]*$`)
	leadingURL = regexp.MustCompile(`^(?:https?:)?//\S+$`)
	pathLike   = regexp.MustCompile(`^(?:/|\./|\.\./)\S*$`)
)

// guess finds the type of the example.
func (w *wanted) guess(ix *index) {
	switch {
	case w.line == "":
		return
	case leadingURL.MatchString(w.line), pathLike.MatchString(w.line):
		if u, err := ix.base.Resolve(w.line); err == nil {
			w.as, w.value, w.url = extract.URL, u.String(), u.String()
			w.plain = plain(path.Base(u.Path()))
			return
		}
	case len(w.line) > 80 || strings.IndexFunc(w.line, unicode.IsDigit) < 0:
		return
	}
	if w.guessPrice(ix) || w.guessDate(ix) {
		return
	}
	if !bareNumber.MatchString(w.line) || isCodeNumber(w.line) {
		return
	}
	for _, as := range []extract.Type{extract.Integer, extract.Number} {
		if as == extract.Integer && fraction.MatchString(w.line) {
			continue
		}
		if v, ok := given(ix, as, w.line); ok {
			w.as, w.value, w.digits = as, v, significant(w.line)
			return
		}
	}
}

// fraction is what ends a number that is no integer: a separator and not
// three digits.
var fraction = regexp.MustCompile(`[.,](?:\d{1,2}|\d{4,})$`)

// isCodeNumber reports whether digits are a name rather than a number: a
// leading zero, or more of them than anything is counted in.
func isCodeNumber(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0' && isASCIIDigit(s[1]) || digits(s) > 9 && !strings.ContainsAny(s, ".,' ")
}

func isASCIIDigit(c byte) bool { return '0' <= c && c <= '9' }

var (
	priceFields = setOf("price prices cost amount msrp rrp preis prix precio prezzo prijs cena fee total subtotal")
	dateFields  = setOf("date dates time published publication updated created modified posted datum fecha data day released release")
)

func (w *wanted) hints(fields map[string]bool) bool {
	return slices.ContainsFunc(w.fields, func(word string) bool { return fields[word] })
}

// guessPrice takes for a price what has a currency, or is a number in a field
// that is called so.
func (w *wanted) guessPrice(ix *index) bool {
	v, ok := given(ix, extract.PriceType, w.line)
	if !ok || len(w.line) > 40 {
		return false
	}
	price := v.(extract.Price)
	named := w.hints(priceFields)
	if price.Currency == "" && !(named && bareNumber.MatchString(w.line)) && !strings.ContainsFunc(w.line, isCurrencySign) {
		return false
	}
	if !named && spareWords(w.line, func(s string) bool {
		v, ok := given(ix, extract.PriceType, s)
		return ok && samePrice(v.(extract.Price), price)
	}) > 1 {
		return false
	}
	w.as, w.value, w.digits = extract.PriceType, price, significant(w.line)
	return true
}

func isCurrencySign(r rune) bool { return unicode.Is(unicode.Sc, r) }

// guessDate takes for a date what is hardly more than one, or has one in a
// field that is called so.
func (w *wanted) guessDate(ix *index) bool {
	if len(w.line) > 60 {
		return false
	}
	v, ok := given(ix, extract.Date, w.line)
	if !ok {
		return false
	}
	if !w.hints(dateFields) && spareWords(w.line, func(s string) bool {
		other, ok := given(ix, extract.Date, s)
		return ok && other == v
	}) > 1 {
		return false
	}
	w.as, w.value = extract.Date, v
	return true
}

// spareWords counts the words of letters without which s means the same.
func spareWords(s string, same func(string) bool) (spare int) {
	list := strings.Fields(s)
	for i, word := range list {
		if len([]rune(word)) < 2 || !strings.ContainsFunc(word, unicode.IsLetter) {
			continue
		}
		if same(strings.Join(slices.Concat(list[:i], list[i+1:]), " ")) {
			spare++
		}
	}
	return spare
}

// significant returns the digits of a number without the zeros at its ends,
// which writings of it differ in.
func significant(s string) string {
	s = strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
	return strings.Trim(s, "0")
}

// plain returns the letters and digits of a text in small letters.
func plain(s string) string {
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// tells reports whether a name on the page is made of the example's value,
// as a slug is.
func (w *wanted) tells(name string) bool {
	p := plain(name)
	return len(p) >= 4 && (2*len(p) >= len(w.plain) && strings.Contains(w.plain, p) || len(w.plain) >= 4 && strings.Contains(p, w.plain))
}

// names reports whether a name on the page has a word of the field's name.
func (w *wanted) names(name string) bool {
	for _, word := range words(name) {
		if len(word) > 2 && slices.Contains(w.fields, word) {
			return true
		}
	}
	return false
}

// canonical returns the URL that a reference of the page stands for.
func (ix *index) canonical(ref string) (string, bool) {
	if len(ref) > weburl.MaxLength {
		return "", false
	}
	u, err := ix.base.Resolve(ref)
	return u.String(), err == nil
}
