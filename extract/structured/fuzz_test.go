package structured

import (
	"encoding/json"
	"testing"
)

// FuzzRead reads any page, and writes what was read.
func FuzzRead(f *testing.F) {
	for file := range readers {
		for _, c := range cases(f, file) {
			f.Add(c.page, testBase)
		}
	}
	f.Fuzz(func(t *testing.T, page, base string) {
		data := Read(parse(t, page), base)
		written, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if most := 2*budgetFloor + 60*len(page); len(written) > most && len(base) < 1000 {
			t.Errorf("%d bytes of JSON", len(written))
		}
	})
}
