package provider

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows/registry"
)

// Service reads the DLL of a service and the settings of its probe from the Performance key of the service in the registry.
// A Library without a full path is a file in the folder of the system, because the current folder can belong to another
// user.
func Service(name string) (DLL, Probe, error) {
	const services = `SYSTEM\CurrentControlSet\Services\`
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, services+name+`\Performance`, registry.QUERY_VALUE)
	const remedy = "perfblock provider install --v1 registers a service with the bridge; without a registration, probe a DLL by its path"
	if err != nil {
		return DLL{}, Probe{}, fmt.Errorf(`service %s: HKEY_LOCAL_MACHINE\%s%s\Performance: %w; %s`, name, services, name, err, remedy)
	}
	defer key.Close()
	d := DLL{service: name}
	for _, v := range []struct {
		name string
		to   *string
	}{{"Library", &d.Path}, {"Open", &d.Open}, {"Collect", &d.Collect}, {"Close", &d.Close}} {
		text, kind, err := key.GetStringValue(v.name)
		if err == nil && kind == registry.EXPAND_SZ {
			text, err = registry.ExpandString(text)
		}
		if err != nil {
			return DLL{}, Probe{}, fmt.Errorf("service %s: the value %s of the Performance key: %w; %s", name, v.name, err, remedy)
		}
		*v.to = text
	}
	if !filepath.IsAbs(d.Path) {
		d.Path = filepath.Join(systemFolder(), d.Path)
	}
	var p Probe
	number := func(name string) uint32 {
		n, _, err := key.GetIntegerValue(name) // an error if the value is missing
		if err != nil || n > 1<<32-1 {
			return 0
		}
		return uint32(n)
	}
	p.FirstCounter, p.LastCounter = number("First Counter"), number("Last Counter")
	p.Metadata = number("Collect Supports Metadata") == 1
	p.Timeout, p.OpenTimeout = timeout(number("Collect Timeout")), timeout(number("Open Timeout"))
	d.Export, err = export(services + name)
	return d, p, err
}

// timeout converts a registry value in milliseconds to a Duration. 0 means [DefaultTimeout].
func timeout(milliseconds uint32) time.Duration {
	if milliseconds == 0 {
		return DefaultTimeout
	}
	return time.Duration(milliseconds) * time.Millisecond
}

// export returns the value Export of the key Linkage, or nil if there is no such value.
func export(service string) ([]string, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, service+`\Linkage`, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer key.Close()
	list, _, err := key.GetStringsValue("Export")
	if errors.Is(err, registry.ErrUnexpectedType) {
		one, _, err := key.GetStringValue("Export")
		return []string{one}, err
	}
	if errors.Is(err, registry.ErrNotExist) {
		return nil, nil
	}
	return list, err
}
