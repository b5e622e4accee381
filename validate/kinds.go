package validate

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// Kinds lists the kinds of block that the rule is about, which are those in which its
// check runs: of others it is silent.
func (r *Rule) Kinds() []layout.Kind {
	switch c := r.check.(type) {
	case nil: // a rule that is not one of Rules
		return nil
	case limited:
		return slices.Clone(c.kinds)
	case dataBounds, dataCheck, dataEnd:
		return []layout.Kind{layout.DataBlockKind}
	case interface{ subject() any }:
		return slices.Clone(subjectKinds[c.subject()])
	default:
		return layout.V1Kinds()
	}
}

// limited is a check that sees to it that it is silent in all kinds but some.
type limited struct {
	check
	kinds []layout.Kind
}

// about is a check of subjects that are in other kinds too, in which it is silent.
func about(c check, kinds ...layout.Kind) check { return limited{c, kinds} }

// subjectKinds has the kinds of V2 in which there are subjects of a type, whose nil it is
// under.
var subjectKinds = map[any][]layout.Kind{
	(*buffer)(nil): {layout.QueryDataKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind},
	(*gap)(nil):    {layout.QueryDataKind, layout.InstancesKind, layout.IdentifiersKind, layout.StringsKind, layout.InstanceBlockKind},
}

// subject returns nil of the type of the subject.
func (boundsOf[S]) subject() any { var none S; return none }
func (checkOf[S]) subject() any  { var none S; return none }
func (endOf[S]) subject() any    { var none S; return none }
