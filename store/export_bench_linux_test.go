package store

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// peakMemory is the most memory that the process held since it was last
// asked, in megabytes. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
func peakMemory(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // begins anew
	return float64(kilobytes) / 1024
}
