package loosejson

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"
)

// TestRepairs reads each line of testdata/repairs.txt.
func TestRepairs(t *testing.T) {
	data, err := os.ReadFile("testdata/repairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# ") {
			continue
		}
		text, want, ok := strings.Cut(line, " => ")
		if !ok {
			t.Fatalf("no => in %q", line)
		}
		t.Run(text, func(t *testing.T) {
			if got := told(Parse(unescape(t, text))); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// told writes a result as the test data has it.
func told(v any, repaired []string, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	s := strings.TrimSuffix(b.String(), "\n")
	if len(repaired) > 0 {
		s += " | " + strings.Join(repaired, "; ")
	}
	return s
}

func unescape(t *testing.T, s string) string {
	u, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if strings.Contains(s, `\\"`) {
		u, err = strconv.Unquote("\"" + strings.ReplaceAll(strings.ReplaceAll(s, `\\"`, "\x00"), `"`, `\"`) + "\"")
		u = strings.ReplaceAll(u, "\x00", `\"`)
	}
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return u
}

func TestDepth(t *testing.T) {
	for _, c := range []struct {
		name  string
		depth int
		fails bool
	}{{"most", MaxDepth, false}, {"one more", MaxDepth + 1, true}, {"far more", 100_000, true}} {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range []string{
				strings.Repeat("[", c.depth) + strings.Repeat("]", c.depth),
				strings.Repeat(`{"a":`, c.depth) + "1" + strings.Repeat("}", c.depth),
				strings.Repeat(`[{"a":`, c.depth/2) + strings.Repeat("[", c.depth%2),
			} {
				if _, _, err := Parse(s); (err != nil) != c.fails {
					t.Errorf("%.20s…: %v", s, err)
				}
			}
		})
	}
}

// TestStringsAreCopies checks that no value is a part of the text.
func TestStringsAreCopies(t *testing.T) {
	text := []byte(`{"name":"value","n":12,bare:word here}`)
	v, _, err := Parse(unsafe.String(&text[0], len(text)))
	if err != nil {
		t.Fatal(err)
	}
	clear(text)
	want := map[string]any{"name": "value", "n": json.Number("12"), "bare": "word here"}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got %v", v)
	}
}

// FuzzParse holds what is JSON against encoding/json.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/repairs.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		text, _, _ := strings.Cut(line, " => ")
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, repaired, err := Parse(s)
		if err == nil {
			if _, err := json.Marshal(got); err != nil {
				t.Fatalf("is written as no JSON: %v", err)
			}
		}
		if strings.Count(s, "[")+strings.Count(s, "{") > MaxDepth {
			return
		}
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		var want any
		if d.Decode(&want) != nil || d.More() || !json.Valid([]byte(s)) || !utf8.ValidString(s) {
			return
		}
		if err != nil || len(repaired) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %#v, %q, %v; want %#v", s, got, repaired, err, want)
		}
	})
}
