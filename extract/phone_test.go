package extract

import (
	"regexp"
	"testing"
)

func TestPhone(t *testing.T) {
	check(t, "phone", func(f found) (string, error) { return parsePhone(f.text, f.work.lang) })
}

// TestPhoneCountries checks that each country's calling code is one.
func TestPhoneCountries(t *testing.T) {
	for region, c := range phoneCountries {
		if !callingCodes[c.code] || c.min < 4 || c.max < c.min || len(c.code)+c.max > maxPhone {
			t.Errorf("%s: %+v", region, c)
		}
	}
	for region := range dialAbroad {
		if _, ok := phoneCountries[region]; !ok {
			t.Errorf("%s: no country", region)
		}
	}
}

var wellFormedPhone = regexp.MustCompile(`^(\+[1-9]\d{6,14}|\d{6,15})$`)

// FuzzPhone checks that every number read is one of E.164 or digits alone,
// and that the former is read as itself.
func FuzzPhone(f *testing.F) {
	for _, c := range textCases(f, "phone") {
		f.Add(c.text, c.lang)
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		n, err := parsePhone(text, lang)
		if err != nil {
			return
		}
		if !wellFormedPhone.MatchString(n) {
			t.Fatalf("%q: %s", text, n)
		}
		if again, err := parsePhone(n, lang); n[0] == '+' && (err != nil || again != n) {
			t.Fatalf("%q: %s became %s, %v", text, n, again, err)
		}
	})
}
