package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Show the version of perfblock",
		Long:              "Version shows the version of perfblock, and the Go and the system it was built for.",
		Example:           "  perfblock version",
		Args:              wantArgs("", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version())
			return err
		},
	}
}

// version returns a line that tells this program from others of its name.
func version() string {
	v := moduleVersion()
	if v == "" {
		v = "unknown version"
	}
	return fmt.Sprintf("perfblock %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// moduleVersion returns the version of the module, "" if it was built without one.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return ""
}
