package spec

import "github.com/perfblock/perfblock/internal/yamltext"

// modelErrors returns the errors of the builder with the places of the faulty values in the text.
func (s *Spec) modelErrors(err error) error {
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	var faults yamltext.Faults
	for _, err := range all {
		faults.Add(yamltext.On(s.place(err), "%w", s.withKeys(err)))
	}
	return s.report(faults.Err())
}
