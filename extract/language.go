package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const longestTag = 255 // of a language; longer ones are none

// language returns the language of a node as a BCP 47 tag: the nearest lang
// attribute, else what the page came with; "" where nothing says.
//
// https://html.spec.whatwg.org/multipage/dom.html#language
func (w *work) language(n *html.Node) string {
	for ; n != nil; n = n.Parent {
		if w.steps--; n.Type == html.ElementNode {
			if lang, ok := attr(n, "lang"); ok && len(lang) <= longestTag && strings.TrimSpace(lang) != "" {
				return strings.TrimSpace(lang)
			}
		}
	}
	return w.lang
}

// declaredLanguage is the language of a node where an empty lang says that it
// is not known.
//
// https://html.spec.whatwg.org/multipage/dom.html#language
func (w *work) declaredLanguage(n *html.Node) string {
	for ; n != nil; n = n.Parent {
		if w.steps--; n.Type == html.ElementNode {
			if lang, ok := attr(n, "lang"); ok && len(lang) <= longestTag {
				return strings.TrimSpace(lang)
			}
		}
	}
	return w.lang
}

// languageOf splits a tag such as pt-BR or zh_Hant_TW. The region is "" where
// the tag has none.
func languageOf(tag string) (language, region string) {
	parts := strings.FieldsFunc(tag, func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 {
		return "", ""
	}
	for _, p := range parts[1:] {
		if len(p) == 1 {
			break // extensions follow
		}
		if len(p) == 4 && region == "" && strings.EqualFold(p, "Hant") {
			region = "TW"
		}
		if len(p) == 2 {
			region = strings.ToUpper(p)
		}
	}
	return strings.ToLower(parts[0]), region
}

// commaDecimal reports whether numbers of a language have a comma before the
// fraction, after CLDR's number elements.
//
// https://cldr.unicode.org/
func commaDecimal(tag string) bool {
	language, region := languageOf(tag)
	switch language {
	case "af", "az", "be", "bg", "bs", "ca", "cs", "da", "el", "et", "eu", "fi", "fo", "fr", "gl", "hr", "hu", "hy",
		"id", "is", "ka", "kk", "ky", "lb", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk",
		"sl", "sq", "sr", "sv", "tk", "tr", "uk", "uz", "vi":
		return language != "fr" || region != "CH"
	case "de", "it":
		return region != "CH" && region != "LI"
	case "es":
		return !slices.Contains([]string{"MX", "US", "GT", "PA", "DO", "HN", "NI", "PR", "SV", "PE", "CU"}, region)
	case "en":
		return region == "ZA"
	}
	return false
}
