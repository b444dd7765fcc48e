package extract

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPrice(t *testing.T) {
	check(t, "price", func(f found) (string, error) {
		p, err := parsePrice(f)
		amount := string(p.Amount)
		if p.AmountMax != "" {
			amount += ".." + string(p.AmountMax)
		}
		return strings.TrimSpace(amount + " " + p.Currency), err
	})
}

func TestPriceCasesAreMany(t *testing.T) {
	cases := textCases(t, "price")
	currencies := map[string]bool{}
	for _, c := range cases {
		if _, code, ok := strings.Cut(c.want, " "); ok {
			currencies[code] = true
		}
	}
	if len(cases) < 600 || len(currencies) < 100 {
		t.Errorf("%d price cases of %d currencies, want at least 600 of 100", len(cases), len(currencies))
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
	for _, c := range []struct {
		price Price
		want  string
	}{
		{Price{Amount: "1234.50", Currency: "GBP"}, `{"amount":1234.50,"currency":"GBP"}`},
		{Price{Amount: "10", AmountMax: "20.5", Currency: "EUR"}, `{"amount":10,"amount_max":20.5,"currency":"EUR"}`},
	} {
		if got, err := json.Marshal(c.price); err != nil || string(got) != c.want {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
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
