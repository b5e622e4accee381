package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate/config"
)

type configCommand struct {
	output
	policyFlags
	format choice
}

var configFormats = []option{
	{"text", "a line for each setting"},
	{"json", `for tools; "from" is default, flag, file or override; "override" counts the overrides from 1`},
}

func newConfig() *cobra.Command {
	c := &configCommand{}
	cmd := &cobra.Command{
		Use:   "config FILE",
		Short: "Show which settings apply to a block file, and where each comes from",

		SuggestFor: []string{"settings", "print-config", "show-config"},
		Long: `Config shows the settings that perfblock lint uses for FILE: those of ` + config.FileName + `, of its
overrides that apply to FILE, of flags, and the defaults. It lists the rules whose severity
is set; perfblock explain --profile lists the others. FILE need not exist.
` + section("Formats", configFormats) + policyHelp(),
		Example: `  perfblock config fixtures/cpu.bin
  perfblock config fixtures/cpu.bin --profile windows --rule 'inst-*=off'
  perfblock config fixtures/cpu.bin --format json`,
		Args: requireArgs("a FILE", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			checker, err := c.checker(cmd)
			if err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(checker, args[0])
		},
	}
	c.output.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	c.format.preset(cmd, "format", "the format of the output", configFormats)
	c.policyFlags.flags(cmd)
	return cmd
}

func (c *configCommand) run(checker *checker, path string) error {
	s, err := checker.settingsFor(block.At(path))
	if err != nil {
		return err
	}
	excluded, from, err := checker.exclusion(path)
	if err != nil {
		return err
	}
	to := c.output.file("config" + extension(c.format.value))
	if err := checkSame([]string{to}, append(checker.configs(), path)); err != nil {
		return err
	}
	e := effectiveConfig{Schema: 1, Path: path, Config: from, Excluded: excluded, Settings: []setting{}, Rules: []setting{}}
	for _, one := range s.config.Settings() {
		e.add(one)
	}
	return c.writeFile(to, func(w io.Writer) error {
		if c.format.value == "json" {
			_, err := w.Write(append(terminal.JSON(e, "  "), '\n'))
			return err
		}
		return e.text(w)
	})
}

// An effectiveConfig has the settings for a file. Its JSON is the output of --format json.
type effectiveConfig struct {
	Schema   int       `json:"schema"`
	Path     string    `json:"path"`
	Config   string    `json:"config,omitempty"`
	Excluded bool      `json:"excluded"`
	Settings []setting `json:"settings"`
	Rules    []setting `json:"rules"`
}

type setting struct {
	Key      string `json:"key,omitempty"`
	Rule     string `json:"rule,omitempty"`
	Name     string `json:"name,omitempty"`
	Value    string `json:"value"`
	Reason   string `json:"reason,omitempty"`
	From     string `json:"from"`
	Flag     string `json:"flag,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Override int    `json:"override,omitempty"`
}

func (e *effectiveConfig) add(s config.Setting) {
	one := setting{Key: s.Key, Value: s.Value, Reason: s.Reason, From: "default", File: s.Origin.File, Line: s.Origin.Line, Override: s.Origin.Override}
	switch {
	case s.Origin.Override > 0:
		one.From = "override"
	case s.Origin.Line > 0:
		one.From = "file"
	case s.Rule != nil:
		one.From, one.Flag = "flag", "--rule"
	case s.Set:
		one.From, one.Flag = "flag", "--"+s.Key
	}
	if s.Rule == nil {
		e.Settings = append(e.Settings, one)
		return
	}
	one.Key, one.Rule, one.Name = "", s.Rule.ID, s.Rule.Name
	e.Rules = append(e.Rules, one)
}

func (e *effectiveConfig) text(w io.Writer) error {
	from := "no configuration file"
	if e.Config != "" {
		from = "configuration " + e.Config
	}
	if e.Excluded {
		from += ", excluded unless it is named on the command line"
	}
	if _, err := fmt.Fprintf(w, "%s: %s\n", terminal.Printable(block.NameOf(e.Path)), terminal.Printable(from)); err != nil {
		return err
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range e.Settings {
		fmt.Fprintf(columns, "%s\t%s\t%s\n", s.Key, terminal.Printable(s.Value), s.place())
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	for _, s := range e.Rules {
		reason := ""
		if s.Reason != "" {
			reason = "\treason: " + terminal.Printable(s.Reason)
		}
		fmt.Fprintf(columns, "%s %s\t%s\t%s%s\n", s.Rule, s.Name, s.Value, s.place(), reason)
	}
	return columns.Flush()
}

// place returns the source of the setting: "default", a flag, or a position in a file.
func (s *setting) place() string {
	switch s.From {
	case "default":
		return s.From
	case "flag":
		return s.Flag
	}
	return terminal.Printable(config.Origin{File: s.File, Line: s.Line, Override: s.Override}.String())
}
