package main

import (
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/outfile"
)

// A colouring is whether what a command writes has colours: the flag --color.
type colouring struct{ choice }

var colors = []option{
	{"auto", "on a terminal, unless NO_COLOR is set"},
	{"always", "in any case, unless NO_COLOR is set"},
	{"never", "in no case"},
}

func (c *colouring) flag(cmd *cobra.Command) {
	c.choice = choice{value: colors[0].name, options: colors}
	c.choice.flag(cmd, "color", "colours; none if NO_COLOR is set")
}

// on reports whether what goes to path is to have colours. Who has set NO_COLOR never
// wants them, whatever a script or an alias asks for.
func (c *colouring) on(path string) bool {
	switch {
	case os.Getenv("NO_COLOR") != "" || c.value == "never":
		return false
	case c.value == "always":
		return true
	}
	return path == outfile.Stdout && isTerminal(os.Stdout) && os.Getenv("TERM") != "dumb"
}

// writer returns what to write to in place of w.
func (c *colouring) writer(w io.Writer, path string) io.Writer {
	if c.on(path) && w == os.Stdout {
		return color.Output // which knows the consoles of Windows
	}
	return w
}
