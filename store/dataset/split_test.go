package dataset

import (
	"fmt"
	"testing"
)

func TestParseSplits(t *testing.T) {
	for text, ok := range map[string]bool{
		"train=80,validation=10,test=10": true, "train=1": true, " train=80 , test=20": true,
		"": false, "train": false, "train=0": false, "train=-1": false, "train=80,train=20": false, "../x=1": false, "Train=1": false, "a=1,": false,
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := ParseSplits(text); (err == nil) != ok {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestPartOf(t *testing.T) {
	splits := []Split{{"train", 80}, {"validation", 10}, {"test", 10}}
	t.Run("the shares come out", func(t *testing.T) {
		counts := make([]int, len(splits))
		const n = 20_000
		for i := range n {
			counts[PartOf(splits, "book", fmt.Sprintf("https://shop.test/%d", i))]++
		}
		for i, s := range splits {
			if share := 100 * float64(counts[i]) / n; share < float64(s.Weight)-1.5 || share > float64(s.Weight)+1.5 {
				t.Errorf("%s has %.1f %%, want about %d", s.Name, share, s.Weight)
			}
		}
	})
	// These hold for good: a record that moved to another part would be in both
	// that a model was trained with and that it is tested by.
	for key, want := range map[string]int{"https://shop.test/4": 0, "https://shop.test/5": 1, "https://shop.test/6": 2, "https://shop.test/7": 1, "https://shop.test/8": 0} {
		t.Run("the part of "+key, func(t *testing.T) {
			if got := PartOf(splits, "book", key); got != want {
				t.Errorf("PartOf = %d, want %d", got, want)
			}
		})
	}
}
