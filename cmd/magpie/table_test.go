package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	tb := &table{
		header: []string{"title", "price", "note"},
		right:  []bool{false, true},
		rows: [][]string{
			{"Grüße", "9.99 EUR", "x"},
			{"漢字の本", "1980 JPY"},
			{"line\nbreak \x1b[31m", "1", "", "too many"},
		},
	}
	var out bytes.Buffer
	if err := tb.write(&out, terminal{}); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"title                price  note\n" +
		"Grüße             9.99 EUR  x\n" +
		"漢字の本          1980 JPY\n" +
		"line break ␛[31m         1\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTableCut(t *testing.T) {
	tb := &table{header: []string{"a", "b"}}
	cells, widths := []string{"漢字漢字", "abcdef"}, []int{6, 4}
	cut(cells, widths)
	if got := tb.line(cells, widths); got != "漢字…   abc…" {
		t.Errorf("got %q", got)
	}
}

func TestTableLongCell(t *testing.T) {
	long := strings.Repeat("x", paddedColumn+1)
	tb := &table{header: []string{"a", "b"}, rows: [][]string{{"1", "2"}, {long, "3"}}}
	var out bytes.Buffer
	if err := tb.write(&out, terminal{}); err != nil {
		t.Fatal(err)
	}
	gap := strings.Repeat(" ", paddedColumn-1+columnGap)
	if diff := cmp.Diff("a"+gap+"b\n1"+gap+"2\n"+long+"  3\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFit(t *testing.T) {
	tests := []struct {
		name  string
		in    []int
		total int
		want  []int
	}{
		{"fits", []int{3, 5}, 8, []int{3, 5}},
		{"the widest gives", []int{3, 50, 10}, 30, []int{3, 17, 10}},
		{"all give", []int{20, 20}, 10, []int{5, 5}},
		{"no further than the least", []int{20, 2, 20}, 3, []int{4, 2, 4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fit(tt.in, tt.total)
			if diff := cmp.Diff(tt.want, tt.in); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
