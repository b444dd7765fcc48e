package sqltext

import "testing"

func TestCheckCondition(t *testing.T) {
	for text, want := range map[string]error{
		"price > 10":                       nil,
		"name IN ('a)', \"b\", [c(], `d`)": nil,
		"name = 'it''s; fine'":             nil,
		"a -- what follows is left out":    nil,
		"a /* ) */ = 1":                    nil,
		"":                                 errCondition,
		"1; DROP TABLE records":            errCondition,
		"a\x00":                            errCondition,
		"1) OR (1":                         errConditionClose,
		"(a":                               errConditionOpen,
		"a = 'b":                           errConditionOpen,
		"a /* b":                           errConditionOpen,
	} {
		t.Run(text, func(t *testing.T) {
			if err := CheckCondition(text); err != want {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

func TestOneStatement(t *testing.T) {
	for _, c := range []struct {
		query, want string
		err         error
	}{
		{"SELECT 1", "SELECT 1", nil},
		{"SELECT ';' ; -- the end", "SELECT ';' ;", nil},
		{"SELECT \"a;\" /* ; */ FROM [b;]", "SELECT \"a;\" /* ; */ FROM [b;]", nil},
		{"SELECT 1; SELECT 2", "", errMoreStatements},
		{" ; -- nothing", "", errNoStatement},
	} {
		t.Run(c.query, func(t *testing.T) {
			if got, err := OneStatement(c.query); got != c.want || err != c.err {
				t.Errorf("%q, %v, want %q, %v", got, err, c.want, c.err)
			}
		})
	}
}

func TestQuote(t *testing.T) {
	if got := QuoteName(`a"b`) + QuoteText("it's"); got != `"a""b"'it''s'` {
		t.Errorf("quoted as %s", got)
	}
}
