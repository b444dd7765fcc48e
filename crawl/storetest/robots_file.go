package storetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// origin is what the robots.txt of the test's site is for.
const origin = "https://" + host

// testRobotsFile keeps what sites answered when asked for their robots.txt.
func testRobotsFile(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"one that was never asked for", func(t *testing.T, s crawl.Store) {
			if f := robotsFile(t, begin(t, s, job("a")), origin); f != nil {
				t.Errorf("RobotsFile = %+v", f)
			}
		}},
		{"it comes with a visit and outlasts runs", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := retry(request(t, r, "a"), time.Time{})
			v.Robots = rules("User-agent: *\nDisallow: /x\n")
			commit(t, r, v)
			r = next(t, s, r, job("a"))
			same(t, "file", robotsFile(t, r, origin), v.Robots)
			if f := robotsFile(t, r, "http://"+host); f != nil {
				t.Errorf("of another scheme: %+v", f)
			}
		}},
		{"without rules, and unreachable", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			v := fetched(t, r, "a")
			v.Robots = rules("")
			commit(t, r, v)
			same(t, "without rules", robotsFile(t, r, origin), v.Robots)
			v = fetched(t, r, "b")
			v.Robots = &crawl.RobotsFile{Origin: origin, FetchedAt: moment(1), Expires: moment(2), Status: 503, Err: "status 503", Failures: 4}
			commit(t, r, v)
			same(t, "unreachable", robotsFile(t, r, origin), v.Robots)
		}},
		{"jobs have their own", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			v.Robots = rules("User-agent: a\nDisallow: /")
			commit(t, r, v)
			if f := robotsFile(t, begin(t, s, otherJob("a")), origin); f != nil {
				t.Errorf("RobotsFile = %+v", f)
			}
		}},
	})
}

// rules is a robots.txt that was fetched; body "": it is empty.
func rules(body string) *crawl.RobotsFile {
	f := &crawl.RobotsFile{Origin: origin, FetchedAt: moment(0), Expires: moment(60), Status: http.StatusOK}
	if body != "" {
		f.Body = []byte(body)
	}
	return f
}

// robotsFile is what the job has of an origin's; nil: it never asked.
func robotsFile(t *testing.T, r crawl.Run, origin string) *crawl.RobotsFile {
	t.Helper()
	f, err := r.RobotsFile(t.Context(), origin)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
