package spec

import (
	"errors"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// mostErrors is the number of errors in a model that modelErrors searches for. A report shows no more.
const mostErrors = 20

// A start is a position in a model: an object or a result, and an instance of it.
type start struct{ part, instance int }

// modelErrors returns the errors of a model with the places of the faulty values in the text. The builder returns only the
// first error. For each further error, modelErrors checks the part of the model after the last faulty object, result
// or instance.
func (s *Spec) modelErrors(err error) error {
	var faults yamltext.Faults
	from := start{}
	for ; err != nil && len(faults) < mostErrors; err = encodeFrom(s.Model, from) {
		fault, ok := errors.AsType[*layout.Error](err)
		if !ok || len(fault.Path.Elems()) == 0 || !fault.Path.Elems()[0].Indexed() {
			if len(faults) == 0 {
				faults.Add(s.modelFault(err))
			}
			break // no error of an object or a result
		}
		steps := slices.Clone(fault.Path.Elems())
		steps[0].Index += from.part
		inInstance := len(steps) > 1 && steps[1].Name == "instance"
		next := start{steps[0].Index + 1, 0}
		if steps[0].Index == from.part && from.instance > 0 {
			if !inInstance { // an object without its first instances does not have to be valid
				from = next
				continue
			}
			steps[1].Index += from.instance
		}
		if inInstance {
			next = start{steps[0].Index, steps[1].Index + 1}
		}
		from = next
		var path layout.Path
		for _, e := range steps {
			if e.Indexed() {
				path = path.At(e.Name, e.Index)
			} else {
				path = path.Field(e.Name)
			}
		}
		faults.Add(s.modelFault(&layout.Error{Path: path, Off: fault.Off, Err: fault.Err}))
	}
	return s.report(faults.Err())
}

// modelFault returns an error of the builder with the place of the faulty value in the text.
func (s *Spec) modelFault(err error) *yamltext.Fault {
	return yamltext.On(s.place(err), "%w", s.withKeys(err))
}

// encodeFrom checks a copy of the model without its first objects or results, as many as from.part. The first object or
// result that remains loses its first instances, as many as from.instance. encodeFrom returns the first error of the
// builder for this copy, or nil. If the kind of the model has no objects and no results, encodeFrom returns nil.
func encodeFrom(model builder.Model, from start) (err error) {
	switch m := model.(type) {
	case *builder.DataBlock:
		rest := *m
		rest.Objects = objectsFrom(m.Objects, from)
		_, err = rest.EncodedLen()
	case *builder.Objects:
		rest := builder.Objects(objectsFrom(*m, from))
		_, err = rest.EncodedLen()
	case *builder.QueryData:
		rest := *m
		rest.Results = slices.Clone(m.Results[min(from.part, len(m.Results)):])
		if from.instance > 0 {
			rest.Results[0].Instances = rest.Results[0].Instances[from.instance:]
		}
		_, err = rest.EncodedLen()
	}
	return err
}

func objectsFrom(objects []builder.Object, from start) []builder.Object {
	rest := slices.Clone(objects[min(from.part, len(objects)):])
	if from.instance > 0 {
		rest[0].Instances = rest[0].Instances[from.instance:]
	}
	return rest
}
