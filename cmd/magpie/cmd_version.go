package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is what is known of this build.
type version struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // built from a tree that differs from the revision
}

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE:  func(*cobra.Command, []string) error { return a.writeVersion() },
	}
}

func (a *app) writeVersion() error {
	v := readVersion()
	if a.json {
		return a.writeJSON(v)
	}
	_, err := fmt.Fprintln(a.stdout, v)
	return err
}

func readVersion() version {
	v := version{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String is one line such as "magpie v1.2.3 (go1.26.0, linux/amd64, 0bcb3eb)".
func (v version) String() string {
	about := []string{v.Go, v.Platform}
	if v.Revision != "" {
		about = append(about, v.Revision[:min(len(v.Revision), 12)])
	}
	if v.Modified {
		about = append(about, "modified")
	}
	return fmt.Sprintf("magpie %s (%s)", v.Version, strings.Join(about, ", "))
}
