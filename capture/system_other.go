//go:build !windows

package capture

func open() (system, error) { return nil, ErrNotWindows }
