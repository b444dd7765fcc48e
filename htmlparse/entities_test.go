package htmlparse

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// entityList is the list that the table is generated from: names and what they stand for.
func entityList(t *testing.T) map[string]string {
	data, err := os.ReadFile(filepath.Join("internal", "entities", "entities.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		for _, point := range fields[1:] {
			r, err := strconv.ParseUint(point, 16, 21)
			if err != nil {
				t.Fatal(err)
			}
			list[fields[0]] += string(rune(r))
		}
	}
	if len(list) != 2231 {
		t.Fatalf("%d names, the standard has 2231", len(list))
	}
	return list
}

func TestLongestEntity(t *testing.T) {
	for name, want := range entityList(t) {
		t.Run(name, func(t *testing.T) {
			for _, behind := range []string{"", " ", "=", "\x00", "\xff"} {
				if length, text := longestEntity(name + behind); length != len(name) || text != want {
					t.Errorf("longestEntity(%q) = %d, %q, want %d, %q", name+behind, length, text, len(name), want)
				}
			}
		})
	}
	for s, want := range map[string]int{
		"": 0, "x": 0, "1": 0, "am": 0, "amp": 3, "ampx": 3, "notit;": 3, "notin;x": 6, "notinx": 3,
		"CounterClockwiseContourIntegra": 0, "NotEqualTild;": 0, "\xff": 0, "[": 0, "`": 0,
	} {
		t.Run("part "+s, func(t *testing.T) {
			if length, _ := longestEntity(s); length != want {
				t.Errorf("longestEntity(%q) finds %d bytes, want %d", s, length, want)
			}
		})
	}
}
