package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
)

func newProvider() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "provider",
		Short: "Register a provider on this computer, or remove it",

		SuggestFor: []string{"install", "register", "uninstall", "unlodctr", "unregister"},
		Long: `Provider registers a provider in Windows, or removes it. Without registration, Windows accepts the
V2 counters of a program, but no consumer finds them. It does not load the DLL of V1 counters.`,
		Example: `  perfblock provider install shop.man
  perfblock provider uninstall shop.man
  perfblock provider bridge -o Shop.dll
  perfblock provider install --v1 shop.ini`,
		Args: requireCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBridge(), newInstall(), newUninstall())
	return cmd
}

func newInstall() *cobra.Command {
	var folder string
	cmd := newRegistration("register a V1 provider; FILE is its .ini file", func(r registrar, out io.Writer, path string) error {
		return r.install(out, path, folder)
	})
	cmd.Use, cmd.Short = "install FILE", "Register the provider that a manifest or an .ini file defines"
	cmd.Long = `Install runs lodctr /m for the manifest FILE (.man) and reads the registry, because the exit status of
lodctr does not say whether it has registered the provider. If the provider is registered
already, install removes it first with unlodctr /m. Then install compares the types of the counters
and the attribute reference in FILE with the registration.

The manifest names the program that has the names of the counters as string resources. The program
must be in the folder of FILE, or in the folder of --folder. Windows finds the names only while the
program stays in this folder.

With --v1, FILE is the .ini file of a V1 provider whose program calls provider.Publish. The header
of FILE must be in the same folder. The bridge, SERVICE.dll, must be in the folder of FILE or in the
folder of --folder. Install writes the values Library, Open, Collect and Close of the service, runs
lodctr, and reads the registry.

If the registry then has wrong values, install removes the provider again.

Install requires Windows and an elevated command prompt.`
	cmd.Example = `  perfblock provider install shop.man
  perfblock provider install shop.man --folder "C:\Program Files\Shop"
  perfblock provider install --v1 shop.ini --folder "C:\Program Files\Shop"`
	cmd.Flags().StringVar(&folder, "folder", "", "the `FOLDER` of the provider's program, or of the DLL (--v1)")
	return cmd
}

func newUninstall() *cobra.Command {
	cmd := newRegistration("remove a V1 provider; FILE is its .ini file", registrar.uninstall)
	cmd.Use, cmd.Short = "uninstall FILE", "Remove the provider that a manifest or an .ini file defines"
	cmd.Long = `Uninstall runs unlodctr /m for the manifest FILE (.man), and reads the registry to see whether the
provider is removed.

With --v1, FILE is the .ini file of a V1 provider. Uninstall runs unlodctr for its service, and
removes the values Library, Open, Collect and Close. It keeps all other values.

Uninstall requires Windows and an elevated command prompt.`
	cmd.Example = `  perfblock provider uninstall shop.man
  perfblock provider uninstall --v1 shop.ini`
	return cmd
}

// newRegistration returns a command that calls run for a FILE. v1Usage describes the flag --v1.
func newRegistration(v1Usage string, run func(r registrar, out io.Writer, path string) error) *cobra.Command {
	var v1 bool
	cmd := &cobra.Command{
		Args:              requireArgs("a FILE", 1, 1),
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"man", "ini"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := newRegistrar(cmd, v1)
			if err != nil {
				return err
			}
			return run(r, cmd.OutOrStdout(), args[0])
		},
	}
	cmd.Flags().BoolVar(&v1, "v1", false, v1Usage)
	return cmd
}

// A registrar can register the provider that a file defines, and can remove the registration.
type registrar interface {
	// install registers the provider that the file at path defines. folder is the folder of the program or the DLL. If
	// folder is "", install uses the folder of the file at path.
	//
	// If the registration fails, install undoes the registration. The error also states what is still registered.
	install(out io.Writer, path, folder string) error

	uninstall(out io.Writer, path string) error
}

// A system has the functions of Windows for the methods install and uninstall of a registrar.
type system struct {
	// run runs the program lodctr or unlodctr. line is the part of the command line after the program. result has the
	// exit status and the output.
	run func(program, line string) (result string, err error)

	// registered returns the registry key of a V2 provider. Nil means that the provider is not registered.
	registered func(provider string) (*registeredProvider, error)

	// registration returns the registration of a V2 counter set, in the format of
	// PerfQueryCounterSetRegistrationInfo. Nil means that Windows returns no registration.
	registration func(set layout.GUID) []byte

	// performance returns the names and values in the key Performance of a service. A value is a string or a uint32.
	performance func(service string) (map[string]any, error)

	// set writes strings to the key Performance of a service, and creates the key if it does not exist.
	set func(service string, values [][2]string) error

	// unset removes values from the key Performance of a service.
	unset func(service string, names []string) error
}

// newRegistrar returns an error on systems other than Windows.
func newRegistrar(cmd *cobra.Command, v1 bool) (registrar, error) {
	s, err := newSystem()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.TrimPrefix(cmd.CommandPath(), "perfblock "), err)
	}
	if v1 {
		return services{s}, nil
	}
	return manifests{s}, nil
}

// readProvider returns the provider in a file, and the full path of the file. It returns an error if the file does not
// have the given form. For an .ini file or a manifest, this error says whether to add or to leave out --v1. For any
// other file, the text of the error is remedy.
func readProvider(path string, form definition.Form, remedy string) (*definition.Provider, string, error) {
	if got, err := definition.FormOf(path); err != nil || got != form {
		switch {
		case err == nil && got == definition.INI:
			remedy = "is the .ini file of a V1 provider; add --v1"
		case err == nil && got == definition.Manifest:
			remedy = "is the manifest of a V2 provider; leave out --v1"
		}
		return nil, "", fmt.Errorf("%s: %s", path, remedy)
	}
	contents, err := readInput(path)
	if err != nil {
		return nil, "", err
	}
	f, err := readDefinition(path, contents)
	if err != nil {
		return nil, "", err
	}
	full, err := filepath.Abs(path)
	if err == nil && strings.Contains(full, `"`) {
		err = fmt.Errorf("%s: the path has a quote, which lodctr cannot read; rename the file", path)
	}
	return f.Provider, full, err
}

// requireFile returns the full path of a file in a folder. If the file does not exist, the error ends with the given
// remedy.
func requireFile(name, folder, remedy string) (string, error) {
	path, err := filepath.Abs(filepath.Join(folder, name))
	if err == nil {
		if _, err = os.Stat(path); err != nil {
			err = fmt.Errorf("%w; %s", err, remedy)
		}
	}
	return path, err
}
