package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dateToken is a number, a word or a sign of a text.
type dateToken struct {
	text   string // in small letters
	caps   bool   // a word that is written in capitals
	glued  bool   // no space stands before it
	value  int    // of a number
	digits int    // how many digits a number has
	month  int    // 1 to 12 for the name of one
	filler bool   // may stand between day, month and year
}

func (t dateToken) is(text string) bool { return t.digits == 0 && t.text == text }

func (t dateToken) begins(prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(t.text, p) {
			return true
		}
	}
	return false
}

// short reports whether t may be a day, or a month in figures.
func (t dateToken) short() bool { return t.digits == 1 || t.digits == 2 }

func (t dateToken) separator() bool { return t.is("-") || t.is("/") || t.is(".") || t.is("–") }

// fillers are the words and signs between the parts of a date.
var fillers = setOf(`. , - / – ' of the de del di do da den d' d г р m d w l e o a st nd rd th er re ère ª º ° τις η ο dne am le el år
 г. года року р. năm ngày tháng di в р год g gada ж թ оны ׳ ॰ ၊ ta i ի`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// maxDateTokens is more than what stands around any date that is meant to be
// one.
const maxDateTokens = 2000

// dateTokens cuts a folded text in a language.
func dateTokens(s string, language func() string) []dateToken {
	var tokens []dateToken
	for glued := false; s != "" && len(tokens) < maxDateTokens; glued = true {
		rest := strings.TrimLeftFunc(s, unicode.IsSpace)
		glued = glued && len(rest) == len(s)
		if s = rest; s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		t := dateToken{glued: glued}
		switch {
		case isDigit(s[0]):
			t.digits = strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
			if t.digits < 0 {
				t.digits = len(s)
			}
			t.text = s[:t.digits]
			if t.digits <= 8 {
				for _, c := range t.text {
					t.value = t.value*10 + int(c-'0')
				}
			}
		case unicode.IsLetter(r):
			end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
			if end < 0 {
				end = len(s)
			}
			word := s[:end]
			s = s[end:]
			t.text = strings.ToLower(word)
			t.caps = t.text != word && strings.ToUpper(word) == word
			t.month = monthNumber(t.text, language)
			t.filler = fillers[t.text]
			if k := len(tokens) - 1; k >= 0 && (t.text == "tháng" || t.text == "thg") {
				t.month = 0
			}
			tokens = append(tokens, t)
			continue
		default:
			t.text = s[:size]
			t.filler = fillers[t.text]
		}
		s = s[len(t.text):]
		if k := len(tokens) - 1; k >= 0 && t.short() && 1 <= t.value && t.value <= 12 && (tokens[k].text == "tháng" || tokens[k].text == "thg") {
			tokens[k] = dateToken{text: t.text, month: t.value, glued: tokens[k].glued} // Vietnamese numbers its months
			continue
		}
		tokens = append(tokens, t)
	}
	return joinMonths(tokens, language)
}

// joinMonths makes one token of the names of months that have a space or a
// point in them.
func joinMonths(tokens []dateToken, language func() string) []dateToken {
	joined := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if i+3 < len(tokens) && t.short() && 1 <= t.value && t.value <= 12 && tokens[i+1].is("-") && tokens[i+2].is("р") && tokens[i+3].is("сарын") {
			t, i = dateToken{text: tokens[i+3].text, month: t.value}, i+3 // Mongolian numbers its months
		} else if i+2 < len(tokens) && tokens[i+1].is(".") && tokens[i+2].glued && partsOfMonths[t.text] {
			if name := t.text + "." + tokens[i+2].text; months[name] > 0 {
				t.text, t.month, i = name, monthNumber(name, language), i+2
			}
		} else if i+1 < len(tokens) && partsOfMonths[t.text] {
			if name := t.text + " " + tokens[i+1].text; months[name] > 0 {
				t.text, t.month, i = name, monthNumber(name, language), i+1
			}
		}
		joined = append(joined, t)
	}
	return joined
}

// partsOfMonths are the beginnings of names that have a space or a point.
var partsOfMonths = func() map[string]bool {
	parts := map[string]bool{}
	for name := range months {
		if i := strings.IndexAny(name, " ."); i > 0 {
			parts[name[:i]] = true
		}
	}
	return parts
}()
