package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// currency is what a sign, word or code beside an amount may stand for.
type currency struct {
	code   string   // ISO 4217; "" where only the language tells
	others []string // what it also may be, where something beside it or the language says so
}

// isoCodes are the active codes of ISO 4217, list one, without funds and
// metals, and those that pages still show of the last years.
var isoCodes = setOf(` AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
 CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD
 HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD
 MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
 RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
 USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`)

// lowerCodes are the codes that are no word of a language and so count in
// small letters too.
var lowerCodes = setOf(`aud brl cad chf cny czk dkk eur gbp hkd huf inr jpy krw nok nzd pln rub sek sgd thb uah usd zar`)

// threeDecimals are the currencies of a thousand subunits.
var threeDecimals = setOf(`BHD IQD JOD KWD LYD OMR TND`)

var (
	dollars = []string{"AUD", "CAD", "NZD", "HKD", "SGD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU", "BRL", "FJD", "JMD", "TTD", "BBD", "BSD", "BZD", "XCD", "NAD", "DOP"}
	crowns  = []string{"SEK", "NOK", "DKK", "ISK", "CZK"}
	pounds  = []string{"EGP", "LBP", "SYP", "GIP", "FKP", "SHP"}
	rupees  = []string{"PKR", "LKR", "NPR", "MUR", "SCR"}
)

