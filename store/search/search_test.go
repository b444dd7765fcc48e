package search

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"blanks and marks", "A brass-lantern, 3.5 kg!", "a brass lantern 3 5 kg"},
		{"case", "ΛΑΜΠΤΉΡΑΣ Straße İstanbul", "λαμπτηρασ strasse istanbul"},
		{"diacritics", "Café naïve Łódź Ærø Đà Nẵng", "cafe naive lodz aero da nang"},
		{"decomposed", "Cafe\u0301", "cafe"},
		{"compatibility", "ﬁne ㎏ ＦＵＬＬ", "fine full"},
		{"cyrillic", "Ёлка Йод", "елка иод"},
		{"arabic vowels", "كِتَابٌ", "كتاب"},
		{"hebrew points", "שָׁלוֹם", "שלום"},
		{"devanagari keeps its vowels", "हिन्दी", "हिन्दी"},
		{"soft hyphen", "lan\u00adtern", "lantern"},
		{"chinese", "漢字典 書", "漢字 字典 典 書"},
		{"mixed with latin", "iPhone15ケース", "iphone15 ケー ース ス"},
		{"japanese sound marks differ", "がか", "がか か"},
		{"halfwidth katakana", "ｶﾞｲﾄﾞ", "ガイ イド ド"},
		{"hangul", "한국어", "한국 국어 어"},
		{"thai", "กาแฟ", "กา าแ แฟ ฟ"},
		{"nothing", "… — 🔥 \x00\xff", ""},
		{"too long", strings.Repeat("a", 100), strings.Repeat("a", longest)},
		{"marks of the index", "\uE000x\uE001y", "x y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			eachWord(c.text, func(w word) {
				got = append(got, w.text)
				if w.from < 0 || w.to > len(c.text) || w.from >= w.to {
					t.Errorf("%q stands at %d to %d", w.text, w.from, w.to)
				}
			})
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("a long run keeps all characters", func(t *testing.T) {
		n := 0
		eachWord(strings.Repeat("漢", 1000), func(w word) { n++ })
		if n != 1000 {
			t.Errorf("%d words", n)
		}
	})
}

func knownFields(name string) (string, bool) {
	id, ok := map[string]string{"title": "1", "price": "2"}[strings.ToLower(name)]
	return id, ok
}

