package notify

import "time"

// Kind is what a message is about.
type Kind string

// Kinds, the gravest first.
const (
	Failure  Kind = "failure"  // a run went wrong, fetched nothing, or could not start
	Silence  Kind = "silence"  // a job has not succeeded for so many intervals of its schedule
	Drift    Kind = "drift"    // a run's figures were worse than usual
	Recovery Kind = "recovery" // a job that failed or was silent, and of which that was told, has succeeded
	Changes  Kind = "changes"  // a run found records to be new, changed or gone
)

const trial Kind = "trial" // of a trial message

// gravity has all kinds in the order of their gravity.
var gravity = []Kind{Failure, Silence, Drift, Recovery, Changes}

// Kinds are the names of the kinds that a channel can ask for. Recovery comes
// with what it is the end of.
var Kinds = []string{string(Failure), string(Drift), string(Changes), string(Silence)}

// What a channel does where nothing is said.
const (
	DefaultGroup   = 10 * time.Minute
	DefaultRepeat  = 24 * time.Hour
	DefaultTimeout = 30 * time.Second
	DefaultSilence = 3 // intervals
)

// DefaultOn are the kinds that a channel is told of where nothing is said.
func DefaultOn() []Kind { return []Kind{Failure, Drift, Silence} }

// Channel is one way that messages go: just one of Webhook, Email and Command
// is set.
type Channel struct {
	ID   string // the same for channels of several jobs that lead to the same place in the same way
	Name string // for people, such as "email ops@example.com": as the file has it, without the values of its variables

	Webhook  string            // URL
	Secret   string            // signs what goes to the webhook; "": nothing does
	Header   map[string]string // of requests to the webhook
	Template *Template         // makes the body that goes to the webhook, or the text of a mail; nil: JSON, see Message, or Message.Text

	Email   string    // address
	Subject *Template // makes the subject of a mail; nil: Message.Subject

	Command []*Template // program and arguments; no shell reads them
	Folder  string      // that the command runs in

	Timeout time.Duration // of a request or a command
	On      []Kind
	Group   time.Duration // how long a message waits for others that go the same way
	Repeat  time.Duration // an open problem is told again after that, not before
}
