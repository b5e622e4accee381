// Package user tests what it has of package sample.
package user

import "github.com/perfblock/perfblock/internal/mutants/testdata/sample"

func difference() int { return sample.Used(5, 2) }