// currencies are the signs and words beside amounts, in small letters; Latin
// words of one or two letters only as they are written here, for most of
// them are units too.
var currencies = map[string]currency{
	"$": {"USD", dollars}, "us$": {"USD", nil}, "us $": {"USD", nil}, "$us": {"USD", nil}, "$ us": {"USD", nil}, "u$s": {"USD", []string{"UYU"}}, "dollar": {"USD", dollars}, "dollars": {"USD", dollars},
	"€": {"EUR", nil}, "euro": {"EUR", nil}, "euros": {"EUR", nil}, "ευρώ": {"EUR", nil}, "евро": {"EUR", nil}, "євро": {"EUR", nil},
	"£": {"GBP", pounds}, "₤": {"GBP", pounds}, "¥": {"JPY", []string{"CNY"}}, "円": {"JPY", nil}, "yen": {"JPY", nil}, "元": {"CNY", []string{"TWD", "HKD"}}, "圓": {"TWD", []string{"HKD"}}, "人民币": {"CNY", nil}, "rmb": {"CNY", nil}, "cn¥": {"CNY", nil}, "jp¥": {"JPY", nil}, "yuan": {"CNY", nil},
	"a$": {"AUD", nil}, "au$": {"AUD", nil}, "au $": {"AUD", nil}, "ca$": {"CAD", nil}, "ca $": {"CAD", nil}, "c$": {"CAD", []string{"NIO"}}, "can$": {"CAD", nil}, "cdn$": {"CAD", nil}, "$ ca": {"CAD", nil}, "$ca": {"CAD", nil}, "$ can": {"CAD", nil},
	"nz$": {"NZD", nil}, "hk$": {"HKD", nil}, "s$": {"SGD", nil}, "sg$": {"SGD", nil}, "nt$": {"TWD", nil}, "NT": {"TWD", nil}, "mx$": {"MXN", nil}, "mex$": {"MXN", nil}, "r$": {"BRL", nil}, "rd$": {"DOP", nil}, "ar$": {"ARS", nil}, "clp$": {"CLP", nil}, "col$": {"COP", nil}, "$u": {"UYU", nil}, "j$": {"JMD", nil}, "tt$": {"TTD", nil}, "bds$": {"BBD", nil}, "bz$": {"BZD", nil}, "ec$": {"XCD", nil}, "fj$": {"FJD", nil}, "n$": {"NAD", nil}, "b$": {"BND", nil}, "mop$": {"MOP", nil}, "g$": {"GYD", nil},
	"₹": {"INR", nil}, "Rs": {"INR", rupees}, "rs": {"INR", rupees}, "RS": {"INR", rupees}, "₨": {"INR", rupees}, "rupees": {"INR", rupees}, "रु": {"INR", []string{"NPR"}}, "रू": {"NPR", nil}, "रुपये": {"INR", nil}, "৳": {"BDT", nil}, "Tk": {"BDT", nil}, "TK": {"BDT", nil}, "රු": {"LKR", nil},
	"kr": {"", crowns}, "Kr": {"", crowns}, "KR": {"", crowns}, "kronor": {"SEK", nil}, "kroner": {"", []string{"NOK", "DKK"}}, "krónur": {"ISK", nil}, "íkr": {"ISK", nil}, "skr": {"SEK", nil}, "nkr": {"NOK", nil}, "dkr": {"DKK", nil},
	"zł": {"PLN", nil}, "zl": {"PLN", nil}, "Zl": {"PLN", nil}, "ZL": {"PLN", nil}, "złotych": {"PLN", nil}, "kč": {"CZK", nil}, "Kc": {"CZK", nil}, "kc": {"CZK", nil}, "KC": {"CZK", nil}, "korun": {"CZK", nil}, "Ft": {"HUF", nil}, "FT": {"HUF", nil}, "forint": {"HUF", nil}, "lei": {"RON", []string{"MDL"}}, "leu": {"RON", []string{"MDL"}}, "лв": {"BGN", nil}, "lv": {"BGN", nil}, "лева": {"BGN", nil}, "kn": {"HRK", nil}, "din": {"RSD", nil}, "дин": {"RSD", nil}, "ден": {"MKD", nil}, "KM": {"BAM", nil}, "lekë": {"ALL", nil},
	"₽": {"RUB", nil}, "руб": {"RUB", []string{"BYN"}}, "рублей": {"RUB", []string{"BYN"}}, "рубля": {"RUB", []string{"BYN"}}, "рубль": {"RUB", []string{"BYN"}}, "р": {"RUB", []string{"BYN"}}, "rur": {"RUB", nil}, "Br": {"BYN", []string{"ETB"}}, "BR": {"BYN", []string{"ETB"}}, "бел. руб": {"BYN", nil}, "₴": {"UAH", nil}, "грн": {"UAH", nil}, "гривень": {"UAH", nil}, "₸": {"KZT", nil}, "тг": {"KZT", nil}, "тенге": {"KZT", nil}, "сом": {"KGS", nil}, "сум": {"UZS", nil}, "so'm": {"UZS", nil}, "₾": {"GEL", nil}, "֏": {"AMD", nil}, "դր": {"AMD", nil}, "₼": {"AZN", nil}, "ман": {"AZN", nil}, "₮": {"MNT", nil},
	"Fr": {"CHF", []string{"XOF", "XAF"}}, "fr": {"CHF", []string{"XOF", "XAF"}}, "FR": {"CHF", []string{"XOF", "XAF"}}, "sfr": {"CHF", nil}, "franken": {"CHF", nil}, "₺": {"TRY", nil}, "TL": {"TRY", nil}, "Tl": {"TRY", nil}, "₪": {"ILS", nil}, "nis": {"ILS", nil}, "ש\"ח": {"ILS", nil}, "ש״ח": {"ILS", nil},
	"₩": {"KRW", []string{"KPW"}}, "원": {"KRW", nil}, "won": {"KRW", nil}, "₫": {"VND", nil}, "đ": {"VND", nil}, "vnđ": {"VND", nil}, "đồng": {"VND", nil}, "฿": {"THB", nil}, "บาท": {"THB", nil}, "baht": {"THB", nil}, "₱": {"PHP", nil}, "Rp": {"IDR", nil}, "RP": {"IDR", nil}, "RM": {"MYR", nil}, "₭": {"LAK", nil}, "៛": {"KHR", nil}, "Ks": {"MMK", nil},
	"د.إ": {"AED", nil}, "دإ": {"AED", nil}, "درهم": {"AED", []string{"MAD"}}, "dhs": {"AED", nil}, "DH": {"MAD", []string{"AED"}}, "Dh": {"MAD", []string{"AED"}}, "ر.س": {"SAR", nil}, "﷼": {"SAR", []string{"IRR", "OMR", "QAR", "YER"}}, "ريال": {"SAR", []string{"QAR", "OMR", "YER", "IRR"}}, "SR": {"SAR", nil}, "ج.م": {"EGP", nil}, "جنيه": {"EGP", nil}, "e£": {"EGP", nil}, "LE": {"EGP", nil}, "د.ك": {"KWD", nil}, "KD": {"KWD", nil}, "ر.ق": {"QAR", nil}, "QR": {"QAR", nil}, "د.ب": {"BHD", nil}, "BD": {"BHD", nil}, "ر.ع": {"OMR", nil}, "د.ا": {"JOD", nil}, "د.أ": {"JOD", nil}, "JD": {"JOD", nil}, "د.ت": {"TND", nil}, "DT": {"TND", nil}, "د.م": {"MAD", nil}, "د.ج": {"DZD", nil}, "DA": {"DZD", nil}, "د.ع": {"IQD", nil}, "ل.ل": {"LBP", nil}, "ریال": {"IRR", nil}, "؋": {"AFN", nil},
	"₦": {"NGN", nil}, "₵": {"GHS", nil}, "gh₵": {"GHS", nil}, "ghc": {"GHS", nil}, "ksh": {"KES", nil}, "kshs": {"KES", nil}, "tsh": {"TZS", nil}, "ush": {"UGX", nil}, "R": {"ZAR", nil}, "fcfa": {"XAF", []string{"XOF"}}, "f cfa": {"XOF", []string{"XAF"}}, "cfa": {"XOF", []string{"XAF"}}, "MT": {"MZN", nil}, "Mt": {"MZN", nil}, "Kz": {"AOA", nil}, "KZ": {"AOA", nil},
	"ብር": {"ETB", nil}, "ლარი": {"GEL", nil}, "ლარ": {"GEL", nil}, "դրամ": {"AMD", nil}, "драм": {"AMD", nil}, "лари": {"GEL", nil}, "төгрөг": {"MNT", nil}, "manat": {"AZN", []string{"TMT"}}, "манат": {"AZN", []string{"TMT"}}, "រៀល": {"KHR", nil}, "ກີບ": {"LAK", nil}, "ကျပ်": {"MMK", nil}, "lira": {"TRY", []string{"LBP", "SYP"}}, "ليرة": {"", []string{"LBP", "SYP", "TRY"}}, "دينار": {"", []string{"KWD", "IQD", "JOD", "TND", "DZD", "LYD", "BHD"}},
	"t$": {"TOP", nil}, "ws$": {"WST", nil}, "si$": {"SBD", nil}, "l$": {"LRD", nil}, "ci$": {"KYD", nil}, "zk": {"ZMW", nil}, "FBu": {"BIF", nil}, "FRw": {"RWF", nil}, "frw": {"RWF", nil}, "taka": {"BDT", nil}, "টাকা": {"BDT", nil}, "naira": {"NGN", nil}, "cedis": {"GHS", nil}, "birr": {"ETB", nil}, "rand": {"ZAR", nil}, "shekel": {"ILS", nil}, "shekels": {"ILS", nil}, "ringgit": {"MYR", nil}, "rupiah": {"IDR", nil}, "dirham": {"AED", []string{"MAD"}}, "dirhams": {"AED", []string{"MAD"}}, "гривня": {"UAH", nil}, "гривні": {"UAH", nil}, "hryvnia": {"UAH", nil}, "rubles": {"RUB", []string{"BYN"}}, "soles": {"", []string{"PEN"}}, "guaraníes": {"PYG", nil}, "colones": {"CRC", nil}, "quetzales": {"GTQ", nil}, "lempiras": {"HNL", nil}, "córdobas": {"NIO", nil}, "bolivianos": {"BOB", nil},
	"s/": {"PEN", nil}, "s/.": {"PEN", nil}, "Bs": {"BOB", []string{"VES"}}, "BS": {"BOB", []string{"VES"}}, "₲": {"PYG", nil}, "Gs": {"PYG", nil}, "GS": {"PYG", nil}, "₡": {"CRC", nil}, "Q": {"GTQ", nil}, "L": {"HNL", nil}, "b/.": {"PAB", nil}, "pesos": {"MXN", []string{"ARS", "CLP", "COP", "UYU", "PHP"}}, "reais": {"BRL", nil},
}

