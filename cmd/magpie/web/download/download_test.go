package download

import (
	"mime"
	"net/http"
	"strings"
	"testing"
)

func TestSetHeaders(t *testing.T) {
	for name, want := range map[string]string{
		"lamps.csv": "lamps.csv", `a "b"; c=d.csv`: `a "b"; c=d.csv`, "Lämpchen.csv": "Lämpchen.csv", "a\r\nX: y.csv": "a\r\nX: y.csv", "\xff.csv": "\xff.csv",
		strings.Repeat("x", 300): strings.Repeat("x", 300),
	} {
		t.Run(name, func(t *testing.T) {
			h := http.Header{}
			SetHeaders(h, name)
			text := h.Get("Content-Disposition")
			kind, params, err := mime.ParseMediaType(text)
			if err != nil || kind != "attachment" || params["filename"] != want || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q: %q, %v", text, params["filename"], err)
			}
			if h.Get("Content-Type") != "application/octet-stream" || h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("%v", h)
			}
		})
	}
}
