package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// While another works on the job nothing is replaced, but can be looked at.
func TestReextractHeld(t *testing.T) {
	spec := rereadSpec("stock")
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	crawlBodies(t, db, 10, spec, rereadBody)
	run, err := db.Begin(t.Context(), crawl.Job{Name: "shop", Items: spec, Seeds: []crawl.Link{siteLink(1, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reextractTest(t, db, spec, nil); !errors.Is(err, crawl.ErrHeld) {
		t.Errorf("error %v", err)
	}
	if sum, err := reextractTest(t, db, spec, func(o *ReextractOptions) { o.Preview = true }); err != nil || sum.Pages != 10 {
		t.Errorf("%+v, %v", sum, err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = reextractTest(t, db, spec, func(o *ReextractOptions) {
		o.OnProgress = func(int64, int64) {
			if _, err := db.Begin(t.Context(), crawl.Job{Name: "shop"}); !errors.Is(err, crawl.ErrHeld) {
				t.Errorf("a crawl began meanwhile: %v", err)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := reextractTest(t, db, spec, func(o *ReextractOptions) { o.Job = "other" }); !errors.Is(err, ErrNotFound) {
		t.Errorf("error %v", err)
	}
}

// An interrupted call changes nothing and leaves nothing.
func TestReextractCancel(t *testing.T) {
	spec := rereadSpec("stock")
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	crawlBodies(t, db, 400, spec, rereadBody)
	before := generation(t, db.path)
	ctx, cancel := context.WithCancel(t.Context())
	changed := rereadSpec("left")
	_, err := db.Reextract(ctx, ReextractOptions{Job: "shop", Items: changed, Read: rereadCrawler(t, changed).Reread,
		OnProgress: func(int64, int64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, generation(t, db.path)); diff != "" {
		t.Error(diff)
	}
	checkNoStage(t, db.path)
	if sum, err := reextractTest(t, db, changed, nil); err != nil || sum.Changed != 400 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func checkNoStage(t *testing.T, path string) {
	t.Helper()
	if left, _ := filepath.Glob(path + "-reextract*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// reextractVar makes the test binary extract again from the database that the
// variable names.
const reextractVar = "MAGPIE_STORE_TEST_REEXTRACT"

func reextractAsChild(path string) error {
	spec := rereadSpec("left")
	x, err := extract.Compile(spec)
	if err != nil {
		return err
	}
	c, err := crawl.New(crawl.Options{Start: []string{"https://shop.test/"}, Extractor: x})
	if err != nil {
		return err
	}
	db, err := Open(path, Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Reextract(context.Background(), ReextractOptions{Job: "shop", Items: spec, Read: c.Reread})
	return err
}

// A re-extraction that is killed at any moment has changed nothing or all.
func TestKillReextract(t *testing.T) {
	n, rounds := 2000, 16
	if testing.Short() {
		n, rounds = 800, 8
	}
	spec := rereadSpec("stock")
	whole := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	crawlBodies(t, whole, n, spec, rereadBody)
	if err := whole.Close(); err != nil {
		t.Fatal(err)
	}
	start := func(path string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), reextractVar+"="+path)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	path := filepath.Join(t.TempDir(), "killed.db")
	copyFile(t, whole.path, path)
	began := time.Now()
	if err := start(path).Wait(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	before, after := 0, 0
	// A machine that has become quicker meanwhile is killed earlier, until one was in time.
	for round := 0; round < rounds || before == 0; round++ {
		wait := took/4 + took*time.Duration(round)/time.Duration(rounds)
		if round >= rounds {
			wait = took >> (round - rounds + 1)
		}
		path := filepath.Join(t.TempDir(), "killed.db")
		copyFile(t, whole.path, path)
		cmd := start(path)
		time.Sleep(wait)
		cmd.Process.Kill()
		cmd.Wait()
		state := dumpSQL(t, path, `SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM records),
			(SELECT count(*) FROM records WHERE to_run IS NULL AND data LIKE '%"left"%'), (SELECT count(*) FROM records WHERE to_run IS NULL),
			(SELECT json_extract(fields, '$[2].name') FROM items)`)
		switch strings.TrimSpace(state) {
		case fmt.Sprintf("1|%d|0|%d|stock", n, n):
			before++
		case fmt.Sprintf("2|%d|%d|%d|left", 2*n, n, n):
			after++
		default:
			t.Fatalf("round %d: neither before nor after: %s", round, state)
		}
		if rows := dumpSQL(t, path, `SELECT * FROM pragma_integrity_check WHERE integrity_check != 'ok' UNION ALL SELECT "table" FROM pragma_foreign_key_check`); rows != "" {
			t.Fatal(rows)
		}
		if round%8 == 0 {
			if err := start(path).Wait(); err != nil {
				t.Errorf("round %d: the next call: %v", round, err)
			}
			checkNoStage(t, path)
		}
	}
	t.Logf("killed before the end: %d, after: %d", before, after)
}

// A database that cannot grow keeps its generation, says that it is full, and
// takes the new one once there is room.
func TestReextractFull(t *testing.T) {
	spec, changed := rereadSpec("stock"), rereadSpec("left")
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	crawlBodies(t, db, 300, spec, rereadBody)
	before := generation(t, db.path)
	if _, err := db.writer.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	_, err := reextractTest(t, db, changed, nil)
	if err == nil || !strings.Contains(err.Error(), db.path) || !strings.Contains(err.Error(), "full") {
		t.Errorf("error %v, want one that says that %s is full", err, db.path)
	}
	if diff := cmp.Diff(before, generation(t, db.path)); diff != "" {
		t.Error(diff)
	}
	checkNoStage(t, db.path)
	if _, err := db.writer.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if sum, err := reextractTest(t, db, changed, nil); err != nil || sum.Changed != 300 {
		t.Errorf("with room: %+v, %v", sum, err)
	}
}
