package extract

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPrice(t *testing.T) {
	check(t, "price", func(f found) (string, error) {
		p, err := parsePrice(f)
		return strings.TrimSpace(string(p.Amount) + " " + p.Currency), err
	})
}

func TestPriceCasesAreMany(t *testing.T) {
	if n := len(textCases(t, "price")); n < 300 {
		t.Errorf("%d price cases, want at least 300", n)
	}
}

func TestPriceOfAttribute(t *testing.T) {
	for text, want := range map[string]string{"1.234": "1.234", "1.234 €": "1234", "1,234": "1234", "19.990": "19.990"} {
		t.Run(text, func(t *testing.T) {
			p, err := parsePrice(found{text: text, attr: true, work: &work{}})
			if err != nil || string(p.Amount) != want {
				t.Errorf("got %v, %v, want %s", p, err, want)
			}
		})
	}
}

func TestPriceJSON(t *testing.T) {
	got, err := json.Marshal(Price{"1234.50", "GBP"})
	if want := `{"amount":1234.50,"currency":"GBP"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// FuzzPrice checks that every price read is a JSON number and an ISO code.
func FuzzPrice(f *testing.F) {
	for _, c := range textCases(f, "price") {
		f.Add(c.text, c.lang)
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		p, err := PriceType.convert(found{text: text, work: &work{lang: lang, steps: maxSteps}})
		if err != nil {
			return
		}
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if code := p.(Price).Currency; code != "" && !isoCodes[code] {
			t.Fatalf("%q: %s: no ISO code", text, b)
		}
	})
}
