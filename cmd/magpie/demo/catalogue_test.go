package demo

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestCatalogue(t *testing.T) {
	site := New()
	products := site.Products()
	if len(products) != 60 {
		t.Errorf("%d products, want 60", len(products))
	}
	amount := regexp.MustCompile(`^\d+(\.\d{2})?$`)
	currency := regexp.MustCompile(`^[A-Z]{3}$`)
	seen := map[string]bool{}
	for _, p := range products {
		t.Run(p.SKU, func(t *testing.T) {
			if seen[p.SKU] || seen[p.Path] || seen[p.Name] {
				t.Error("its SKU, path or name is another product's")
			}
			seen[p.SKU], seen[p.Path], seen[p.Name] = true, true, true
			for _, price := range []*Price{&p.Price, p.Was} {
				if price != nil && (!amount.MatchString(price.Amount) || !currency.MatchString(price.Currency)) {
					t.Errorf("price %+v", *price)
				}
			}
			dates := []string{p.Listed}
			for _, r := range p.Reviews {
				dates = append(dates, r.Date)
			}
			for _, d := range dates {
				if _, err := time.Parse(time.DateOnly, d); err != nil {
					t.Error(err)
				}
			}
			if p.Rating < 1 || p.Rating > 5 {
				t.Errorf("rating %d", p.Rating)
			}
			if len(p.Description) == 0 || len(p.Tags) == 0 || len(p.Facts) == 0 || len(p.Shipping) == 0 {
				t.Errorf("something is missing: %+v", p)
			}
		})
	}
}

// TestFiguresAgree holds what a page says beside what the catalogue says it
// means: the digits must be the same.
func TestFiguresAgree(t *testing.T) {
	notDigit := regexp.MustCompile(`\D`)
	arabic := strings.NewReplacer("٠", "0", "١", "1", "٢", "2", "٣", "3", "٥", "5", "٩", "9")
	digits := func(s string) string { return notDigit.ReplaceAllString(arabic.Replace(s), "") }
	for _, c := range New().categories {
		for _, p := range c.Products {
			t.Run(p.SKU, func(t *testing.T) {
				prices := []written{p.Price}
				if p.Was != nil {
					prices = append(prices, *p.Was)
				}
				for _, w := range prices {
					if digits(w.Says) != digits(w.Means) {
						t.Errorf("%q is not %q", w.Says, w.Means)
					}
				}
				dates := []written{p.Date}
				for _, r := range p.Reviews {
					dates = append(dates, r.Date)
				}
				for _, w := range dates {
					date, _ := time.Parse(time.DateOnly, w.Means)
					says := arabic.Replace(w.Says)
					if !regexp.MustCompile(`(^|\D)`+date.Format("2006")+`(\D|$)`).MatchString(says) ||
						!regexp.MustCompile(`(^|\D)0?`+date.Format("2")+`(\D|$)`).MatchString(says) {
						t.Errorf("%q is not %q", w.Says, w.Means)
					}
				}
			})
		}
	}
}
