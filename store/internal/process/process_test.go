package process

import (
	"os"
	"os/exec"
	"testing"
)

func TestGone(t *testing.T) {
	this := This()
	if this.PID != os.Getpid() || this.Host == "" || this.Machine == "" {
		t.Fatalf("This() = %+v", this)
	}
	t.Run("itself", func(t *testing.T) {
		if this.Gone(this) {
			t.Error("this process is said not to run")
		}
	})
	// A process that was waited for has left the table.
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	other := this
	other.PID = ended.Process.Pid
	t.Run("one that has ended", func(t *testing.T) {
		if !this.Gone(other) {
			t.Error("it is said to run")
		}
	})
	t.Run("one on another machine", func(t *testing.T) {
		other.Machine = "elsewhere"
		if this.Gone(other) {
			t.Error("nothing is known of it")
		}
	})
}
