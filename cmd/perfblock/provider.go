package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/quote"
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
	var v1 bool
	cmd := &cobra.Command{
		Use:   "install FILE",
		Short: "Register the provider that a manifest or an .ini file defines",
		Long: `Install runs lodctr /m for the manifest FILE (.man) and reads the registry, because the exit status of
lodctr does not say whether it has registered the provider. If the provider is registered
already, install removes it first with unlodctr /m.

The manifest names the program that has the names of the counters as string resources. The program
must be in the folder of FILE, or in that of --folder. Windows finds the names only while the
program stays there.

With --v1, FILE is the .ini file of a V1 provider whose program calls provider.Publish. Its header
must be beside it, and the bridge, SERVICE.dll, in the folder of FILE or in that of --folder.
Install writes Library, Open, Collect and Close of the service, runs lodctr, and reads the registry.

Install requires Windows and an elevated command prompt.`,
		Example: `  perfblock provider install shop.man
  perfblock provider install shop.man --folder "C:\Program Files\Shop"
  perfblock provider install --v1 shop.ini --folder "C:\Program Files\Shop"`,
		Args:              requireArgs("a FILE", 1, 1),
		ValidArgsFunction: completeManifests,
		RunE: func(cmd *cobra.Command, args []string) error {
			if v1 {
				return onServices(cmd, func(r serviceRegistry) error {
					return r.install(cmd.OutOrStdout(), args[0], folder)
				})
			}
			return onWindows(cmd, func(r registration) error {
				return r.install(cmd.OutOrStdout(), args[0], folder)
			})
		},
	}
	cmd.Flags().StringVar(&folder, "folder", "", "the `FOLDER` of the program with the names, or of the DLL")
	cmd.Flags().BoolVar(&v1, "v1", false, "register a V1 provider; FILE is its .ini file")
	return cmd
}

func newUninstall() *cobra.Command {
	var v1 bool
	cmd := &cobra.Command{
		Use:   "uninstall FILE",
		Short: "Remove the provider that a manifest or an .ini file defines",
		Long: `Uninstall runs unlodctr /m for the manifest FILE (.man), and reads the registry to see whether the
provider is removed.

With --v1, FILE is the .ini file of a V1 provider. Uninstall runs unlodctr for its service, and
removes the values Library, Open, Collect and Close. It keeps all other values.

Uninstall requires Windows and an elevated command prompt.`,
		Example: `  perfblock provider uninstall shop.man
  perfblock provider uninstall --v1 shop.ini`,
		Args:              requireArgs("a FILE", 1, 1),
		ValidArgsFunction: completeManifests,
		RunE: func(cmd *cobra.Command, args []string) error {
			if v1 {
				return onServices(cmd, func(r serviceRegistry) error { return r.uninstall(cmd.OutOrStdout(), args[0]) })
			}
			return onWindows(cmd, func(r registration) error { return r.uninstall(cmd.OutOrStdout(), args[0]) })
		},
	}
	cmd.Flags().BoolVar(&v1, "v1", false, "remove a V1 provider; FILE is its .ini file")
	return cmd
}

func completeManifests(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"man", "ini"}, cobra.ShellCompDirectiveFilterFileExt
}

// A registration registers providers in Windows.
type registration struct {
	// run runs lodctr or unlodctr. line has the arguments as Windows takes them. The result describes the exit status and
	// what the program has written.
	run func(program, line string) (result string, err error)

	// registered returns what the registry has about a provider. Nil means that the provider is not registered.
	registered func(provider string) (*registeredProvider, error)
}

// A registeredProvider is the key of a provider below _V2Providers in the registry.
type registeredProvider struct {
	identity string          // ApplicationIdentity, the full path of the program with the names
	sets     map[string]bool // the GUIDs of the counter sets, in lower case
}

// onWindows runs a command with the registration of Windows. It is an error on other systems.
func onWindows(cmd *cobra.Command, run func(registration) error) error {
	r, err := newRegistration()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.TrimPrefix(cmd.CommandPath(), "perfblock "), err)
	}
	return run(r)
}

// readManifest returns the provider of a manifest, and the full path of the manifest.
func readManifest(path string) (*definition.Provider, string, error) {
	if form, err := definition.FormOf(path); err != nil || form != definition.Manifest {
		return nil, "", fmt.Errorf("%s: lodctr reads only manifests; write one with perfblock define FILE -o NAME.man", path)
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

func (r registration) install(out io.Writer, path, folder string) error {
	p, manifest, err := readManifest(path)
	if err != nil {
		return err
	}
	if folder == "" {
		folder = filepath.Dir(manifest)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	binary := filepath.Join(folder, p.BinaryName())
	if _, err := os.Stat(binary); err != nil {
		return fmt.Errorf("%w; put the program with the names of the counters there, or give its folder with --folder", err)
	}
	old, err := r.registered(p.ID().String())
	if err != nil {
		return err
	}
	if old != nil {
		if err := r.remove(p, path, manifest); err != nil {
			return err
		}
	}
	result, err := r.run("lodctr", `/m:"`+manifest+`" "`+strings.TrimRight(folder, `\`)+`"`)
	if err != nil {
		return err
	}
	now, err := r.registered(p.ID().String())
	switch {
	case err != nil:
		return err
	case now == nil:
		return fmt.Errorf("%s: lodctr has not registered the provider %v: %s; check the manifest with perfblock lint", path, p.ID(), result)
	case !strings.EqualFold(filepath.Clean(now.identity), binary):
		return fmt.Errorf("%s: the registered program is %s, must be %s: %s; uninstall the provider first", path, quote.Short(now.identity), quote.Short(binary), result)
	}
	var missing []string
	for i := range p.CounterSets {
		if s := &p.CounterSets[i]; !now.sets[strings.ToLower(p.SetID(s).String())] {
			missing = append(missing, quote.Short(s.Name.String()))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s: lodctr has not registered the counter sets %s: %s", path, strings.Join(missing, ", "), result)
	}
	_, err = fmt.Fprintf(out, "registered %s with %s, names in %s\n", p.ID(), quote.Count(len(p.CounterSets), "counter set"), quote.Short(binary))
	return err
}

func (r registration) uninstall(out io.Writer, path string) error {
	p, manifest, err := readManifest(path)
	if err != nil {
		return err
	}
	old, err := r.registered(p.ID().String())
	if err != nil {
		return err
	}
	if old == nil {
		return fmt.Errorf("%s: the provider %v is not registered", path, p.ID())
	}
	if err := r.remove(p, path, manifest); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "removed %s\n", p.ID())
	return err
}

// remove removes a provider that is registered. manifest is the full path.
func (r registration) remove(p *definition.Provider, path, manifest string) error {
	result, err := r.run("unlodctr", `/m:"`+manifest+`"`)
	if err != nil {
		return err
	}
	if now, err := r.registered(p.ID().String()); err != nil || now != nil {
		return errors.Join(err, fmt.Errorf("%s: unlodctr has not removed the provider %v: %s", path, p.ID(), result))
	}
	return nil
}
