package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// sameBodies checks that each body that a job's last run stored reads as it
// was sent.
func sameBodies(t *testing.T, db *DB, job string, want map[string][]byte) {
	t.Helper()
	for name, body := range want {
		p, err := db.Page(t.Context(), job, "https://site.test/"+name, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := db.Body(t.Context(), p.Response); err != nil || !bytes.Equal(got, body) {
			t.Fatalf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	checkInvariants(t, db.path)
	if faults := verify(t, db); len(faults) > 0 {
		t.Errorf("faults: %q", faults)
	}
}

// codecs counts bodies by how they are held.
func codecs(t *testing.T, path string) string {
	return dumpSQL(t, path, `SELECT codec, count(*) FROM bodies GROUP BY codec ORDER BY codec`)
}

func TestGC(t *testing.T) {
	open := func(t *testing.T) *DB { return openTest(t, filepath.Join(t.TempDir(), "magpie.db")) }
	job := crawl.Job{Name: "shop"}

	t.Run("bodies stay what they are", func(t *testing.T) {
		db := open(t)
		bodies := templateBodies(60)
		for name, b := range bodySamples {
			bodies["sample/"+strings.ReplaceAll(name, " ", "-")] = b
		}
		storeBodies(t, db, job, bodies)
		if r := gc(t, db); r.Dictionaries != 1 || r.FileAfter >= r.FileBefore {
			t.Errorf("%+v", r)
		}
		sameBodies(t, db, "shop", bodies)
		before := codecs(t, db.path)
		if !strings.Contains(before, "zstd-dict|6") || strings.Contains(before, "zstd|") {
			t.Errorf("codecs: %s", before)
		}
		if r := gc(t, db); r.Compressed != 0 || r.FileAfter != r.FileBefore {
			t.Errorf("a second time: %+v", r)
		}
		if after := codecs(t, db.path); after != before {
			t.Errorf("codecs became %s", after)
		}
		// A page that was not modified is stored with the body that is there.
		run, err := db.Begin(t.Context(), crawl.Job{Name: "shop", Seeds: []crawl.Link{{URL: "https://site.test/p/7", Host: "site.test"}}})
		if err != nil {
			t.Fatal(err)
		}
		due, _, err := run.Window(t.Context(), "site.test", time.Now(), 1, nil)
		if err != nil || len(due) != 1 {
			t.Fatal(due, err)
		}
		if p, err := run.StoredPage(t.Context(), due[0].ID); err != nil || !bytes.Equal(p.Body, bodies["p/7"]) {
			t.Errorf("StoredPage: %v", err)
		}
	})
	t.Run("noise and strangers get no dictionary", func(t *testing.T) {
		db := open(t)
		bodies := map[string][]byte{}
		r := rand.NewChaCha8([32]byte{1})
		for i := range 40 {
			b := make([]byte, 300) // each page is like itself, and like no other
			r.Read(b)
			bodies[fmt.Sprint(i)] = bytes.Repeat(fmt.Appendf(nil, "%x", b), 10)
		}
		storeBodies(t, db, job, bodies)
		if r := gc(t, db); r.Dictionaries != 0 || r.Compressed != 40 {
			t.Errorf("%+v", r)
		}
		sameBodies(t, db, "shop", bodies)
	})
	t.Run("a dictionary serves what comes, and is trained anew when that is much", func(t *testing.T) {
		db := open(t)
		all := templateBodies(200)
		some := func(from, to int) map[string][]byte {
			m := map[string][]byte{}
			for i := from; i < to; i++ {
				name := fmt.Sprintf("p/%d", i)
				m[name] = all[name]
			}
			return m
		}
		dictionaries := func() string {
			return dumpSQL(t, db.path, `SELECT dictionary_id, count(*) FROM bodies WHERE dictionary_id IS NOT NULL GROUP BY 1`)
		}
		storeBodies(t, db, job, some(0, 10))
		if r := gc(t, db); r.Compressed != 10 || r.Dictionaries != 0 {
			t.Errorf("10 bodies: %+v", r)
		}
		storeBodies(t, db, job, some(10, 60))
		if r := gc(t, db); r.Compressed != 60 || r.Dictionaries != 1 || dictionaries() != "1|60\n" {
			t.Errorf("60 bodies: %+v\n%s", r, dictionaries())
		}
		storeBodies(t, db, job, some(60, 100))
		if r := gc(t, db); r.Compressed != 40 || r.Dictionaries != 0 || dictionaries() != "1|100\n" {
			t.Errorf("100 bodies: %+v\n%s", r, dictionaries())
		}
		storeBodies(t, db, job, some(100, 200))
		if r := gc(t, db); r.Compressed != 200 || r.Dictionaries != 1 || dictionaries() != "2|200\n" {
			t.Errorf("200 bodies: %+v\n%s", r, dictionaries())
		}
		gc(t, db)
		if left := dumpSQL(t, db.path, `SELECT id FROM magpie_dictionaries`); left != "2\n" {
			t.Errorf("dictionaries left: %s", left)
		}
		sameBodies(t, db, "shop", all)
	})
	t.Run("what nothing refers to", func(t *testing.T) {
		db := open(t)
		crawlSite(t, beginTest(t, db), 30, nil)
		execSQL(t, db.path, `INSERT INTO bodies (hash, size, codec, data) VALUES (zeroblob(32), 5, 'none', x'0102030405')`)
		before := outcome(t, db.path)
		if r := gc(t, db); r.Unused != 1 || r.UnusedBytes != 5 {
			t.Errorf("%+v", r)
		}
		if after := outcome(t, db.path); after != before {
			t.Errorf("became\n%s\nwas\n%s", after, before)
		}
	})
	t.Run("a dry run changes nothing and counts the same", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", crawl.Keep{Bodies: crawl.KeepLast}, 1, 3)
		dump := `SELECT id, codec, hex(data) FROM bodies UNION ALL SELECT trimmed_page, keep, '' FROM jobs`
		before := dumpSQL(t, db.path, dump)
		dry, err := db.GC(t.Context(), GCOptions{DryRun: true})
		if err != nil {
			t.Fatal(err)
		}
		if dumpSQL(t, db.path, dump) != before {
			t.Error("something changed")
		}
		wet := gc(t, db)
		if dry.Trimmed[0] != wet.Trimmed[0] || wet.Trimmed[0].Bodies != 3 {
			t.Errorf("dry %+v, then %+v", dry, wet)
		}
	})
	t.Run("the file is left alone while a job is held", func(t *testing.T) {
		db := open(t)
		storeBodies(t, db, job, templateBodies(60))
		beginTest(t, db)
		if r := gc(t, db); r.Held != testJob.Name || r.FileAfter != r.FileBefore || r.Compressed != 60 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("stopped anywhere, it goes on from there", func(t *testing.T) {
		db := open(t)
		n := int64(1200)
		if testing.Short() {
			n = 600
		}
		bodies := templateBodies(int(n))
		storeBodies(t, db, job, bodies)
		ctx, cancel := context.WithCancel(t.Context())
		r, err := db.GC(ctx, GCOptions{Progress: func(p GCProgress) {
			if p.Step == GCCompress && p.Done > 0 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || r.Compressed == 0 || r.Compressed >= n {
			t.Fatalf("%+v, %v", r, err)
		}
		checkInvariants(t, db.path)
		if again := gc(t, db); again.Compressed != n-r.Compressed || again.Dictionaries != 0 {
			t.Errorf("%+v, then %+v", r, again)
		}
		sameBodies(t, db, "shop", bodies)
	})
	t.Run("a damaged body is left, and told", func(t *testing.T) {
		db := open(t)
		storeBodies(t, db, job, templateBodies(20))
		execSQL(t, db.path, `UPDATE bodies SET data = x'00' WHERE id = 3`)
		if r := gc(t, db); r.Damaged != 1 || r.Compressed != 19 {
			t.Errorf("%+v", r)
		}
	})
}

// A crawl goes on while gc and backups work on its database.
func TestGCDuringCrawl(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeBodies(t, db, crawl.Job{Name: "before"}, templateBodies(300))
	run := beginTest(t, db)
	var crawling sync.WaitGroup
	crawling.Go(func() {
		if err := crawlPages(t.Context(), run, 800, nil); err != nil {
			t.Error(err)
		}
	})
	gc(t, db)
	copied := filepath.Join(t.TempDir(), "copy.db")
	for range 3 {
		if _, err := db.Backup(t.Context(), copied, nil); err != nil {
			t.Error(err)
		}
		checkInvariants(t, copied)
	}
	crawling.Wait()
	checkInvariants(t, db.path)
	if faults := verify(t, db); len(faults) > 0 {
		t.Errorf("faults: %q", faults)
	}
}

func TestVerify(t *testing.T) {
	for name, c := range map[string]struct{ damage, want string }{
		"nothing":                    {`SELECT 1`, ""},
		"a body that is another":     {`UPDATE bodies SET hash = zeroblob(32) WHERE id = 2`, "body 2: "},
		"a body that is no zstd":     {`UPDATE bodies SET data = x'61' WHERE id = 2`, "body 2: "},
		"a body's size":              {`UPDATE bodies SET size = size + 1 WHERE id = 2`, "body 2 has "},
		"a dictionary":               {`UPDATE magpie_dictionaries SET data = zeroblob(100)`, "dictionary 1"},
		"a dictionary that is gone":  {`PRAGMA foreign_keys = off; DELETE FROM magpie_dictionaries`, "that is not there"},
		"a reference":                {`PRAGMA foreign_keys = off; DELETE FROM urls WHERE id = 1`, "refers to a row of urls that is not there"},
		"an index that lacks a row":  {`PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, 'body_id)', 'run_id)') WHERE name = 'magpie_pages_by_body'`, "magpie_pages_by_body"},
		"a codec of another version": {`UPDATE bodies SET codec = 'lz77' WHERE id = 2`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "magpie.db")
			db := openTest(t, path)
			storeBodies(t, db, crawl.Job{Name: "shop"}, templateBodies(30))
			gc(t, db)
			execSQL(t, path, c.damage)
			look, err := OpenReadOnly(path, Options{NoCheck: true})
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
			var faults []string
			r, err := look.Verify(t.Context(), func(f string) { faults = append(faults, f) }, nil)
			switch {
			case strings.Contains(name, "codec"):
				if err == nil {
					t.Error("it was taken for whole")
				}
			case err != nil, int64(len(faults)) != r.Faults:
				t.Errorf("%d faults, %v", r.Faults, err)
			case c.want == "":
				if len(faults) > 0 || r.Bodies != 30 {
					t.Errorf("%+v, %q", r, faults)
				}
			case !strings.Contains(strings.Join(faults, "\n"), c.want):
				t.Errorf("faults %q, want one with %q", faults, c.want)
			}
		})
	}
}

func TestBackup(t *testing.T) {
	path := filledDatabase(t)
	db := openTest(t, path)
	hashOf := func(t *testing.T, file string) [32]byte {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return sha256.Sum256(b)
	}
	t.Run("is the database", func(t *testing.T) {
		to := filepath.Join(t.TempDir(), "copy 1.db")
		var done, total int64
		size, err := db.Backup(t.Context(), to, func(d, n int64) { done, total = d, n })
		info, statErr := os.Stat(to)
		if err != nil || statErr != nil || size != info.Size() || done != total || total != size {
			t.Fatalf("%d bytes, %d of %d, %v, %v", size, done, total, err, statErr)
		}
		if outcome(t, to) != outcome(t, path) {
			t.Error("it is another")
		}
		// An earlier backup is replaced, also one that was looked at.
		look, err := OpenReadOnly(to, Options{})
		if err != nil {
			t.Fatal(err)
		}
		look.Close()
		if _, err := db.Backup(t.Context(), to, nil); err != nil {
			t.Error(err)
		}
		openTest(t, to)
		checkInvariants(t, to)
	})
	for name, make := range map[string]func(t *testing.T) string{
		"a text":              func(t *testing.T) string { return fileWith(t, "hello") },
		"an empty file":       func(t *testing.T) string { return fileWith(t, "") },
		"a folder":            func(t *testing.T) string { return t.TempDir() },
		"the database itself": func(t *testing.T) string { return path },
		"another program's database": func(t *testing.T) string {
			p := filepath.Join(t.TempDir(), "cookies.db")
			execSQL(t, p, `CREATE TABLE cookies (a)`)
			return p
		},
	} {
		t.Run("does not replace "+name, func(t *testing.T) {
			to := make(t)
			var before [32]byte
			if name != "a folder" {
				before = hashOf(t, to)
			}
			if _, err := db.Backup(t.Context(), to, nil); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), to) {
				t.Errorf("error = %v", err)
			}
			if name != "a folder" && hashOf(t, to) != before {
				t.Error("it was changed")
			}
		})
	}
	t.Run("is as private as the database", func(t *testing.T) {
		from, to := filledDatabase(t), filepath.Join(t.TempDir(), "copy.db")
		if err := os.Chmod(from, 0o600); err != nil {
			t.Fatal(err)
		}
		of, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openTest(t, from).Backup(t.Context(), to, nil); err != nil {
			t.Fatal(err)
		}
		if copied, err := os.Stat(to); err != nil || copied.Mode() != of.Mode() {
			t.Errorf("%v, %v, want %v", copied.Mode(), err, of.Mode())
		}
	})
	t.Run("leaves nothing when it is stopped", func(t *testing.T) {
		folder := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := db.Backup(ctx, filepath.Join(folder, "copy.db"), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v", err)
		}
		if files, _ := os.ReadDir(folder); len(files) > 0 {
			t.Errorf("left: %v", files)
		}
	})
	t.Run("names where it cannot write", func(t *testing.T) {
		to := filepath.Join(t.TempDir(), "missing", "copy.db")
		if _, err := db.Backup(t.Context(), to, nil); err == nil || !strings.Contains(err.Error(), to) || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("error = %v", err)
		}
	})
}

func fileWith(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
