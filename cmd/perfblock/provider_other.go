//go:build !windows

package main

import "errors"

// newSystem returns an error: only Windows has providers.
func newSystem() (system, error) {
	return system{}, errors.New("only Windows has a registry of providers; copy all files of the provider to a computer with Windows and run the command there")
}
