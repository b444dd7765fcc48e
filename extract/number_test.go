package extract

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

func TestNumber(t *testing.T) {
	check(t, "number", func(f found) (string, error) {
		n, err := parseNumber(f, Number)
		return string(n), err
	})
}

func TestInteger(t *testing.T) {
	check(t, "integer", func(f found) (string, error) {
		n, err := parseInteger(f)
		return strconv.FormatInt(n, 10), err
	})
}

func TestBool(t *testing.T) {
	check(t, "bool", func(f found) (string, error) {
		b, err := parseBool(f.text)
		return strconv.FormatBool(b), err
	})
}

// TestDigitValue checks every decimal digit of Unicode: each script has ten
// in a row from zero on.
func TestDigitValue(t *testing.T) {
	want := rune(0)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			if want != 0 {
				t.Fatalf("a run of digits ends at %U after %d", r, want)
			}
			continue
		}
		if got := digitValue(r); got != want {
			t.Fatalf("%U: got %d, want %d", r, got, want)
		}
		want = (want + 1) % 10
	}
}

func TestNumberOfAttribute(t *testing.T) {
	for text, want := range map[string]string{"1.234": "1.234", "1,234": "1.234", "1.234 kg": "1234"} {
		t.Run(text, func(t *testing.T) {
			n, err := parseNumber(found{text: text, attr: true, work: &work{lang: "de"}}, Number)
			if err != nil || string(n) != want {
				t.Errorf("got %s, %v, want %s", n, err, want)
			}
		})
	}
}

// FuzzNumber checks that every number read is a JSON number, and that plain
// decimals keep their value.
func FuzzNumber(f *testing.F) {
	for _, c := range textCases(f, "number") {
		f.Add(c.text, c.lang)
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		v, err := Number.convert(found{text: text, work: &work{lang: lang, steps: maxSteps}})
		if err == nil && !json.Valid([]byte(v.(json.Number))) {
			t.Fatalf("%q: %s is no JSON number", text, v)
		}
		Integer.convert(found{text: text, work: &work{lang: lang, steps: maxSteps}})
		if plain, ok := new(big.Rat).SetString(text); ok && plainDecimal(text) {
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if got, ok := new(big.Rat).SetString(string(v.(json.Number))); !ok || got.Cmp(plain) != 0 {
				t.Fatalf("%q became %s", text, v)
			}
		}
	})
}

// plainDecimal tells texts that have one reading in every country.
func plainDecimal(s string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return len(s) < 100 && digits(whole) && (!point || digits(fraction) && len(fraction) != 3)
}
