package browser

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestPicturesForReadme draws the overview and the live page as the README
// shows them, of a folder with a past. It runs where MAGPIE_SCREENSHOTS is set.
func TestPicturesForReadme(t *testing.T) {
	if os.Getenv("MAGPIE_SCREENSHOTS") == "" {
		t.Skip("MAGPIE_SCREENSHOTS names no folder for pictures")
	}
	needChromium(t)
	shop := httptest.NewServer(demo.New())
	defer shop.Close()
	lamps, books, news := newLamps(48, 0), newLamps(20_000, 12*time.Millisecond), newLamps(30, 0)
	defer lamps.Close()
	defer books.Close()
	defer news.Close()
	s, err := newServer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{
		"antiques.yaml": strings.Replace(demo.JobAt(shop.URL+"/"), "name: demo", "name: antiques", 1) + "\nschedule: {cron: \"@daily\", jitter: 10m}\n",
		"lamps.yaml":    lamps.job("lamps", "schedule: {cron: \"0 */6 * * *\"}\nhealth: {min_records: 5}"),
		"books.yaml":    books.job("books", "schedule: {cron: \"30 3 * * *\"}"),
		"news.yaml":     news.job("news", "schedule: {cron: \"@hourly\"}"),
		"prices.yaml":   "name: prices\nstart: [https://shop.example/]\nlimits: {pages: many}\n",
	} {
		if err := s.write(name, source); err != nil {
			t.Fatal(err)
		}
	}
	for visit := range int64(14) {
		lamps.visit.Store(visit / 13)
		if visit == 13 {
			lamps.visit.Store(2)
		}
		news.n = 30 + int(visit*visit)%17
		for _, job := range []string{"lamps.yaml", "news.yaml"} {
			if err := s.crawl(job); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 {
		if err := s.crawl("antiques.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	stop, err := s.start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	b := newTab(t, s.url)
	b.prefer("light", "no-preference")
	b.open("/jobs/books")
	b.focus("button[name=start]")
	b.press("\r")
	b.until("the notice", "document.querySelector('.notice.is-ok')")
	b.open("/jobs/books/live")
	b.until("figures", figureOf("Pages")+" > 0")
	steadytest.Await(t, "a picture worth taking", func() bool { return eval[int](b, figureOf("Pages")) > 8000 })
	b.do(evaluate("document.querySelector('.foot').remove()"))
	b.screenshot("live")
	b.open("/")
	b.until("figures of the run", "document.querySelector('table.jobs').innerText.includes('queue')")
	b.do(evaluate("document.querySelector('.foot').remove()"), chromedp.EmulateViewport(1280, 660))
	b.screenshot("overview")
}
