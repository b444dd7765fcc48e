package htmlparse

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzTokenizer holds the tokenizer to what is true of any input.
func FuzzTokenizer(f *testing.F) {
	for _, input := range hostileInputs {
		f.Add(input.make(64), uint8(input.state), "script", false, false)
	}
	for _, file := range suiteFiles(f, "tokenizer", ".test") {
		if base := readTokenizerFile(f, file).Tests; len(base) < 500 { // the largest files repeat one pattern
			for _, c := range base {
				f.Add(c.source(f), uint8(suiteStates[c.states()[0]]), c.LastStartTag, false, true)
			}
		}
	}
	f.Add("<!--a--><p b=c d='&lt;'>e&amp;f</p>\r\n<?g h?>", uint8(DataState), "", true, true)
	f.Fuzz(func(t *testing.T, src string, state uint8, lastStartTag string, foreign, instructions bool) {
		start := State(state % uint8(CDATASectionState+1))
		newTokenizer := func(src string, onError func(ParseError)) *Tokenizer {
			z := NewTokenizer(src, &TokenizerOptions{State: start, LastStartTag: lastStartTag, OnError: onError})
			z.foreign, z.processingInstructions = func() bool { return foreign }, instructions
			return z
		}
		tokens := checkTokens(t, newTokenizer(src, nil))
		checkErrors(t, src, tokens, newTokenizer)
		checkPlainAttributes(t, func() *Tokenizer { return newTokenizer(src, nil) })
		if start == DataState {
			checkCuts(t, src, tokens, newTokenizer)
		}
	})
}

// checkTokens gives all tokens and checks what each of them must be.
func checkTokens(t *testing.T, z *Tokenizer) []Token {
	var all []Token
	z.positions = true
	end := 0
	for tok, ok := z.Next(); ok; tok, ok = z.Next() {
		if tok.start < end || tok.end <= tok.start || tok.end > len(z.src) {
			t.Fatalf("token %v at [%d, %d) behind %d of %d bytes", tok, tok.start, tok.end, end, len(z.src))
		}
		end = tok.end
		source := z.src[tok.start:tok.end]
		switch tok.Type {
		case CharacterToken:
			if tok.Data == "" {
				t.Fatalf("empty characters at %d", tok.start)
			}
			if tok.verbatim && tok.Data != source {
				t.Fatalf("verbatim characters %q stand as %q", tok.Data, source)
			}
		case StartTagToken, EndTagToken:
			if tok.atom != 0 && tok.atom.String() != tok.Name {
				t.Fatalf("tag %q has the atom %v", tok.Name, tok.atom)
			}
			if len(z.attrRanges) != len(tok.Attr) {
				t.Fatalf("%d attributes, %d ranges", len(tok.Attr), len(z.attrRanges))
			}
		}
		all = append(all, tok)
	}
	return all
}

// checkErrors checks that a listener changes no token and hears of errors in the order of the source.
func checkErrors(t *testing.T, src string, tokens []Token, newTokenizer func(string, func(ParseError)) *Tokenizer) {
	last := 0
	got := allTokens(newTokenizer(src, func(e ParseError) {
		if e.Offset < last || e.Offset > len(src) {
			t.Fatalf("%v behind %d of %d bytes", e, last, len(src))
		}
		last = e.Offset
		if len(src) < 1000 && (e.Offset == len(src) || utf8.RuneStart(src[e.Offset])) {
			if line, column := lineColumn(src, e.Offset); line != e.Line || column != e.Column {
				t.Fatalf("%v is at %d:%d", e, line, column)
			}
		}
	}))
	if diff := cmp.Diff(tokens, got, cmp.AllowUnexported(Token{})); diff != "" {
		t.Fatalf("with a listener (-without +with):\n%s", diff)
	}
}

// checkCuts checks that source text cut behind a token that is not text gives the same tokens in two parts.
func checkCuts(t *testing.T, src string, tokens []Token, newTokenizer func(string, func(ParseError)) *Tokenizer) {
	cuts := 0
	for i, tok := range tokens {
		if tok.Type == CharacterToken || tok.end == len(src) || cuts == 10 {
			continue
		}
		cuts++
		parts := slices.Concat(allTokens(newTokenizer(src[:tok.end], nil)), allTokens(newTokenizer(src[tok.end:], nil)))
		if diff := cmp.Diff(tokens, parts, ignoreInternal); diff != "" {
			t.Fatalf("cut behind token %d (-whole +parts):\n%s", i, diff)
		}
	}
}
