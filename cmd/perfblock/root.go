package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfblock/perfblock/internal/suggest"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "perfblock",
		Short: "Build, judge, show and make up blocks of Windows performance counters",
		Long: `Perfblock works on the binary blocks of Windows performance counters: what an
extension DLL writes in its Collect function, what a consumer reads from
HKEY_PERFORMANCE_DATA, and the buffers of perflib.h. It does so on any system.

The exit status is 0 when all went well, 1 when a block has errors, or could be
shown but not be read in full, and 2 when the command could not run.`,
		Example: `  perfblock gen --workload cpu -o cpu.bin      make a block up
  perfblock lint cpu.bin                       see what is wrong with it
  perfblock explain data-total-length          see what a rule is about
  perfblock dump cpu.bin                       see each of its fields
  perfblock dump --format yaml -o cpu.yaml cpu.bin
  perfblock build cpu.yaml -o again.bin        turn a spec into a block`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          wantCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(newBuild(), newDump(), newExplain(), newGen(), newLint(), newVersion())
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil && c != root {
		c.Args, c.RunE = wantCommand, root.RunE // by itself it shows its help for any word
	}
	return root
}

// newHelp is cobra's help command, but an unknown command is an error.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show what a command does and its flags",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			switch {
			case err != nil:
				return err
			case len(rest) > 0 && cmd.HasSubCommands():
				return wantCommand(cmd, rest)
			case len(rest) > 0:
				return fmt.Errorf("%s has no command %q", cmd.CommandPath(), rest[0])
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// wantCommand refuses arguments where the name of a command should be.
func wantCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("no command %q%s; %s --help lists them", args[0], didYouMean(args[0], names), cmd.CommandPath())
}

// explainFlag puts the flag that was meant beside one that does not exist.
func explainFlag(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var number *strconv.NumError // which speaks of functions of Go; flags that are bool make one too
	if errors.As(err, &value) && errors.As(err, &number) {
		flag := value.GetFlag()
		return seeHelp(cmd, fmt.Errorf("invalid argument %q for %q flag: it is %s", value.GetValue(), "--"+flag.Name, wanted(flag.Value.Type())))
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return seeHelp(cmd, err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return seeHelp(cmd, fmt.Errorf("no flag -%s", name))
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return seeHelp(cmd, fmt.Errorf("no flag --%s%s", name, didYouMean("--"+name, names)))
}

// wanted says what the values of a type of flag are.
func wanted(typ string) string {
	if typ == "bool" {
		return "true or false, and true without a value"
	}
	most := uint64(math.MaxUint64)
	if typ == "uint32" {
		most = math.MaxUint32
	}
	return fmt.Sprintf("a whole number from 0 to %d", most)
}

// seeHelp points to the help of a command that was used in a wrong way.
func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// didYouMean returns a question after the name nearest to the one given, nothing
// if none is near.
func didYouMean(given string, names []string) string {
	word := strings.ToLower(strings.TrimLeft(given, "-"))
	best, least := "", min(2, len(word)/2)+1
	for _, name := range names {
		meant := strings.TrimLeft(name, "-")
		d := suggest.Slips(word, meant)
		if len(word) > 1 && strings.HasPrefix(meant, word) {
			d = min(d, 1)
		}
		if d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}
