package learn

import (
	"slices"
	"strings"
	"unicode"
)

// words splits a name at its signs and where capitals begin, in small letters.
func words(name string) []string {
	var list []string
	start, lower := 0, false
	cut := func(end int) {
		if end > start {
			list = append(list, strings.ToLower(name[start:end]))
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + len(string(r))
			lower = false
		case unicode.IsUpper(r) && lower:
			cut(i)
			start, lower = i, false
		default:
			lower = !unicode.IsUpper(r)
		}
	}
	cut(len(name))
	return list
}

// stability says how likely an id or class is to stay, from 0 (made by a
// machine, or no name that can be written as it is) to 1.
func stability(name string) float64 {
	switch {
	case !isName(name), generated(name):
		return 0
	case strings.ContainsAny(name, "0123456789"):
		return 0.6 // one of several
	case len(name) <= 2:
		return 0.5 // minified, or a mere sign
	}
	return 1
}

// isName reports whether name can stand in a selector without escapes.
//
// https://drafts.csswg.org/css-syntax-3/#ident-token-diagram
func isName(name string) bool {
	if name == "" || len(name) > 60 {
		return false
	}
	for i, r := range name {
		switch {
		case r == '_', r >= 0x80 && (unicode.IsLetter(r) || unicode.IsMark(r)), 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		case r == '-':
			if i == 0 && (len(name) == 1 || !isASCIILetter(name[1])) {
				return false
			}
		case '0' <= r && r <= '9':
			if i == 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// generatedPrefixes begin the classes that tools make of hashes and counters.
var generatedPrefixes = []string{"css-", "sc-", "jsx-", "jss", "svelte-", "emotion-", "ng-", "_ng", "ember", "yui_", "yui-", "ext-gen", "react-", "radix-", "headlessui-", "mantine-", "chakra-", "tw-", "astro-", "data-v-", "gwt-uid", "mui-", "w-node-", "elementor-element-", "uid-", "id-"}

// generated reports whether a name has the marks of one that a machine made:
// numbers of two digits and more, hashes, several generations of each.
func generated(name string) bool {
	for _, prefix := range generatedPrefixes {
		if rest, ok := strings.CutPrefix(name, prefix); ok && !plainWords(rest) {
			return true
		}
	}
	if strings.Contains(name, "__") { // the hash of CSS modules is behind the name: Title_title__3xYz9
		if i := strings.LastIndex(name, "__"); looksHashed(name[i+2:], true) {
			return true
		}
	}
	if digits(name) > 0 && len(name) >= 4 && strings.Trim(name, "0123456789abcdef") == "" {
		return true
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	for i, part := range parts {
		if digits(part) >= 2 || looksHashed(part, strings.HasPrefix(name, "_") && i == 0) {
			return true
		}
		if digits(part) == len(part) && i == len(parts)-1 && len(parts) > 1 {
			return true // a counter
		}
	}
	return len(parts) == 0
}

// styled reports whether an element has its looks from styled components:
// then its short classes are hashes, whatever they look like.
func styled(all []string) bool {
	return slices.ContainsFunc(all, func(class string) bool {
		return (strings.HasPrefix(class, "sc-") || strings.Contains(class, "-sc-")) && generated(class)
	})
}

// shortWord reports whether a class may be the hash of styled components.
func shortWord(class string) bool {
	return len(class) <= 7 && !strings.ContainsAny(class, "-_")
}

// beforeHash returns the start of a class whose end is a hash, as CSS modules
// and styled components make them: Card_title__ of Card_title__3xYz9. ok is
// false for other classes.
func beforeHash(class string) (start string, ok bool) {
	for _, mark := range []string{"__", "-sc-"} {
		i := strings.LastIndex(class, mark)
		if i <= 2 || len(class) > 80 || !looksHashed(class[i+len(mark):], true) {
			continue
		}
		if name := class[:i]; stability(name) == 1 && !utility(name) {
			return class[:i+len(mark)], true
		}
	}
	return "", false
}

// plainWords reports whether a name that begins as those of tools do is made
// of words all the same: chakra-heading, react-datepicker.
func plainWords(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' })
	for _, part := range parts {
		if digits(part) > 0 || looksHashed(part, true) || strings.ToLower(part) != part || vowels(part) == 0 {
			return false
		}
	}
	return len(parts) > 0
}

func digits(s string) (n int) {
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n
}

// looksHashed reports whether a part of a name is no word: digits among its
// letters, capitals without order, hardly a vowel. suspect says that the place
// of the part speaks for a hash already.
func looksHashed(part string, suspect bool) bool {
	if len(part) < 4 {
		return false
	}
	inner := strings.TrimRight(part, "0123456789")
	inWord := digits(inner) > 0
	if inWord && (len(part) >= 5 || suspect) || suspect && digits(part) > 0 {
		return true
	}
	changes, capitals := 0, 0
	for i := 0; i < len(part); i++ {
		if isUpper(part[i]) {
			capitals++
		}
		if i > 0 && !isUpper(part[i-1]) && isUpper(part[i]) {
			changes++
		}
	}
	switch {
	case capitals == len(part): // an abbreviation
		return false
	case changes >= 2 && len(part) < 3*(changes+1), changes >= 1 && suspect && len(part) <= 6 && len(part) < 4*changes:
		return true
	}
	run := 0 // of consonants
	for i := 0; i < len(part); i++ {
		if run++; !isASCIILetter(part[i]) || strings.IndexByte("aeiouyAEIOUY", part[i]) >= 0 {
			run = 0
		}
		if run >= 6 {
			return true
		}
	}
	return suspect && len(part) >= 5 && isASCIILetter(part[0]) && vowels(part) == 0
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func vowels(s string) (n int) {
	for i := range len(s) {
		if strings.IndexByte("aeiouyAEIOUY", s[i]) >= 0 || s[i] >= 0x80 {
			n++
		}
	}
	return n
}

// The classes that say how an element looks or what state it is in, not what
// it is: whole ones, and those that begin with a word and a hyphen.
var (
	utilities = setOf(`block inline inline-block inline-flex flex grid hidden visible invisible relative absolute fixed sticky
		static container container-fluid row col clearfix cf wrap wrapper inner outer left right center centered top bottom
		bold italic underline uppercase lowercase capitalize truncate antialiased border rounded shadow transition group peer
		active selected current open opened closed show shown in fade first last odd even even-row odd-row disabled enabled
		loaded lazy lazyload lazyloaded lazyloading hover focus visually-hidden sr-only small large big medium xs sm md lg xl
		pull-left pull-right text-left text-right alignleft alignright aligncenter prose table-row no-js js item-first
		item-last notranslate clickable expanded collapsed collapse`)
	utilityPrefixes = setOf(`m mt mb ml mr mx my ms me p pt pb pl pr px py ps pe w h min max gap space text font bg border rounded
		shadow flex grid items justify content self place leading tracking col cols row offset order align overflow z opacity
		d float fw fs lh g gx gy inset top left right bottom object cursor transition duration ease delay ring divide
		whitespace break line line-clamp list decoration underline outline from to via fill stroke sr pointer select u
		is has no hidden visible animate scale rotate translate basis grow shrink aspect columns hover sm md lg xl xxl`)
)

// utility reports whether a class is one of those.
func utility(class string) bool {
	if utilities[strings.ToLower(class)] {
		return true
	}
	first, rest, ok := strings.Cut(class, "-")
	if !ok || !utilityPrefixes[first] {
		return false
	}
	// text-muted is a utility, text-content-of-article hardly
	return len(strings.Split(rest, "-")) <= 2
}
