// Package browser holds the tests of the dashboard in a real Chromium: the
// real program serves a folder of jobs of sites on loopback, and what people
// see, hear and press is checked in its views.
//
//	go test ./cmd/magpie/browser
//
// They are skipped where there is no Chromium, and with -short. The environment variable
// CHROMIUM names the one to use; MAGPIE_SCREENSHOTS names a folder where each
// view is then drawn in light and dark, wide and narrow.
package browser
