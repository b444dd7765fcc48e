package dataset

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// memberValues reads all members of an object.
func memberValues(data []byte) (map[string]string, error) {
	found := map[string]string{}
	err := eachMember(data, func(name, value []byte) { found[memberName(name)] = string(value) })
	return found, err
}

func TestMembers(t *testing.T) {
	for data, want := range map[string]map[string]string{
		`{}`:                                {},
		`{"a":1}`:                           {"a": "1"},
		` { "a" : 1 , "b" : null } `:        {"a": "1", "b": "null"},
		`{"a":"}","b":"\"","c":"\\","d":2}`: {"a": `"}"`, "b": `"\""`, "c": `"\\"`, "d": "2"},
		`{"a":[1,{"x":"]"}],"b":{"c":"{"}}`: {"a": `[1,{"x":"]"}]`, "b": `{"c":"{"}`},
		`{"\u0061\"b":true}`:                {`a"b`: "true"},
		``:                                  nil,
		`[`:                                 nil,
		`{`:                                 nil,
		`{"a"`:                              nil,
		`{"a":`:                             nil,
		`{"a":1`:                            nil,
		`{"a":"x`:                           nil,
		`{"a":[1}`:                          nil,
		`{"a":1 "b":2}`:                     nil,
		`{a:1}`:                             nil,
		`"text"`:                            nil,
	} {
		t.Run(data, func(t *testing.T) {
			got, err := memberValues([]byte(data))
			if (err == nil) != (want != nil) || err == nil && !cmp.Equal(want, got) {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
		})
	}
}

// FuzzMembers compares with encoding/json what it reads, and sees to it that
// nothing else makes it fail.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":"x\\","b":[1,"]"],"c":{"d":"}"}}`, `{"a":[1}`, `{"\"":1}`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := memberValues(data)
		var want map[string]json.RawMessage
		if json.Unmarshal(data, &want) != nil || want == nil || !utf8.Valid(data) {
			return // whatever is made of it, there was no panic
		}
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		for name, value := range want {
			if name != "" && got[name] != string(value) {
				t.Errorf("%q: %q is %q, want %q", data, name, got[name], value)
			}
		}
	})
}
