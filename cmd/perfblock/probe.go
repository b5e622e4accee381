package main

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

type probeCommand struct {
	reports  reportFlags
	policy   policyFlags
	dll      provider.DLL
	service  string
	timeout  time.Duration
	metadata bool
	first    uint32
	last     uint32
	log      string
}

func newProbe() *cobra.Command {
	c := &probeCommand{reports: reportFlags{blocks: true}}
	cmd := &cobra.Command{
		Use:   "probe DLL...",
		Short: "Call a provider DLL and check what it returns, on Windows",

		SuggestFor: []string{"call", "collect", "load"},
		Long: `Probe loads a V1 provider DLL in a process of its own and calls Open, Collect with a series of
queries and buffers, and Close. It checks what each call returns against the rules PERF3xxx,
and validates the data as lint does. A crash, a hang or an exit of the process is a finding. A
call that takes twice the --timeout is stopped.
perfblock explain 'PERF3*' describes the rules, docs/probe.md the calls.

The DLL runs with the rights of the user. Its buffers lie between pages that cannot be
accessed, so a write outside a buffer ends the process. The DLL must be for the same processor
as perfblock. Findings about a DLL that is written in Go can be wrong: the process then has two
Go runtimes, which Go does not support.

--service NAME reads the values of the service's Performance key in the registry: the DLL, its
functions, First Counter, Last Counter, the timeouts and Collect Supports Metadata. Flags
override these values. Without --service, the functions have the names Open, Collect and Close, or
the names of --open, --collect and --close.

Probe runs on Windows only. In a Go test on any system, provider.Check checks a Collect
function in the same way.

Exit status, as of lint:
  0  no finding has the severity of --fail-on, or a higher one
  1  a finding has the severity of --fail-on, or a higher one
  2  the command could not run, a DLL could not be loaded, or it returned no data
  130  Ctrl-C stopped the command
` + section("Formats", c.reports.formats()) + policyHelp(),
		Example: `  perfblock probe --service Shop
  perfblock probe shop.dll --open OpenShop --collect CollectShop --close CloseShop
  perfblock probe --service Shop --log calls.txt --out sarif=findings.sarif --out text=-`,
		Args: c.requireDLL,
		RunE: func(cmd *cobra.Command, args []string) error {
			checker, err := c.policy.checker(cmd)
			if err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(cmd, checker, args)
		},
	}
	c.reports.flags(cmd)
	c.policy.flags(cmd)
	set := cmd.Flags()
	set.StringVar(&c.service, "service", "", "probe the DLL of service `NAME`")
	set.StringVar(&c.dll.Open, "open", "", "the `NAME` of the function Open")
	set.StringVar(&c.dll.Collect, "collect", "", "the `NAME` of the function Collect")
	set.StringVar(&c.dll.Close, "close", "", "the `NAME` of the function Close")
	set.DurationVar(&c.timeout, "timeout", provider.DefaultTimeout, "the longest `TIME` of Open and of Collect")
	set.BoolVar(&c.metadata, "metadata", false, "the Performance key has \"Collect Supports Metadata\" = 1")
	set.Uint32Var(&c.first, "first-counter", 0, "First Counter of the provider's Performance key, `N`")
	set.Uint32Var(&c.last, "last-counter", 0, "Last Counter of the provider's Performance key, `N`")
	set.StringVar(&c.log, "log", "", "write a log to `FILE`, with a line for each call")
	noFiles(cmd, "service", "open", "collect", "close", "timeout", "first-counter", "last-counter")
	return cmd
}

// requireDLL returns an error if there is nothing to probe, or if --service is given with more than one DLL.
func (c *probeCommand) requireDLL(cmd *cobra.Command, args []string) error {
	switch {
	case c.service == "":
		return requireArgs("a DLL, or --service NAME", 1, -1)(cmd, args)
	case len(args) > 1:
		return seeHelp(cmd, errors.New("--service is for one DLL"))
	}
	return nil
}

func (c *probeCommand) run(cmd *cobra.Command, checker *checker, paths []string) error {
	given := cmd.Flags().Changed
	if given("first-counter") != given("last-counter") || c.first > c.last {
		return seeHelp(cmd, errors.New("--first-counter and --last-counter are the ends of a range, and require each other"))
	}
	if c.timeout <= 0 {
		return seeHelp(cmd, fmt.Errorf("--timeout is %v, must be more than 0", c.timeout))
	}
	outs, err := c.reports.list(cmd)
	if err != nil {
		return seeHelp(cmd, err)
	}
	if runtime.GOOS != "windows" {
		return fmt.Errorf("probe: %w", provider.ErrNotWindows)
	}
	dlls, probe, err := c.settings(cmd, paths)
	if err != nil {
		return err
	}
	if err := checkSame(append(files(outs), c.log), paths); err != nil {
		return err
	}
	if err := checker.readConfig(); err != nil {
		return err
	}
	w, err := c.reports.begin(outs, os.Interrupt)
	if err != nil {
		return err
	}
	defer w.discard()
	ctx, stop := untilInterrupt(w)
	defer stop()
	p := prober{checker: checker, to: w}
	if err := p.probe(ctx, probe, dlls); err != nil {
		return err
	}
	if c.log != "" {
		if err := writeError([]string{c.log}, outfile.WriteAll(outfile.Bytes(c.log, []byte(p.log.String())))); err != nil {
			return err
		}
	}
	if err := w.close(report.End{ExitCode: new(exitOf(p.end)), Interrupted: p.end == errInterrupted}); err != nil {
		return err
	}
	return p.end
}

