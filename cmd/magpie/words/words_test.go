package words

import (
	"math"
	"testing"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 1049: "1.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		12_345_678: "12.3 MB", 999_999_999: "1.0 GB", 2_000_000_000_000: "2.0 TB", math.MaxInt64: "9223372.0 TB",
	} {
		t.Run(want, func(t *testing.T) {
			if got := Bytes(n); got != want {
				t.Errorf("%d is %q, want %q", n, got, want)
			}
		})
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int64]string{0: "0 records", 1: "1 record", 2: "2 records"} {
		t.Run(want, func(t *testing.T) {
			if got := Counted(n, "record"); got != want {
				t.Errorf("got %q", got)
			}
		})
	}
}

// What is not nothing is never 0%, and what is not all is never 100%.
func TestShare(t *testing.T) {
	for _, tt := range []struct {
		part, whole int64
		want        string
	}{
		{0, 0, ""}, {0, 7, "0%"}, {7, 7, "100%"}, {1, 3, "33.3%"}, {1, 1_000_000, "0.1%"}, {999_999, 1_000_000, "99.9%"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := Share(tt.part, tt.whole); got != tt.want {
				t.Errorf("%d of %d is %q, want %q", tt.part, tt.whole, got, tt.want)
			}
		})
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "there is no job": "There is no job.", "Done.": "Done.", "über alles": "Über alles.", "漢字": "漢字.",
	} {
		t.Run(text, func(t *testing.T) {
			if got := Sentence(text); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
