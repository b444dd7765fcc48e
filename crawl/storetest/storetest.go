// Package storetest is the contract of crawl.Store as tests. Every
// implementation runs it:
//
//	func TestContract(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) crawl.Store { … })
//	}
//
// What the cases are made of is in site.go (the links, jobs and pages of a
// site), visit.go (what becomes of a URL), run.go (a run's steps) and look.go
// (what a run shows); the other files are named for what their cases are about.
package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// Faulty is a store that can have happen to it what happens to processes. The
// tests of crashes and lost holds need it, and are skipped without.
type Faulty interface {
	crawl.Store

	// Crash returns another store, with what would be left of this one if
	// its process had been killed just now.
	Crash(t *testing.T) crawl.Store

	// Expire makes the hold on a job look as if it had not been renewed for
	// longer than a hold lasts.
	Expire(t *testing.T, job string)
}

// opener returns a new, empty store, which is closed when the test ends.
type opener func(t *testing.T) crawl.Store

// Run runs the suite. open returns a new, empty store, and sees to it that it
// is closed when the test ends.
func Run(t *testing.T, open func(t *testing.T) crawl.Store) {
	for _, group := range []struct {
		name  string
		tests func(t *testing.T, open opener)
	}{
		{"NewRun", testNewRun},
		{"Resume", testResume},
		{"Continue", testContinue},
		{"Hold", testHold},
		{"HoldOverTime", testHoldOverTime},
		{"Hosts", testHosts},
		{"Window", testWindow},
		{"WindowLimit", testWindowLimit},
		{"Commit", testCommit},
		{"NotStored", testNotStored},
		{"Counters", testCounters},
		{"Retries", testRetries},
		{"RetryTimes", testRetryTimes},
		{"Past", testPast},
		{"StoredPage", testStoredPage},
		{"Absence", testAbsence},
		{"Recall", testRecall},
		{"HostState", testHostState},
		{"HostLessons", testHostLessons},
		{"RobotsFile", testRobotsFile},
		{"Traps", testTraps},
		{"Asked", testAsked},
		{"Archives", testArchives},
		{"Links", testLinks},
		{"LinksTwice", testLinksTwice},
		{"LinksSettled", testLinksSettled},
		{"LinksNextRun", testLinksNextRun},
		{"Records", testRecords},
		{"RecordData", testRecordData},
		{"Duplicates", testDuplicates},
		{"EndsByShown", testEndsByShown},
		{"EndsByPage", testEndsByPage},
		{"EndsByRun", testEndsByRun},
		{"Finish", testFinish},
		{"Crash", testCrash},
		{"Concurrency", testConcurrency},
	} {
		t.Run(group.name, func(t *testing.T) { group.tests(t, open) })
	}
}

// testCase is a test on a store of its own.
type testCase struct {
	name string
	test func(t *testing.T, s crawl.Store)
}

// runCases runs each case as a subtest.
func runCases(t *testing.T, open opener, cases []testCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}
