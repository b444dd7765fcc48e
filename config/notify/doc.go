// Package notify has what people and programs are told of jobs: what a message
// says, in the words of each way it can go, and where messages go.
//
// It decides nothing and sends nothing: package alert of the command does.
package notify
