package htmlparse

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// lineColumn is the slow way to say what lineCounter says: on the normalized text before the offset.
func lineColumn(src string, offset int) (line, column int) {
	before := src[:offset]
	if strings.HasSuffix(before, "\r") && strings.HasPrefix(src[offset:], "\n") {
		before = before[:len(before)-1]
	}
	before = strings.ReplaceAll(strings.ReplaceAll(before, "\r\n", "\n"), "\r", "\n")
	start := strings.LastIndexByte(before, '\n') + 1
	for i := start; i < len(before); i++ {
		if utf8.RuneStart(before[i]) {
			column++
		}
	}
	return strings.Count(before, "\n") + 1, column + 1
}

func TestLineCounter(t *testing.T) {
	src := "ab\ncé😀d\r\n\r\n\re\r\rf\n\n\xED\xA0\x80g\r"
	for from := range len(src) + 1 {
		for to := range len(src) + 1 {
			if to < len(src) && !utf8.RuneStart(src[to]) || from < len(src) && !utf8.RuneStart(src[from]) {
				continue // errors stand at code points
			}
			t.Run(fmt.Sprintf("%d then %d", from, to), func(t *testing.T) {
				var l lineCounter
				l.at(src, from)
				line, column := l.at(src, to)
				if wantLine, wantColumn := lineColumn(src, to); line != wantLine || column != wantColumn {
					t.Errorf("%d:%d, want %d:%d", line, column, wantLine, wantColumn)
				}
			})
		}
	}
}

func TestTokenRanges(t *testing.T) {
	src := "a&amp;\r\n<DIV a='1&lt;' B = c d a=2 e=''\n>x\x00</div><!--\r-->y<p/></>z<!doctype q>"
	type ranges struct {
		token string
		attrs []string
	}
	want := []ranges{
		{"a&amp;\r\n", nil},
		{"<DIV a='1&lt;' B = c d a=2 e=''\n>", []string{"a=1&lt;", "B=c", "d=", "e="}},
		{"x\x00", nil},
		{"</div>", nil},
		{"<!--\r-->", nil},
		{"y", nil},
		{"<p/>", nil},
		{"</>z", nil},
		{"<!doctype q>", nil},
	}
	z := NewTokenizer(src, nil)
	z.positions = true
	var got []ranges
	var tok Token
	for z.next(&tok) {
		r := ranges{token: src[tok.start:tok.end]}
		if tok.Type == StartTagToken {
			for i := range tok.Attr {
				a := z.attrRanges[i]
				r.attrs = append(r.attrs, src[a.nameStart:a.nameEnd]+"="+src[a.valueStart:a.valueEnd])
			}
		}
		got = append(got, r)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(ranges{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInputErrors(t *testing.T) {
	tests := []struct {
		src, code string
	}{
		{"\x01", CodeControlCharacterInInputStream},
		{"\x08", CodeControlCharacterInInputStream},
		{"\x7f", CodeControlCharacterInInputStream},
		{"\u0080", CodeControlCharacterInInputStream},
		{"\u009f", CodeControlCharacterInInputStream},
		{"\ufdd0", CodeNoncharacterInInputStream},
		{"\ufdef", CodeNoncharacterInInputStream},
		{"\uffff", CodeNoncharacterInInputStream},
		{"\U0010fffe", CodeNoncharacterInInputStream},
		{"\xED\xA0\x80", CodeSurrogateInInputStream},
		{"\xED\xBF\xBF", CodeSurrogateInInputStream},
		{"\x00", ""}, {"\t", ""}, {"\n", ""}, {"\f", ""}, {"\r", ""}, {" ", ""}, {"~", ""}, {"\u00a0", ""},
		{"\ufdcf", ""}, {"\ufdf0", ""}, {"\ufffd", ""}, {"\U0001fffd", ""}, {"\xED\x9F\xBF", ""}, {"\xff", ""}, {"\xED\xA0", ""},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%q", test.src), func(t *testing.T) {
			code, size := inputError(test.src)
			if code != test.code {
				t.Errorf("code %q, want %q", code, test.code)
			}
			if test.code != "" && size != len(test.src) {
				t.Errorf("size %d, want %d", size, len(test.src))
			}
		})
	}
}
