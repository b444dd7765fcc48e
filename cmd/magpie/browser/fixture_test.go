package browser

import (
	"errors"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
)

// fixture is a folder of jobs in the states that people meet, served while the
// tests run:
//
//	shop      the demo's shop, crawled twice
//	lamps     three runs with changes, failures and drift; files exported
//	slow      a site that takes long; never run
//	wrong     a job file with a mistake
type fixture struct {
	*server
	lamps, slow *lamps
}

var theFixture = sync.OnceValues(func() (*fixture, error) {
	dir, err := os.MkdirTemp("", "magpie-browser-")
	if err != nil {
		return nil, err
	}
	atEnd(func() { os.RemoveAll(dir) })
	s, err := newServer(dir)
	if err != nil {
		return nil, err
	}
	f := &fixture{server: s, lamps: newLamps(60, 0), slow: newLamps(4000, 20*time.Millisecond)}
	shop := httptest.NewServer(demo.New())
	atEnd(shop.Close)
	atEnd(f.lamps.Close)
	atEnd(f.slow.CloseClientConnections)
	err = errors.Join(
		s.write("shop.yaml", strings.Replace(demo.JobAt(shop.URL+"/"), "name: demo", "name: shop", 1)+"\nschedule: {cron: \"@daily\", zone: Europe/Berlin, jitter: 10m}\n"),
		s.write("lamps.yaml", f.lamps.job("lamps", "schedule: {cron: \"0 4 * * 1\"}\nhealth: {min_records: 5}\nexport: [{item: lamp, format: csv, path: lamps.csv}]")),
		s.write("slow.yaml", f.slow.job("slow", "")),
		s.write("wrong.yaml", "name: wrong\nstart: [http://127.0.0.1:9/]\nlimits: {pages: many}\nitms: {}\n"),
		s.crawl("shop.yaml"), s.crawl("lamps.yaml"),
	)
	for visit := range int64(3) {
		f.lamps.visit.Store(visit)
		err = errors.Join(err, s.crawl("lamps.yaml"))
	}
	err = errors.Join(err, s.crawl("shop.yaml"))
	if err != nil {
		return nil, err
	}
	stop, err := s.start()
	if err != nil {
		return nil, err
	}
	atEnd(stop)
	return f, nil
})

// folder is the fixture; tests must leave its jobs as they are, but for slow.
func folder(t *testing.T) *fixture {
	t.Helper()
	needChromium(t)
	f, err := theFixture()
	if err != nil {
		t.Fatal(err)
	}
	return f
}
