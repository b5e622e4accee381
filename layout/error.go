package layout

import (
	"errors"
	"fmt"
)

// The kinds of faults that an [Error] wraps. Test for them with [errors.Is].
var (
	ErrShort        = errors.New("the input ends too early")
	ErrBounds       = errors.New("out of bounds")
	ErrAlign        = errors.New("not aligned")
	ErrRange        = errors.New("value out of range")
	ErrSignature    = errors.New("wrong signature")
	ErrByteOrder    = errors.New("big-endian data")
	ErrText         = errors.New("invalid text")
	ErrUnterminated = errors.New("no terminating NUL")
	ErrNUL          = errors.New("NUL inside a name")
	ErrPath         = errors.New("no such path")
)

// An Error is a fault in the part at Path, in the Len bytes at offset Off of the input. Err
// describes the fault and wraps an Err variable of this package or of package builder.
//
// Off is -1 for a fault without an offset, for example if package builder cannot encode the part.
type Error struct {
	Path Path
	Off  int64
	Len  int
	Err  error
}

func (e *Error) Error() string {
	path := e.Path.String()
	switch {
	case e.Off < 0 && path == "":
		return e.Err.Error()
	case e.Off < 0:
		return path + ": " + e.Err.Error()
	case path == "":
		return fmt.Sprintf("at 0x%x: %v", e.Off, e.Err)
	}
	return fmt.Sprintf("%s at 0x%x: %v", path, e.Off, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// A detail is an error that wraps kind. Its text does not include the text of kind.
type detail struct {
	kind error
	text string
}

func (d *detail) Error() string { return d.text }
func (d *detail) Unwrap() error { return d.kind }

// Faultf returns an error that wraps kind. Its text is the formatted text, without the text of
// kind.
func Faultf(kind error, format string, args ...any) error {
	return &detail{kind, fmt.Sprintf(format, args...)}
}

func (e *Error) prefixPath(path Path) *Error {
	e.Path = e.Path.In(path)
	return e
}
