package htmlparse

import "strings"

// localeEncodings are the suggested default encodings by language.
// https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
var localeEncodings = map[string]string{
	"ar": "windows-1256", "az": "windows-1254", "ba": "windows-1251", "be": "windows-1251",
	"bg": "windows-1251", "cs": "windows-1250", "el": "ISO-8859-7", "et": "windows-1257",
	"fa": "windows-1256", "he": "windows-1255", "hr": "windows-1250", "hu": "ISO-8859-2",
	"ja": "Shift_JIS", "kk": "windows-1251", "ko": "EUC-KR", "ku": "windows-1254",
	"ky": "windows-1251", "lt": "windows-1257", "lv": "windows-1257", "mk": "windows-1251",
	"pl": "ISO-8859-2", "ru": "windows-1251", "sah": "windows-1251", "sk": "windows-1250",
	"sl": "ISO-8859-2", "sr": "windows-1251", "tg": "windows-1251", "th": "windows-874",
	"tr": "windows-1254", "tt": "windows-1251", "uk": "windows-1251", "vi": "windows-1258",
	"zh-hans": "GBK", "zh-cn": "GBK", "zh-sg": "GBK",
	"zh-hant": "Big5", "zh-hk": "Big5", "zh-mo": "Big5", "zh-tw": "Big5",
}

// localeEncoding returns the suggested default encoding for a BCP 47 tag, ""
// for languages that the table leaves to windows-1252. A script says more
// than a region: zh-Hant-CN is Traditional Chinese.
func localeEncoding(tag string) string {
	language, subtags, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if name := localeEncodings[language]; name != "" {
		return name
	}
	for subtag := range strings.SplitSeq(subtags, "-") {
		if len(subtag) == 1 {
			break // extensions and private use say nothing about the language
		}
		if name := localeEncodings[language+"-"+subtag]; name != "" {
			return name
		}
	}
	return ""
}