// onlyBefore are signs that behind a number are something else.
var onlyBefore = setOf(`R Q L LE`)

// subunits are signs for a hundredth.
var subunits = map[string]string{"¢": "USD", "p": "GBP"}

// regional gives the currency that a sign with several meanings has in a
// region, or in a language where no region is given.
var regional = map[string]string{
	"AU": "AUD", "CA": "CAD", "NZ": "NZD", "HK": "HKD", "SG": "SGD", "TW": "TWD", "MX": "MXN", "AR": "ARS", "CL": "CLP", "CO": "COP", "UY": "UYU", "FJ": "FJD", "JM": "JMD", "TT": "TTD", "DO": "DOP", "NI": "NIO",
	"PE": "PEN", "KW": "KWD", "IQ": "IQD", "JO": "JOD", "TN": "TND", "DZ": "DZD", "LY": "LYD", "BH": "BHD", "TR": "TRY", "tr": "TRY", "TM": "TMT", "tk": "TMT",
	"SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK", "CZ": "CZK", "EG": "EGP", "LB": "LBP", "SY": "SYP", "GI": "GIP", "PK": "PKR", "LK": "LKR", "NP": "NPR", "MU": "MUR", "CN": "CNY", "MD": "MDL", "BY": "BYN", "ET": "ETB",
	"AE": "AED", "MA": "MAD", "IR": "IRR", "OM": "OMR", "QA": "QAR", "YE": "YER", "SN": "XOF", "CI": "XOF", "CM": "XAF", "VE": "VES", "PH": "PHP", "KP": "KPW",
	"sv": "SEK", "nb": "NOK", "nn": "NOK", "no": "NOK", "da": "DKK", "is": "ISK", "cs": "CZK", "ur": "PKR", "si": "LKR", "ne": "NPR", "zh": "CNY", "fa": "IRR", "be": "BYN", "am": "ETB",
}

