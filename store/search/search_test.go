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
	id, ok := map[string]string{"title": "1", "price": "2", "note": "31"}[strings.ToLower(name)]
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
		{"prefix", "lant* x", `("lant" *) AND ("x")`},
		{"prefix of a phrase", `"brass lant*" "a b"*`, `("brass lant" *) AND ("a b" *)`},
		{"field", "title:lantern", `(f1 : "lantern")`},
		{"field and phrase", `TITLE:"brass lan*" x`, `(f1 : "brass lan" *) AND ("x")`},
		{"field left out", "x -price:gbp", `(("x")) NOT (f2 : "gbp")`},
		{"a field among others", "note:gbp OR title:x", `("` + "\uE00031\uE000" + `gbp" OR f1 : "x")`},
		{"a phrase among others", `note:"a b*"`, `("` + "\uE00031\uE000a \uE00031\uE000" + `b" *)`},
		{"an unknown field is a word", "titel:lantern", `("titel lantern")`},
		{"an address", "https://shop.example/a", `("https shop example a")`},
		{"parts", "e-mail don't", `("e mail") AND ("don t")`},
		{"chinese", "漢字典", `("漢字 字典")`},
		{"one character", "漢", `("漢" *)`},
		{"a run before another", "漢字abc", `("漢字 字 abc")`},
		{"MATCH's own signs", `^a NEAR/2 b* (c) "d" * : {e}`, `("a") AND ("near 2") AND ("b" *) AND ("c") AND ("d") AND ("e")`},
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
		q, err := ParseQuery(`titel:x nope: http://a author:"b c" title:y`, knownFields)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"titel", "author"}, q.Unknown); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTexts(t *testing.T) {
	texts := Texts([]Value{{Field: "2", Text: "Brass Lantern"}, {Field: "30", Text: "a"}, {Field: "31", Text: "b c"}, {Field: "2", Text: "Door"},
		{Text: "d"}, {Field: "32", Text: "e"}})
	want := map[string]string{"f2": "brass lantern \uE001 door ", "f30": "a ", "shared": "b c \uE001 d \uE001 e ",
		"marked": "\uE00031\uE000b \uE00031\uE000c \uE001 \uE00032\uE000e "}
	names := Columns()
	if len(names) != len(texts) {
		t.Fatalf("%d columns, texts of %d", len(names), len(texts))
	}
	for i, text := range texts {
		if text != want[names[i]] {
			t.Errorf("%s has %q, want %q", names[i], text, want[names[i]])
		}
	}
}

func TestWeights(t *testing.T) {
	fields := append([]string{"about", "Title"}, make([]string, ownColumns-1)...)
	fields[ownColumns] = "name" // among others
	weights := Weights(fields)
	if len(weights) != len(Columns()) {
		t.Fatalf("%d weights", len(weights))
	}
	for i, w := range weights {
		if want := map[int]float64{1: titleWeight}[i]; w != max(want, 1) {
			t.Errorf("%s weighs %v", Columns()[i], w)
		}
	}
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
		for i, column := range Texts([]Value{{Field: "1", Text: text}, {Field: "31", Text: text}, {Text: text}}) {
			if strings.ContainsAny(column, "\"\x00") || column != "" && i != 0 && i < shared {
				t.Errorf("column %d has %q", i, column)
			}
		}
	})
}
