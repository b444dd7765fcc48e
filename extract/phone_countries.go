package extract

import (
	"strconv"
	"strings"
)

// callingCodes are the country codes that are given out, also those of
// networks that belong to no country.
//
// https://www.itu.int/pub/T-SP-E.164D
var callingCodes = setOf(`1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86
 90 91 92 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244
 245 246 247 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266 267 268 269 290 291 297 298 299 350 351 352 353 354 355
 356 357 358 359 370 371 372 373 374 375 376 377 378 380 381 382 383 385 386 387 389 420 421 423 500 501 502 503 504 505 506 507 508 509 590
 591 592 593 594 595 596 597 598 599 670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691 692 800 808 850 852 853
 855 856 870 878 880 881 882 883 886 888 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 976 977 979 992 993 994 995 996 998`)

// phoneCountry says how the numbers of a country are written at home.
type phoneCountry struct {
	code     string // calling code
	trunk    string // what is dialled before the area code, and left out from abroad
	optional bool   // numbers are written without trunk too
	min, max int    // digits without trunk
}

// phoneCountries are lines of region, calling code, trunk prefix (- for none,
// with ? where it may be left out) and the counts of digits without it.
var phoneCountries = func() map[string]phoneCountry {
	m := map[string]phoneCountry{}
	for line := range strings.SplitSeq(`US 1 1? 10 10;CA 1 1? 10 10;PR 1 1? 10 10;DO 1 1? 10 10;JM 1 1? 10 10;TT 1 1? 10 10;BS 1 1? 10 10;BB 1 1? 10 10
GB 44 0 9 10;IE 353 0 7 9;DE 49 0 5 11;AT 43 0 4 13;CH 41 0 9 9;LI 423 - 7 7;FR 33 0 9 9;BE 32 0 8 9;NL 31 0 9 9;LU 352 - 6 9;MC 377 - 8 9;IT 39 - 6 11;SM 378 - 6 10
ES 34 - 9 9;PT 351 - 9 9;AD 376 - 6 6;GR 30 - 10 10;CY 357 - 8 8;MT 356 - 8 8;DK 45 - 8 8;NO 47 - 8 8;SE 46 0 7 9;FI 358 0 5 11;IS 354 - 7 7;EE 372 - 7 8;LV 371 - 8 8;LT 370 0 8 8
PL 48 - 9 9;CZ 420 - 9 9;SK 421 0 9 9;HU 36 06 8 9;RO 40 0 9 9;BG 359 0 7 9;SI 386 0 8 8;HR 385 0 8 9;RS 381 0 8 9;BA 387 0 8 8;ME 382 0 8 8;MK 389 0 8 8;AL 355 0 8 9;XK 383 0 8 8
UA 380 0 9 9;BY 375 80 9 9;RU 7 8? 10 10;KZ 7 8? 10 10;MD 373 0 8 8;AM 374 0 8 8;AZ 994 0 9 9;GE 995 0? 9 9;UZ 998 - 9 9;KG 996 0 9 9;TJ 992 - 9 9;TM 993 8 8 8;MN 976 - 8 8
TR 90 0? 10 10;IL 972 0 8 9;PS 970 0 8 9;LB 961 0 7 8;JO 962 0 8 9;SY 963 0 8 9;IQ 964 0 8 10;IR 98 0 10 10;SA 966 0 9 9;AE 971 0 8 9;KW 965 - 8 8;QA 974 - 8 8;BH 973 - 8 8;OM 968 - 8 8;YE 967 0 7 9
EG 20 0 8 10;MA 212 0 9 9;DZ 213 0 8 9;TN 216 - 8 8;LY 218 0 8 9;SD 249 0 9 9;ZA 27 0 9 9;NG 234 0 8 10;KE 254 0 9 9;GH 233 0 9 9;TZ 255 0 9 9;UG 256 0 9 9;ET 251 0 9 9
SN 221 - 9 9;CI 225 - 10 10;CM 237 - 9 9;AO 244 - 9 9;MZ 258 - 8 9;ZM 260 0 9 9;ZW 263 0 8 9;NA 264 0 8 9;BW 267 - 7 8;MU 230 - 7 8;RW 250 0 9 9
IN 91 0? 10 10;PK 92 0 9 10;BD 880 0 8 10;LK 94 0 9 9;NP 977 0 8 10;AF 93 0 9 9;CN 86 0 9 11;HK 852 - 8 8;MO 853 - 8 8;TW 886 0 8 9;JP 81 0 9 10;KR 82 0 8 10;SG 65 - 8 8;MY 60 0 8 10
TH 66 0 8 9;VN 84 0 9 10;PH 63 0 8 10;ID 62 0 8 11;KH 855 0 8 9;LA 856 0 8 10;MM 95 0 7 10;BN 673 - 7 7;AU 61 0 9 9;NZ 64 0 8 10;FJ 679 - 7 7;PG 675 - 7 8
BR 55 0? 10 11;AR 54 0? 10 10;MX 52 - 10 10;CL 56 - 9 9;CO 57 - 10 10;PE 51 0? 8 9;VE 58 0? 10 10;EC 593 0 8 9;BO 591 - 8 8;PY 595 0 8 9;UY 598 0? 8 8;CR 506 - 8 8;PA 507 - 7 8;GT 502 - 8 8;HN 504 - 8 8;SV 503 - 8 8;NI 505 - 8 8;CU 53 0 8 8`, "\n") {
		for entry := range strings.SplitSeq(line, ";") {
			f := strings.Fields(entry)
			trunk, optional := strings.CutSuffix(f[2], "?")
			c := phoneCountry{code: f[1], trunk: strings.Trim(trunk, "-"), optional: optional}
			c.min, _ = strconv.Atoi(f[3])
			c.max, _ = strconv.Atoi(f[4])
			m[f[0]] = c
		}
	}
	return m
}()

// dialAbroad are the prefixes for numbers abroad where they aren't 00.
var dialAbroad = map[string]string{
	"US": "011", "CA": "011", "PR": "011", "DO": "011", "JM": "011", "TT": "011", "BS": "011", "BB": "011", "AU": "0011", "JP": "010", "RU": "810", "KZ": "810", "BY": "810",
	"SG": "001", "HK": "001", "TH": "001", "ID": "001", "TW": "002", "KR": "00700", "KE": "000", "TZ": "000", "UG": "000", "NG": "009",
}

// keepsZero are the calling codes whose numbers begin with the 0 that is
// dialled at home.
var keepsZero = setOf(`39 378 225 241 242`)

// zeroTrunk are the calling codes behind which a 0 can only be the trunk
// prefix, which does not belong there.
var zeroTrunk = func() map[string]bool {
	m := map[string]bool{}
	for _, c := range phoneCountries {
		if c.trunk == "0" {
			m[c.code] = true
		}
	}
	return m
}()
