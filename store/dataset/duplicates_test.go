package dataset

import (
	"strings"
	"testing"
)

func TestDuplicates(t *testing.T) {
	long := "The lamp is made of brass and glass, gives a warm light in the evening, and comes with a cable of two metres that is held by a small hook on the wall behind it. "
	story := strings.Repeat(long+"It was first sold in a shop by the river, where people met to talk about books and the weather of the year. ", 3)
	text := func(s string) string { return `{"text":` + string(quoted(s)) + `}` }
	for _, c := range []struct {
		name  string
		how   Dedup
		first string
		then  string
		seen  bool
	}{
		{"the same, all kept", KeepAll, text("a"), text("a"), false},
		{"the same", DropExact, text("a"), text("a"), true},
		{"another", DropExact, text("a"), text("b"), false},
		{"a word more", DropExact, text(story), text(story + "end"), false},
		{"the same, near", DropNear, text("a"), text("a"), true},
		{"a word more, near", DropNear, text(story), text(story + "end"), true},
		{"another number, near", DropNear, text(story + " 17 pieces"), text(story + " 4 pieces"), true},
		{"another text, near", DropNear, text(story), text(strings.Repeat("Trains leave for the north each hour from the main hall of the old station. ", 6)), false},
		{"short texts that differ in a number", DropNear, text("Product 1"), text("Product 2"), false},
		{"a field that is not exported", DropExact, `{"text":"a","other":1}`, `{"text":"a","other":2}`, true},
		{"values moved between fields", DropExact, `{"text":"a"}`, `{"name":"a"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := NewDuplicates(Schema{Fields: []Field{{Name: "text", Type: Text}, {Name: "name", Type: Text}, MetaField("_key")}}, c.how)
			if seen, err := d.Seen(&Record{Key: "1", Data: []byte(c.first)}); seen || err != nil {
				t.Errorf("the first: %v, %v", seen, err)
			}
			if seen, err := d.Seen(&Record{Key: "2", Data: []byte(c.then)}); seen != c.seen || err != nil {
				t.Errorf("the second: %v, %v, want %v", seen, err, c.seen)
			}
		})
	}
}
