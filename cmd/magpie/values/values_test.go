package values

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
)

func TestDisplay(t *testing.T) {
	stored := extract.Object{{Name: "amount", Value: json.Number("12.50")}, {Name: "currency", Value: "GBP"}}
	for _, tt := range []struct {
		name          string
		value         any
		display, cell string
	}{
		{"nothing", nil, "", ""},
		{"text", "a\nb", "a\nb", "a\nb"},
		{"number", json.Number("1.50"), "1.50", "1.50"},
		{"integer", int64(-3), "-3", "-3"},
		{"truth", true, "true", "true"},
		{"price", extract.Price{Amount: "12.50", Currency: "GBP"}, "12.50 GBP", `{"amount":12.50,"currency":"GBP"}`},
		{"range of prices", extract.Price{Amount: "5", AmountMax: "7", Currency: "EUR"}, "5–7 EUR", `{"amount":5,"amount_max":7,"currency":"EUR"}`},
		{"price without a currency", extract.Price{Amount: "5"}, "5", `{"amount":5,"currency":""}`},
		{"stored price", stored, "12.50 GBP", `{"amount":12.50,"currency":"GBP"}`},
		{"list", []any{"a", int64(2)}, "a, 2", `["a",2]`},
		{"object", extract.Object{{Name: "by", Value: "Ann"}, {Name: "stars", Value: int64(5)}}, "by: Ann; stars: 5", `{"by":"Ann","stars":5}`},
		{"list of objects", []any{stored, nil}, "12.50 GBP, ", `[{"amount":12.50,"currency":"GBP"},null]`},
		{"markup", []any{"<b>&"}, "<b>&", `["<b>&"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Display(tt.value); got != tt.display {
				t.Errorf("displayed as %q, want %q", got, tt.display)
			}
			if got := Cell(tt.value); got != tt.cell {
				t.Errorf("in a cell %q, want %q", got, tt.cell)
			}
		})
	}
}

func TestKey(t *testing.T) {
	for _, tt := range []struct{ name, key, want string }{
		{"a URL", "https://shop.test/x", "https://shop.test/x"},
		{"one value", `["a b"]`, "a b"},
		{"several", `["a",2,null]`, "a, 2, "},
		{"a long number", `[12345678901234567890]`, "12345678901234567890"},
		{"a number that floats would round", `[12345678,0.10]`, "12345678, 0.10"},
		{"a list within", `[["a","b"]]`, "a, b"},
		{"no JSON", `["a"`, `["a"`},
		{"more than a list", `["a"],"w":["b"]`, `["a"],"w":["b"]`},
		{"brackets in a text", "[a]", "[a]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Key(tt.key); got != tt.want {
				t.Errorf("Key(%s) = %q, want %q", tt.key, got, tt.want)
			}
		})
	}
}

func TestStored(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"text", `"a \u003cb\u003e"`, "a <b>"},
		{"price", `{"amount":12.50,"currency":"GBP"}`, "12.50 GBP"},
		{"list", `["a",2,true]`, "a, 2, true"},
		{"a long number", `12345678901234567890`, "12345678901234567890"},
		{"nothing", `null`, ""},
		{"no JSON", `{"a`, `{"a`},
		{"more than a value", `1,"w":2`, `1,"w":2`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Stored(json.RawMessage(tt.value)); got != tt.want {
				t.Errorf("Stored(%s) = %q, want %q", tt.value, got, tt.want)
			}
		})
	}
	t.Run("no value", func(t *testing.T) {
		if got := Stored(nil); got != "(none)" {
			t.Errorf("Stored(nil) = %q", got)
		}
	})
}

func TestDiffering(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, tt := range []struct{ name, old, now, wantOld, wantNow string }{
		{"short", "a", "b", "a", "b"},
		{"from the first on", "a" + long, "b", "a" + long[:ShortLength-1] + "…", "b"},
		{"far in", long + "a", long + "b", "…" + long[:maxSame] + "a", "…" + long[:maxSame] + "b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if old, now := Differing(tt.old, tt.now); old != tt.wantOld || now != tt.wantNow {
				t.Errorf("%q and %q, want %q and %q", old, now, tt.wantOld, tt.wantNow)
			}
		})
	}
}
