// Package alert tells people and programs when jobs go wrong, by webhooks,
// mail and commands.
//
// What happens goes this way:
//
//	a run has ended, a minute has passed     alert.go: RunEnded, Tick
//	is something wrong, or well again        run.go, silence.go: the open problems of the job change
//	who is told now                          tell.go: of an open problem once, then after Repeat
//	what happens within Group is one message package store, with the change, in one transaction
//	messages are sent, again if need be      deliver.go: each channel by itself
//	a webhook, a mail, a command             webhook.go, email.go, command.go
//
// All of it is in the database. A process that is killed loses nothing, and
// tells nothing again but the message that was on its way.
//
// # What is told when
//
// A failure is told when it first shows, then after Repeat with the number of
// failed runs so far. Silence, which is that a job has not succeeded for so
// many intervals of its schedule, is told besides: data is stale then. While a
// channel knows of it, failures are not repeated to it. When the job succeeds
// that is told once, to those who were told of the failure or the silence. A
// problem that is over before its message went out is told with its end, in
// one message.
//
// Drift is told like a failure, and at once when a figure drifts that did not
// before. Its end is not told: what was unusual becomes usual after some runs,
// so that a run without drift need not be a good one. Changes are told of each
// run that has some.
package alert
