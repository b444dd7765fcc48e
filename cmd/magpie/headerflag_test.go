package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeaderFlag(t *testing.T) {
	cases := []struct {
		name string
		args []string
		want headerFlag // nil: an error
	}{
		{"one", []string{"Accept-Language: de"}, headerFlag{"Accept-Language": "de"}},
		{"several", []string{"A: 1", "B:2", "A:3:4"}, headerFlag{"A": "3:4", "B": "2"}},
		{"empty value", []string{"A:"}, headerFlag{"A": ""}},
		{"no colon", []string{"A"}, nil},
		{"no name", []string{": a"}, nil},
		{"two lines", []string{"A: b\nC: d"}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var h headerFlag
			var err error
			for _, arg := range c.args {
				if err = h.Set(arg); err != nil {
					break
				}
			}
			if (err != nil) != (c.want == nil) || err == nil && !cmp.Equal(h, c.want) {
				t.Errorf("%v, error %v, want %v", h, err, c.want)
			}
		})
	}
}
