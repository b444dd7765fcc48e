package browser

import (
	"os"
	"path/filepath"
	"regexp"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var notForFiles = regexp.MustCompile(`[^A-Za-z0-9]+`)

// maxHeight is how much of a long page is drawn, in CSS pixels.
const maxHeight = 3000

// screenshot draws the page into the folder that MAGPIE_SCREENSHOTS names.
func (b *tab) screenshot(name string) {
	dir := os.Getenv("MAGPIE_SCREENSHOTS")
	if dir == "" {
		return
	}
	b.t.Helper()
	size := eval[[]float64](b, "[document.documentElement.clientWidth, Math.max(300, document.documentElement.scrollHeight)]")
	beyond := true
	shot, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &beyond,
		Clip: &page.Viewport{Width: size[0], Height: min(maxHeight, size[1]), Scale: 1}})
	if err != nil {
		b.t.Fatal(err)
	}
	file := filepath.Join(dir, notForFiles.ReplaceAllString(b.t.Name()+"-"+name, "-")+".png")
	if err := os.WriteFile(file, shot.Data, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
