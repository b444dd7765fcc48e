//go:build race

package daemon

// raceEnabled tells that the race detector runs: what is many times slower
// with it is made smaller.
const raceEnabled = true
