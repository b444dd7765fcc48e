// Package schedule tells when a job is due: at the times of a cron expression,
// in a time zone, between a start and an end. It is pure: no clock and no
// goroutine, so what it says is the same after a restart.
//
// # Expressions
//
// Five fields (minute, hour, day of the month, month, day of the week), six
// with seconds in front, as crontab(5) has them:
// https://man7.org/linux/man-pages/man5/crontab.5.html#DESCRIPTION
// Names of months and days, ranges, which may go around (fri-mon), steps and
// lists; 0 and 7 are Sunday. When neither day field begins with a star, either
// of them makes a day due. L is the last day of the month, L-2 two days before
// it, 15W the weekday nearest to the 15th, LW the last weekday, fri#2 the
// second Friday and fri#L the last. Tags are @yearly (@annually), @monthly,
// @weekly, @daily (@midnight) and @hourly.
//
// "@every 90m" is due at multiples of 90 minutes from Options.Start, or from
// the Unix epoch: the same times whenever the daemon was started.
//
// # When clocks are put forward and back
//
// The rules are those of Vixie cron, see cron(8),
// https://manpages.debian.org/bookworm/cron/cron.8.en.html#NOTES:
//
//   - A time that the clock leaps over is due at the first instant after the
//     leap, together with others that it leaps over: once.
//   - A time that the clock shows twice is due the first time.
//   - Expressions for every hour (the hour field is a star, or as good as one)
//     are due whenever the clock shows their time, and at no other. When it
//     changes by whole hours they are so once in each hour that passes; where
//     it changes by half an hour, there are once half an hour or one and a
//     half between two of them.
//   - Expressions for some hours, but with a star in the minute or second
//     field, go on in an hour that is shown twice. If it is leapt over, they
//     are due after the leap as the first rule has it.
//
// DIFFERENT from Vixie cron: the rules hold for leaps of any size, such as the
// day that Samoa left out (cron takes more than three hours for a correction),
// and */2 in the hour field is no star, as it is not every hour.
package schedule
