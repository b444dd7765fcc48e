package machine

import (
	"encoding/json"
	"testing"
)

func TestLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a<b>&", `"a<b>&"`},
		{"escape", "\x1b[0m", `"\u001b[0m"`},
		{"C1", "\u009b", `"\u009b"`},
		{"bidi", "\u202E", `"\u202e"`},
		{"beyond the basic plane", "\U000E0041", `"\udb40\udc41"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Line(tt.in)
			if err != nil || string(got) != tt.want+"\n" {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
			var back string
			if err := json.Unmarshal(got, &back); err != nil || back != tt.in {
				t.Errorf("came back as %q, %v", back, err)
			}
		})
	}
}
