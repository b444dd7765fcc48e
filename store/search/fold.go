package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// longest is how many characters of a word count. What is longer is no word
// but data.
const longest = 64

// fold returns the form that all spellings of a word share: lower case,
// without diacritics, compatibility characters replaced. It is empty where
// nothing of the word is a letter or a digit.
func fold(word string) string {
	if plain(word) {
		return strings.ToLower(word[:min(len(word), longest)])
	}
	var b strings.Builder
	n := 0
	for _, r := range norm.NFKD.String(word) {
		switch {
		case unicode.IsMark(r) && diacritic(r):
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			if n++; n > longest {
				return norm.NFC.String(b.String())
			}
			r = unicode.ToLower(r)
			if s, ok := spelled[r]; ok {
				b.WriteString(s)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return norm.NFC.String(b.String())
}

// plain tells whether a word is made of ASCII letters and digits.
func plain(word string) bool {
	for i := range len(word) {
		if c := word[i]; !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

// diacritic tells the marks that a reader may leave out: accents, and the
// vowel points of Hebrew and Arabic. The marks of other scripts are letters to
// their readers, and the two sound marks of Japanese make another syllable.
func diacritic(mark rune) bool {
	if mark == 0x3099 || mark == 0x309A {
		return false
	}
	return unicode.Is(unicode.Inherited, mark) || unicode.Is(unicode.Hebrew, mark) || unicode.Is(unicode.Arabic, mark)
}

// spelled are letters without a decomposition that people type as others.
var spelled = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ħ': "h", 'ı': "i", 'ς': "σ",
}