func TestParseQuery(t *testing.T) {
	for _, c := range []struct{ name, typed, want string }{
		{"words", "Brass Lantern", `("brass") AND ("lantern")`},
		{"phrase", `"brass lantern" x`, `("brass lantern") AND ("x")`},
		{"phrase without an end", `"brass lantern`, `("brass lantern")`},
		{"other quotes", `“brass lantern” „a b“ x`, `("brass lantern") AND ("a b") AND ("x")`},
		{"or", "brass OR copper lamp", `("brass" OR "copper") AND ("lamp")`},
		{"or at the ends", "OR brass OR", `("brass")`},
		{"and", "brass AND lamp", `("brass") AND ("lamp")`},
		{"without", `lamp -brass -"of tin"`, `(("lamp")) NOT ("brass" OR "of tin")`},
		{"NOT", "lamp NOT brass", `(("lamp")) NOT ("brass")`},
		{"small operators are words", "or not and near", `("or") AND ("not") AND ("and") AND ("near")`},
		{"prefix", "lant* x", `("lant*") AND ("x")`},
		{"prefix of a phrase", `"brass lant*" "a b"*`, `("brass lant*") AND ("a b*")`},
		{"field", "title:lantern", "(\"\uE0001\uE000lantern\")"},
		{"field and phrase", `TITLE:"brass lan*" x`, "(\"\uE0001\uE000brass \uE0001\uE000lan*\") AND (\"x\")"},
		{"field left out", "x -price:gbp", "((\"x\")) NOT (\"\uE0002\uE000gbp\")"},
		{"an unknown field is a word", "titel:lantern", `("titel lantern")`},
		{"an address", "https://shop.example/a", `("https shop example a")`},
		{"parts", "e-mail don't", `("e mail") AND ("don t")`},
		{"chinese", "漢字典", `("漢字 字典")`},
		{"one character", "漢", `("漢*")`},
		{"a run before another", "漢字abc", `("漢字 字 abc")`},
		{"MATCH's own signs", `^a NEAR/2 b* (c) "d" * : {e}`, `("a") AND ("near 2") AND ("b*") AND ("c") AND ("d") AND ("e")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := ParseQuery(c.typed, knownFields)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, q.Match()); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, c := range []struct {
		name, typed string
		want        error
	}{
		{"empty", "", ErrNoWords},
		{"signs", `"" - * OR :`, ErrNoWords},
		{"only without", "-a NOT b", ErrOnlyWithout},
		{"very many", strings.Repeat("a ", MaxTerms+1), ErrTooLong},
		{"a very long phrase", strings.Repeat("a.", MaxTerms+1), ErrTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ParseQuery(c.typed, knownFields); !errors.Is(err, c.want) {
				t.Errorf("error = %v, want %v", err, c.want)
			}
		})
	}
	t.Run("unknown fields", func(t *testing.T) {
		q, err := ParseQuery(`titel:x note: http://a author:"b c" title:y`, knownFields)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"titel", "author"}, q.Unknown); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("nothing of note here. ", 40)
	for _, c := range []struct {
		name, typed string
		values      []Value
		want        string // matches in [], the name of the value before it
	}{
		{"as it is written", "LANTERN cafe", []Value{{Name: "t", Text: "Lantern for a Café"}}, "t: [Lantern] for a [Café]"},
		{"the value with most", "brass lantern", []Value{{Name: "a", Text: "a lantern"}, {Name: "b", Text: "lantern of brass"}}, "b: [lantern] of [brass]"},
		{"a phrase alone", `"brass lantern"`, []Value{{Name: "a", Text: "lantern, brass"}, {Name: "b", Text: "a brass   lantern"}}, "b: a [brass lantern]"},
		{"a field alone", "title:x", []Value{{Name: "a", Text: "x"}, {Name: "title", Field: "1", Text: "an x"}}, "title: an [x]"},
		{"a prefix", "lan*", []Value{{Name: "a", Text: "these lanterns"}}, "a: these [lanterns]"},
		{"characters", "字", []Value{{Name: "a", Text: "漢字典"}}, "a: 漢[字]典"},
		{"a part of a run", "字典", []Value{{Name: "a", Text: "漢字典です"}}, "a: 漢[字典]です"},
		{"from within", "lantern", []Value{{Name: "a", Text: long + "the lantern\nis here. " + long}},
			"a: …note here. nothing of note here. the [lantern] is here. nothing of note here. nothing of note here. nothing of note here. nothing of note here. nothing of note…"},
		{"where most are", "brass lantern", []Value{{Name: "a", Text: "lantern. " + long + "brass lantern"}},
			"a: …of note here. nothing of note here. [brass] [lantern]"},
		{"a word longer than an excerpt", "xx* b", []Value{{Name: "a", Text: "a " + strings.Repeat("x", 5000) + " b"}}, "a: a [" + strings.Repeat("x", excerptLength-2) + "]…"},
		{"not what is left out", "a -b", []Value{{Name: "a", Text: "a c"}}, "a: [a] c"},
		{"nowhere", "z", []Value{{Name: "a", Text: "a"}}, ": "},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := ParseQuery(c.typed, knownFields)
			if err != nil {
				t.Fatal(err)
			}
			name, fragments := q.Snippet(c.values)
			got := name + ": "
			for _, f := range fragments {
				if f.Match {
					got += "[" + f.Text + "]"
				} else {
					got += f.Text
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScoreRefuses(t *testing.T) {
	for name, info := range map[string][]byte{"nothing": nil, "odd": make([]byte, 9), "zeros": make([]byte, 64),
		"too short": {1, 0, 0, 0, 2, 0, 0, 0}, "very many": {255, 255, 255, 255, 255, 255, 255, 255}} {
		t.Run(name, func(t *testing.T) {
			if s, err := Score(info); err == nil {
				t.Errorf("Score = %v", s)
			}
		})
	}
}

// FuzzQuery holds that whatever is typed and whatever is searched, what the
// query matches is marked within the text.
func FuzzQuery(f *testing.F) {
	f.Add(`"a b" -c title:d* 漢字`, "a b 漢字")
	f.Add("-", "")
	f.Fuzz(func(t *testing.T, typed, text string) {
		q, err := ParseQuery(typed, knownFields)
		if err != nil {
			return
		}
		if m := q.Match(); strings.Count(m, `"`)%2 != 0 {
			t.Errorf("%q became %q", typed, m)
		}
		_, fragments := q.Snippet([]Value{{Name: "a", Field: "1", Text: text}})
		for _, part := range fragments {
			if part.Text == "" {
				t.Errorf("an empty fragment in %+v", fragments)
			}
		}
		Columns([]Value{{Field: "1", Text: text}})
	})
}
