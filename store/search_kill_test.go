package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/extract"
)

// searchVar makes the test binary index the database that the variable names
// again and again, and say so each time.
const searchVar = "MAGPIE_STORE_TEST_SEARCH"

func searchAsChild(path string) error {
	db, err := OpenReadOnly(path, Options{})
	if err != nil {
		return err
	}
	ctx := context.Background()
	s, err := db.OpenSearch(ctx, "")
	if err != nil {
		return err
	}
	for {
		if err := s.Update(ctx, SearchUpdate{}); err != nil {
			return err
		}
		fmt.Println("updated")
		err := s.w.transact(ctx, func(t *tx) error { return setProgress(t, "records", 0, "") })
		if err != nil {
			return err
		}
	}
}

// An update that is killed at any moment leaves an index that is whole, and
// can be gone on with.
func TestSearchKilled(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	var records []extract.Record
	for i := range 50 {
		records = append(records, product(fmt.Sprint(i), fmt.Sprint("lantern ", i), extract.Member{Name: "about", Value: fmt.Sprintf("word%d word%d", i%7, i*i)}))
	}
	storeRecords(t, db, testJob, records...)
	for round := range 3 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), searchVar+"="+db.Path())
			cmd.Stderr = os.Stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for range 1 + round {
				if !lines.Scan() {
					t.Errorf("it ended by itself: %v", lines.Err())
				}
			}
			time.Sleep(time.Duration(round) * 7 * time.Millisecond) // somewhere in an update
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			cmd.Wait() // says that it was killed
			s := openIndex(t, db)
			if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
				t.Fatal(err)
			}
			if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != len(records) {
				t.Errorf("%d found", len(got))
			}
			if got := keysOf(t, s, `about:"word3 word100"`, SearchFilter{}); len(got) != 1 {
				t.Errorf("%v found", got)
			}
			if got := dumpIndex(t, s.Path(), `PRAGMA integrity_check`); got != "ok\n" {
				t.Error(got)
			}
		})
	}
}
