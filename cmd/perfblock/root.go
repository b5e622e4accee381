package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/validate/config"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "perfblock",
		Short: "Build, validate, show and generate blocks of Windows performance counters",
		Long: `Perfblock works on the binary blocks of Windows performance counters: the output of an
extension DLL's Collect function, the data that a consumer reads from
HKEY_PERFORMANCE_DATA, and the buffers of perflib.h. It runs on Linux, macOS and Windows.

Exit status:
  0  no errors
  1  a block has errors, a part of a block could not be read, or two blocks differ
  2  the command could not run`,
		Example: `  perfblock gen --workload cpu -o cpu.bin      generate a block
  perfblock lint cpu.bin                       list its faults
  perfblock explain data-total-length          read about a rule
  perfblock dump cpu.bin                       show every field
  perfblock diff cpu.bin other.bin             list the differences
  perfblock dump --format yaml -o cpu.yaml cpu.bin
  perfblock build cpu.yaml -o again.bin        turn a spec into a block`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          requireCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newAnonymise(), newBuild(), newCapture(), newConfig(), newCook(), newDefine(), newDiff(), newDump(), newExplain(), newGen(), newLint(), newMerge(), newProbe(), newProbeServe(), newProvider(), newVersion())
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Use, help.Short, help.Long = "help [COMMAND]", "Show the flags of a command and what it does", ""
		help.Run, help.RunE = nil, showHelp
	}
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil && c != root {
		c.Args, c.RunE = requireCommand, root.RunE // the check of cobra accepts any word and shows the help
		for _, shell := range c.Commands() {
			shell.Args = requireArgs("", 0, 0)
		}
	}
	return root
}

// showHelp shows the help of the command that args name. Unlike the help command of cobra, it returns an error for an
// unknown command.
func showHelp(help *cobra.Command, args []string) error {
	cmd, rest, err := help.Root().Find(args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0 && cmd.HasSubCommands():
		return requireCommand(cmd, rest)
	case len(rest) > 0:
		return fmt.Errorf("%s has no command %q", cmd.CommandPath(), rest[0])
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Show the version of perfblock",
		Long:              "Version shows the versions of perfblock and Go, and the system for which perfblock was built.",
		Example:           "  perfblock version",
		Args:              requireArgs("", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version())
			return err
		},
	}
}

func version() string {
	return fmt.Sprintf("perfblock %s %s %s/%s", cmp.Or(moduleVersion(), "unknown version"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// moduleVersion returns the version of the module, or "" if the build has none.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return ""
}

// requireCommand returns an error if the user wrote a word that is not a command.
func requireCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if slices.Contains(c.SuggestFor, strings.ToLower(args[0])) {
			return fmt.Errorf("no command %q (did you mean %s?); %s --help lists the commands", args[0], c.Name(), cmd.CommandPath())
		}
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("no command %q%s; %s --help lists the commands", args[0], didYouMean(args[0], names), cmd.CommandPath())
}

// requireArgs returns a check of the number of arguments. A negative maximum means no limit. what describes the
// required arguments, such as "a FILE".
func requireArgs(what string, minimum, maximum int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < minimum:
			return seeHelp(cmd, fmt.Errorf("%s requires %s", cmd.Name(), what))
		case maximum == 0 && len(args) > 0:
			return seeHelp(cmd, fmt.Errorf("%s takes no arguments, but got %q", cmd.Name(), args[0]))
		case maximum == 1 && len(args) > maximum:
			return seeHelp(cmd, fmt.Errorf("%s takes one argument, but got %q too", cmd.Name(), args[maximum]))
		case maximum > 0 && len(args) > maximum:
			return seeHelp(cmd, fmt.Errorf("%s takes %d arguments, but got %q too", cmd.Name(), maximum, args[maximum]))
		}
		return nil
	}
}

// flagError adds help to an error about a flag: the accepted values for an invalid value, or a flag with a similar
// name.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var number *strconv.NumError // the error for a number or a boolean; its message has the name of a Go function
	if errors.As(err, &value) && errors.As(err, &number) {
		flag := value.GetFlag()
		return seeHelp(cmd, fmt.Errorf("invalid argument %q for %q flag: must be %s", value.GetValue(), "--"+flag.Name, valuesOf(flag.Value.Type())))
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return seeHelp(cmd, err)
	}
	name := unknown.GetSpecifiedName()
	var names, sameLetter []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		names = append(names, "--"+f.Name)
		if strings.HasPrefix(f.Name, strings.ToLower(name)) {
			sameLetter = append(sameLetter, "--"+f.Name)
		}
	})
	flag := "--" + name + didYouMean("--"+name, names)
	switch hint := flagHints[cmd.Name()+" "+name]; {
	case unknown.GetSpecifiedShortnames() != "" && len(sameLetter) > 0:
		flag = fmt.Sprintf("-%s (did you mean %s?)", name, quote.List(sameLetter, "or"))
	case unknown.GetSpecifiedShortnames() != "":
		flag = "-" + name
	case hint != "":
		flag = "--" + name + ": " + hint
	}
	return seeHelp(cmd, errors.New("no flag "+flag))
}

// flagHints has hints for unknown flags that other commands or tools have. For build --kind, the key is "build kind".
var flagHints = map[string]string{
	"build kind":          "set the key \"kind\" in the SPEC",
	"diff exclude":        "use --ignore to ignore sorts of differences, such as --ignore values,times",
	"diff first-counter":  firstTitleHint,
	"dump first-counter":  firstTitleHint,
	"dump profile":        "set the profile in " + config.FileName,
	"dump rule":           "set the severity of a rule in " + config.FileName,
	"explain list":        "to list all rules, run perfblock explain without RULE",
	"lint disable":        suppressHint,
	"lint exclude":        "to exclude files, use the key \"exclude\" of " + config.FileName + "; to suppress a rule, use --rule RULE=off",
	"lint ignore":         suppressHint,
	"lint severity":       "use --rule RULE=SEVERITY to set the severity of a rule, and --fail-on for the exit status",
	"lint skip":           suppressHint,
	"lint suppress":       suppressHint,
	"merge first-counter": firstTitleHint,
}

const (
	firstTitleHint = "if --titles names a definition, use --first-title N to set its First Counter"
	suppressHint   = "use --rule RULE=off to suppress a rule"
)

// valuesOf describes the values that a flag of the given type accepts.
func valuesOf(typ string) string {
	if typ == "bool" {
		return "true or false; without a value it is true"
	}
	most := uint64(math.MaxUint64)
	if typ == "uint32" {
		most = math.MaxUint32
	}
	return fmt.Sprintf("a whole number from 0 to %d", most)
}

// seeHelp returns a usage error that also says how to get the help of the command.
func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// didYouMean returns a question with a name that is similar to the word. If no name is similar, and the word has at
// least two bytes, didYouMean uses a name that starts with the word. It returns "" if there is no such name.
func didYouMean(word string, names []string) string {
	name := suggest.Similar(word, names)
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, strings.ToLower(word)) }); name == "" && i >= 0 && len(word) > 1 {
		name = names[i]
	}
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", name)
}
