package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/magpie-crawl/magpie/cmd/magpie/programtest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// findChromium is the browser that tests run in; "": there is none.
func findChromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// rebound is a name that somebody else's DNS leads to this machine.
const rebound = "rebound.example"

// chromium starts the one browser of all tests. It resolves no names but
// rebound and those of this machine.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path := findChromium()
	if path == "" {
		return nil, nil
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP "+rebound+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost"))
	ctx, stopBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	atEnd(stopBrowser)
	ctx, stop := chromedp.NewContext(ctx)
	atEnd(stop)
	var err error
	for range 3 { // it starts slowly where much else goes on
		if err = chromedp.Do(ctx); err == nil {
			return ctx, nil
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("start %s: %w", path, err)
})

// needChromium skips a test where there is no browser, or little time.
func needChromium(t testing.TB) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("tests in a browser take a minute")
	}
	ctx, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	if ctx == nil {
		t.Skip("there is no Chromium: install one (Debian and Ubuntu: apt-get install chromium), or name it in the environment variable CHROMIUM")
	}
	return ctx
}

var (
	endings   []func()
	endingsMu sync.Mutex
)

// atEnd has something done when all tests are done.
func atEnd(f func()) {
	endingsMu.Lock()
	defer endingsMu.Unlock()
	endings = append(endings, f)
}

func TestMain(m *testing.M) {
	steadytest.FilesInMemory()
	code := m.Run()
	programtest.Remove()
	for i := len(endings) - 1; i >= 0; i-- {
		endings[i]()
	}
	os.Exit(code)
}
