package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// childVar makes the test binary a crawl of the test site into the database
// that the variable names, which says on its standard output what it has
// committed.
const childVar = "MAGPIE_STORE_TEST_CRAWL"

// closeVar makes it open the database that the variable names and close it.
const closeVar = "MAGPIE_STORE_TEST_CLOSE"

const killedSitePages = 300

func TestMain(m *testing.M) {
	// A process with the race detector else waits for a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=20 "+os.Getenv("GORACE"))
	if path := os.Getenv(childVar); path != "" {
		if err := crawlAsChild(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(closeVar); path != "" {
		db, err := Open(path, Options{})
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(gcVar); path != "" {
		if err := gcAsChild(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(reextractVar); path != "" {
		if err := reextractAsChild(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(lockVar); path != "" {
		if err := lockAsChild(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(searchVar); path != "" {
		if err := searchAsChild(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(formerIndexVar); path != "" {
		if err := formerIndexAsChild(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func crawlAsChild(path string) error {
	db, err := Open(path, Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	run, err := db.Begin(context.Background(), testJob)
	if err != nil {
		return err
	}
	err = crawlPages(context.Background(), run, killedSitePages, func(batch []*crawl.Visit) {
		for _, v := range batch {
			if v.State != crawl.Pending {
				fmt.Println(v.Request.URL)
			}
		}
	})
	if err != nil {
		return err
	}
	if err := run.Finish(context.Background(), ""); err != nil {
		return err
	}
	fmt.Println("finished")
	return nil
}

// A crawl that is killed again and again ends like one that was left alone,
// and whatever it said it had committed is there each time.
func TestKill(t *testing.T) {
	undisturbed := filepath.Join(t.TempDir(), "undisturbed.db")
	db := openTest(t, undisturbed)
	run := beginTest(t, db)
	crawlSite(t, run, killedSitePages, nil)
	if err := run.Finish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, undisturbed)

	path := filepath.Join(t.TempDir(), "killed.db")
	var said []string
	for round := 0; ; round++ {
		if round > 200 {
			t.Fatal("the crawl does not come to an end")
		}
		lines, err := runAndKill(t, path, round)
		said = append(said, lines...)
		if _, missing := os.Stat(path); missing != nil {
			continue // killed before there was a database
		}
		checkInvariants(t, path)
		settled := strings.Fields(dumpSQL(t, path, `SELECT url FROM urls WHERE state IN ('done', 'failed')`))
		for _, url := range said {
			if url != "finished" && !slices.Contains(settled, url) {
				t.Fatalf("round %d: %s was committed and is not there", round, url)
			}
		}
		// It may have been killed just after its end.
		if err == nil || dumpSQL(t, path, `SELECT 1 FROM runs WHERE state = 'finished'`) != "" {
			t.Logf("killed %d times", round)
			break
		}
	}
	if diff := cmp.Diff(outcome(t, undisturbed), outcome(t, path)); diff != "" {
		t.Errorf("the killed crawl ended otherwise (-undisturbed +killed):\n%s", diff)
	}
}

// runAndKill starts a crawl and kills it at some moment: soon after its start,
// or in the middle of its commits. It returns what the crawl said, and nil if
// it came to its end before.
func runAndKill(t *testing.T, path string, round int) ([]string, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if round < 4 {
		time.AfterFunc(time.Duration(rand.IntN(40))*time.Millisecond, func() { cmd.Process.Kill() })
	}
	after := 1 + rand.IntN(40)
	var lines []string
	for scan := bufio.NewScanner(out); scan.Scan(); {
		lines = append(lines, scan.Text())
		if len(lines) == after && round < 20 {
			time.AfterFunc(time.Duration(rand.IntN(3000))*time.Microsecond, func() { cmd.Process.Kill() })
		}
	}
	return lines, cmd.Wait()
}

// Opening a database a second time in a process must not drop the locks of the
// first: another process would then take itself for the last to close it, and
// take the write-ahead log away.
func TestOpenTwiceKeepsLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	run := beginTest(t, db)
	for _, open := range []func(string, Options) (*DB, error){Open, OpenReadOnly} {
		second, err := open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), closeVar+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Fatalf("the write-ahead log is gone while the database is open: %v", err)
	}
	crawlSite(t, run, 40, nil)
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), closeVar+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	checkInvariants(t, path)
	if left := dumpSQL(t, path, `SELECT url FROM urls WHERE state = 'pending'`); left != "" {
		t.Errorf("pages were lost:\n%s", left)
	}
}
