package simhash

import (
	"fmt"
	"strings"
	"testing"
)

func sum(text string) uint64 {
	var b Builder
	for word := range strings.FieldsSeq(text) {
		b.Add(word)
	}
	return b.Sum()
}

// words is a text of n different words.
func words(n int, prefix string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%c%c%c ", prefix, 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
	}
	return b.String()
}

func TestDistance(t *testing.T) {
	long := words(300, "w")
	cases := []struct {
		name     string
		a, b     string
		min, max int
	}{
		{"same", long, long, 0, 0},
		{"other spacing", "a b\nc", " a  b c ", 0, 0},
		{"other numbers", long + "page 3 of 2024-01-02", long + "page 14 of 1999-12-31", 0, 0},
		{"one word more", long, long + "more", 0, 3},
		{"another text", long, words(300, "x"), 10, 64},
		{"half of it other", long, words(150, "w") + words(150, "y"), 4, 64},
		{"other order", "one two three four five six seven", "seven six five four three two one", 4, 64},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if d := Distance(sum(c.a), sum(c.b)); d < c.min || d > c.max {
				t.Errorf("distance %d, want %d to %d", d, c.min, c.max)
			}
		})
	}
	t.Run("no words", func(t *testing.T) {
		if got := sum(""); got != 0 {
			t.Errorf("%x", got)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	text := strings.Fields(words(1000, "w"))
	for b.Loop() {
		var s Builder
		for _, w := range text {
			s.Add(w)
		}
	}
}
