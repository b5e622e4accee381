package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/host"

	"github.com/perfblock/perfblock/internal/cc"
)

// A machine is what must be known of one to read figures: no name of its own, and no path.
type machine struct {
	processor string
	cores     int
	system    string
	goVersion string
	compiler  string // of C
	day       string
}

func thisMachine() (machine, error) {
	m := machine{
		processor: "unknown",
		cores:     runtime.NumCPU(),
		system:    runtime.GOOS + "/" + runtime.GOARCH,
		goVersion: runtime.Version(),
		compiler:  "none",
		day:       time.Now().UTC().Format(time.DateOnly),
	}
	// Some systems tell less than others, and the figures are worth having all the same.
	if all, err := cpu.Info(); err == nil && len(all) > 0 {
		m.processor = cmp.Or(all[0].ModelName, m.processor)
	}
	if platform, _, version, err := host.PlatformInformation(); err == nil && platform != "" {
		m.system = fmt.Sprintf("%s %s, %s", platform, version, m.system)
	}
	compiler, err := cc.Find()
	if err == nil {
		m.compiler, err = cc.Version(compiler)
		m.compiler += ", at -O2"
	}
	if errors.Is(err, cc.ErrNone) {
		err = nil
	}
	return m, err
}
