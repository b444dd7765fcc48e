package guard

import "net/http"

// policy lets pages use what this server has, and nothing that stands in them:
// a script that got into a page is not run, a form that got into it leads
// nowhere else. https://www.w3.org/TR/CSP3/
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// setHeaders sets what every answer has. A handler may replace Cache-Control
// where an answer never changes, and make the policy stricter.
func setHeaders(h http.Header, r *http.Request) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")        // for browsers that don't know frame-ancestors
	h.Set("Referrer-Policy", "no-referrer") // addresses here hold names of jobs and URLs of theirs
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Sec-Fetch-Site, Cookie, Authorization")
}