// in resolves a sign by the language of the page.
func (c currency) in(tag string) string {
	if len(c.others) > 0 {
		language, region := languageOf(tag)
		for _, place := range []string{region, language} {
			if code := regional[place]; code != "" && slices.Contains(c.others, code) {
				return code
			}
		}
	}
	return c.code
}

const longestCurrency = 20 // bytes

// lookUpCurrency finds what s stands for.
func lookUpCurrency(s string) (currency, bool) {
	if isoCodes[s] || len(s) == 3 && lowerCodes[strings.ToLower(s)] {
		return currency{code: strings.ToUpper(s)}, true
	}
	if c, ok := currencies[s]; ok {
		return c, true
	}
	if len(s) <= 2 && asciiLetters(s) {
		return currency{}, false
	}
	c, ok := currencies[strings.ToLower(s)]
	return c, ok
}

func asciiLetters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// currencyBefore finds the longest sign that ends s.
func currencyBefore(s string) (c currency, rest string, ok bool) {
	s = strings.TrimRight(s, " \n")
	for _, t := range []string{s, strings.TrimSuffix(strings.TrimSuffix(s, ":"), ".")} {
		for i := max(0, len(t)-longestCurrency); i < len(t); i++ {
			if !utf8.RuneStart(t[i]) {
				continue
			}
			first, _ := utf8.DecodeRuneInString(t[i:])
			before, _ := utf8.DecodeLastRuneInString(t[:i])
			if joinsDigits(first) && (unicode.IsLetter(before) || unicode.IsMark(before)) {
				continue
			}
			if c, ok := lookUpCurrency(t[i:]); ok {
				return c, t[:i], true
			}
		}
	}
	return currency{}, s, false
}

// currencyAfter finds the longest sign that begins s.
func currencyAfter(s string) (c currency, rest string, ok bool) {
	s = strings.TrimLeft(s, " \n")
	for i := min(len(s), longestCurrency); i > 0; i-- {
		if i < len(s) && !utf8.RuneStart(s[i]) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i:])
		if joinsDigits(last) && (unicode.IsLetter(after) || unicode.IsMark(after)) {
			continue
		}
		if c, ok := lookUpCurrency(s[:i]); ok && !onlyBefore[s[:i]] {
			return c, s[i:], true
		}
	}
	return currency{}, s, false
}
