package score_test

import (
	"testing"

	"github.com/magpie-crawl/magpie/extract/article/internal/score"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name, found, truth string
		precision, recall  float64
	}{
		{"the same", "a b c d e", "a, b. c d e", 1, 1},
		{"half of it", "a b c d", "a b c d e", 1, 0.5},
		{"twice as much", "a b c d a b c d", "a b c d", 1. / 5, 1},
		{"nothing found", "", "a b c d", 1, 0},
		{"nothing to find", "a b c d", "", 0, 1},
		{"both empty", "", " ", 1, 1},
		{"short", "a b", "a b", 1, 1},
		{"other words", "a b c d", "e f g h", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if s := score.Texts(c.found, c.truth); s.Precision != c.precision || s.Recall != c.recall {
				t.Errorf("got %+v", s)
			}
		})
	}
}
