package store

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// gcVar makes the test binary clean up the database that the variable names.
const gcVar = "MAGPIE_STORE_TEST_GC"

func gcAsChild(path string) error {
	db, err := Open(path, Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.GC(context.Background(), GCOptions{})
	return err
}

// A gc that is killed again and again loses no body that is to be kept, leaves
// nothing out, and ends like one that was left alone.
func TestKillGC(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	keep := crawl.Keep{Bodies: crawl.KeepLast}
	all, kills := 800, 25
	if testing.Short() {
		all, kills = 500, 6
	}
	fetched := all - 100 // by the second run
	old, bodies := templateBodies(all), templateBodies(fetched)
	for name := range bodies {
		old[name] = append([]byte("old "), old[name]...)
	}
	storeBodies(t, db, crawl.Job{Name: "shop", Keep: keep}, old)
	storeBodies(t, db, crawl.Job{Name: "shop", Keep: keep}, bodies)
	for name := range old { // pages that the second run did not come to
		if bodies[name] == nil {
			bodies[name] = old[name]
		}
	}
	for killed := 0; ; killed++ {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), gcVar+"="+path)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if killed < kills {
			time.AfterFunc(time.Duration(rand.IntN(40*(killed+1)))*time.Millisecond, func() { cmd.Process.Kill() })
		}
		err := cmd.Wait()
		sameBodies(t, db, "shop", bodies)
		if err == nil {
			t.Logf("killed %d times", killed)
			break
		}
		if killed > kills+5 {
			t.Fatal("gc does not come to an end")
		}
	}
	if s := sizes(t, db).Bodies; s.Count != int64(all) || s.Dropped != int64(fetched) || s.Fresh != 0 {
		t.Errorf("%+v", s)
	}
}
