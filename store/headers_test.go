package store

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Headers read the same whichever way they are read.
func TestParseHeaders(t *testing.T) {
	for name, h := range map[string]http.Header{
		"none":    {},
		"one":     {"Content-Type": {"text/html; charset=utf-8"}},
		"several": {"A": {"1", "2"}, "B": {"x, [y], {z}: 1"}, "C": {""}},
		"empty":   {"A": {}},
		"quotes":  {"Etag": {`W/"1"`, `back\slash`}, "B": {"é\x01<&>"}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := encodeJSON(h)
			if err != nil {
				t.Fatal(err)
			}
			var want http.Header
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				t.Fatal(err)
			}
			got, err := parseHeaders(text)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("%s (%v): %s", text, err, diff)
			}
		})
	}
	for _, text := range []string{``, `{`, `{"A"}`, `{"A":["b"`, `{"A":["b"]`, `{"A":["b""c"]}`, `{"A":["b"],}`, `{"A":"b"}`, `[]`, `{"A":["b"]}x`, `{"A":["b]}`} {
		t.Run("broken "+text, func(t *testing.T) {
			if h, err := parseHeaders(text); err == nil {
				t.Errorf("%v", h)
			}
		})
	}
}
