package machine

import (
	"bytes"
	"encoding/json"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// Line returns v as one line of JSON that a terminal can be given.
func Line(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return harmless.JSON(b.Bytes()), nil
}
