// Package machine has the shapes in which programs read what magpie knows: the
// lines of --json and the bodies of the API.
package machine
