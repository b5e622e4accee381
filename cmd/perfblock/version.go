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
	v := "unknown version"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("perfblock %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
