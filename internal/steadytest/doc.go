// Package steadytest has what lets tests hold on a machine that is slow, or
// busy with something else: waiting for what is to come about, the time that a
// process has worked instead of that on the wall, and files in memory instead
// of on a disk that others write to.
package steadytest