// settings returns the DLLs and their settings, from the flags and the registry.
func (c *probeCommand) settings(cmd *cobra.Command, paths []string) ([]provider.DLL, provider.Probe, error) {
	var dll provider.DLL
	var probe provider.Probe
	if c.service != "" {
		var err error
		if dll, probe, err = provider.Service(c.service); err != nil {
			return nil, probe, err
		}
	}
	given := cmd.Flags().Changed
	if given("timeout") || probe.Timeout == 0 {
		probe.Timeout, probe.OpenTimeout = c.timeout, c.timeout
	}
	if given("metadata") {
		probe.Metadata = c.metadata
	}
	if given("first-counter") {
		probe.FirstCounter, probe.LastCounter = c.first, c.last
	}
	dll.Open, dll.Collect, dll.Close = cmp.Or(c.dll.Open, dll.Open), cmp.Or(c.dll.Collect, dll.Collect), cmp.Or(c.dll.Close, dll.Close)
	if len(paths) == 0 {
		return []provider.DLL{dll}, probe, nil
	}
	var list []provider.DLL
	for _, path := range paths {
		dll.Path = path
		list = append(list, dll)
	}
	return list, probe, nil
}

// A prober probes DLLs and adds their findings to the reports.
type prober struct {
	checker *checker
	to      *reportWriter
	log     strings.Builder
	end     error // the error that the command ends with
}

// probe probes the DLLs. It returns an error only if a report cannot be written.
func (p *prober) probe(ctx context.Context, settings provider.Probe, dlls []provider.DLL) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	for _, dll := range dlls {
		if info, err := buildinfo.ReadFile(dll.Path); err == nil {
			complain(fmt.Errorf("%s: is written in Go (%s); Go does not support two Go runtimes in a process, so findings can be wrong", dll.Path, info.GoVersion))
		}
		result, err := settings.DLL(ctx, dll, program, serveName)
		if ctx.Err() != nil {
			p.end = errInterrupted
			return nil
		}
		var files []report.File
		if err == nil {
			fmt.Fprintf(&p.log, "%s\n%s", dll.Path, result.Log)
			files, err = p.check(dll.Path, result)
		}
		for _, f := range files {
			if f.Failed() && p.end == nil {
				p.end = errFaulty
			}
			if err := p.to.file(f); err != nil {
				return err
			}
		}
		if err != nil {
			complain(err)
			p.end = errFailed
			if err := p.to.unchecked(report.Unchecked{Path: dll.Path, Err: err}); err != nil {
				return err
			}
		}
	}
	return nil
}

// check validates the calls of a DLL and the data that it returned. After an error, it also returns the results before
// the error.
func (p *prober) check(path string, r provider.Result) ([]report.File, error) {
	calls, err := p.checker.check(block.At(path), func(v *validate.Validator) (validate.Result, error) { return r.CheckCalls(v), nil }, callPlaces)
	if err = cmp.Or(err, calls.Unchecked); err != nil {
		return nil, fmt.Errorf("%s: not validated: %w", path, err)
	}
	list := []report.File{calls.file(report.File{Path: path, Form: provider.CallsForm, Block: []byte(r.Log), Places: callPlaces(calls.Findings)})}
	for _, o := range r.Outputs() {
		v, err := p.checker.check(block.At(path), func(v *validate.Validator) (validate.Result, error) { return o.Check(v), nil }, placesIn(o.Kind, o.Data))
		if err != nil {
			return list, fmt.Errorf("%s: not validated: %w", path, err)
		}
		list = append(list, v.file(report.File{Path: path + "!/" + o.Call, Kind: o.Kind, Block: o.Data}))
	}
	return list, nil
}

// callPlaces returns the structural paths of findings about calls, without the sizes of buffers, which differ from
// run to run.
func callPlaces(findings []validate.Finding) []string {
	list := identity.OfText(nil, findings, func(layout.Path) string { return "" })
	for i, place := range list {
		call, value, _ := strings.Cut(place, ").")
		if comma := strings.LastIndex(call, ", "); comma >= 0 {
			call = call[:comma]
		}
		list[i] = call + ")." + value
	}
	return list
}

// serveName is the command that a probe runs in a separate process. [provider.Probe.DLL] starts this process.
const serveName = "probe-serve"

func newProbeServe() *cobra.Command {
	return &cobra.Command{
		Use:     serveName,
		Short:   "Make the calls of a probe",
		Long:    "Probe-serve is the process in which probe loads a DLL. It reads requests from standard input.",
		Example: "  perfblock probe-serve",
		Hidden:  true,
		Args:    requireArgs("", 0, 0),
		RunE:    func(*cobra.Command, []string) error { return provider.Serve(os.Stdin, os.Stdout) },
	}
}
