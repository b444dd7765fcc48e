package schedule

// Overlap is what happens when a job is due whose run is still going on.
type Overlap int

// What to do with the new run.
const (
	Skip   Overlap = iota // it does not take place
	Queue                 // it begins when the old one has ended
	Cancel                // the old one is stopped, and it begins
)

// OverlapNames are the names of policies in job files, by their numbers.
var OverlapNames = []string{Skip: "skip", Queue: "queue", Cancel: "cancel"}

func (o Overlap) String() string { return OverlapNames[o] }

// Missed is what happens with due times while the daemon was not there.
type Missed int

// What to do with them.
const (
	RunOnce    Missed = iota // one run for all of them
	SkipMissed               // none
)

// MissedNames are the names of policies in job files, by their numbers.
var MissedNames = []string{RunOnce: "run", SkipMissed: "skip"}

func (m Missed) String() string { return MissedNames[m] }
