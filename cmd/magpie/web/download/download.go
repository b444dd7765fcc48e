// Package download marks answers as files: bodies of pages, exports, and what
// else is not ours and must not be active in a browser.
package download

import (
	"mime"
	"net/http"
)

// SetHeaders sets the headers of bytes that are to be saved as a file of a
// name, and never shown; where a browser shows them all the same, they have no
// rights. Content-Type may be replaced by that of a kind of file that is inert.
func SetHeaders(h http.Header, name string) {
	h.Set("Content-Type", "application/octet-stream")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", disposition(name))
}

// disposition says under which name an answer is to be saved.
// https://www.rfc-editor.org/rfc/rfc6266
func disposition(name string) string {
	if value := mime.FormatMediaType("attachment", map[string]string{"filename": name}); value != "" {
		return value
	}
	return "attachment"
}
