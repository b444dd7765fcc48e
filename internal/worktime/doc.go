// Package worktime tells how long this process has worked. Tests compare how
// work grows with what is given to it: the time that passes on the wall would
// also have what the machine did meanwhile for others.
package worktime
