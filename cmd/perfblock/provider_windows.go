package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/registration"
	"github.com/perfblock/perfblock/layout"
)

// v2Providers is the key below HKEY_LOCAL_MACHINE in which lodctr registers providers of V2.
const v2Providers = `SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\_V2Providers`

func newSystem() (system, error) {
	if !windows.GetCurrentProcessToken().IsElevated() {
		return system{}, errors.New("lodctr can register providers only with the rights of an administrator; run the command in an elevated command prompt")
	}
	folder, err := windows.GetSystemDirectory()
	if err != nil {
		return system{}, err
	}
	return system{
		run: func(program, line string) (string, error) {
			path := filepath.Join(folder, program+".exe")
			cmd := exec.Command(path)
			// lodctr requires /m:"C:\a b.man". exec.Command would write "/m:C:\a b.man".
			cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `"` + path + `" ` + line}
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil { // the program did not start
				return "", fmt.Errorf("%s: %w", program, err)
			}
			return fmt.Sprintf("its exit status is %d and it wrote %s", cmd.ProcessState.ExitCode(), quote.Short(strings.TrimSpace(string(out)))), nil
		},
		registered: registered,
		registration: func(set layout.GUID) []byte {
			b, _ := registration.Read(set) // nil if the status is not 0
			return b
		},
		performance: performance,
		set:         setPerformance,
		unset:       unsetPerformance,
	}, nil
}

// registered reads the key of a provider. It returns nil if the key does not exist.
func registered(provider string) (*registeredProvider, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, v2Providers+`\`+provider, registry.READ|registry.WOW64_64KEY)
	if errors.Is(err, registry.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("registry key of the provider %s: %w", provider, err)
	}
	defer key.Close()
	identity, _, err := key.GetStringValue("ApplicationIdentity")
	if err != nil && !errors.Is(err, registry.ErrNotExist) {
		return nil, fmt.Errorf("ApplicationIdentity of the provider %s: %w", provider, err)
	}
	names, err := key.ReadSubKeyNames(-1)
	if err != nil {
		return nil, fmt.Errorf("counter sets of the provider %s: %w", provider, err)
	}
	p := &registeredProvider{identity: identity, sets: make(map[string]bool)}
	for _, name := range names {
		p.sets[strings.ToLower(name)] = true
	}
	return p, nil
}

// performanceKey returns the key Performance of a service, below HKEY_LOCAL_MACHINE.
func performanceKey(service string) string {
	return `SYSTEM\CurrentControlSet\Services\` + service + `\Performance`
}

func openPerformance(service string, access uint32) (registry.Key, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, performanceKey(service), access)
	if err != nil {
		err = fmt.Errorf("key Performance of the service %s: %w", quote.Short(service), err)
	}
	return key, err
}

// performance returns the strings and numbers of the key Performance of a service. It returns nil if there is no key.
func performance(service string) (map[string]any, error) {
	key, err := openPerformance(service, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer key.Close()
	names, err := key.ReadValueNames(-1)
	if err != nil {
		return nil, fmt.Errorf("key Performance of the service %s: %w", quote.Short(service), err)
	}
	values := make(map[string]any)
	for _, name := range names {
		if n, _, err := key.GetIntegerValue(name); err == nil {
			values[name] = uint32(n)
		} else if text, _, err := key.GetStringValue(name); err == nil {
			values[name] = text
		}
	}
	return values, nil
}

func setPerformance(service string, values [][2]string) error {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, performanceKey(service), registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("key Performance of the service %s: %w", quote.Short(service), err)
	}
	defer key.Close()
	for _, v := range values {
		if err := key.SetStringValue(v[0], v[1]); err != nil {
			return fmt.Errorf("value %s of the service %s: %w", v[0], quote.Short(service), err)
		}
	}
	return nil
}

func unsetPerformance(service string, names []string) error {
	key, err := openPerformance(service, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	for _, name := range names {
		if err := key.DeleteValue(name); err != nil {
			return fmt.Errorf("value %s of the service %s: %w", name, quote.Short(service), err)
		}
	}
	return nil
}
