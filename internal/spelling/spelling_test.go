package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"title", "price", "stock", "user_agent", "fields", "id"}
	for _, c := range []struct{ word, want string }{
		{"titel", "title"}, {"prise", "price"}, {"Stock", "stock"}, {"stok", "stock"}, {"useragent", "user_agent"}, {"user-agent", "user_agent"},
		{"field", "fields"}, {"quantity", ""}, {"", ""}, {"x", ""}, {"idd", "id"}, {strings.Repeat("title", 1000), ""},
	} {
		t.Run(c.word[:min(len(c.word), 20)], func(t *testing.T) {
			if got := Nearest(c.word, names); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
