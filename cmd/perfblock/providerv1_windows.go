package main

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows/registry"

	"github.com/perfblock/perfblock/internal/quote"
)

// performanceKey returns the key Performance of a service, below HKEY_LOCAL_MACHINE.
func performanceKey(service string) string {
	return `SYSTEM\CurrentControlSet\Services\` + service + `\Performance`
}

// performance returns the strings and numbers of the key Performance of a service. It returns nil if there is no key.
func performance(service string) (map[string]any, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, performanceKey(service), registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("key Performance of the service %s: %w", quote.Short(service), err)
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
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, performanceKey(service), registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("key Performance of the service %s: %w", quote.Short(service), err)
	}
	defer key.Close()
	for _, name := range names {
		if err := key.DeleteValue(name); err != nil {
			return fmt.Errorf("value %s of the service %s: %w", name, quote.Short(service), err)
		}
	}
	return nil
}
