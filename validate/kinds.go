package validate

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// Kinds lists the kinds of block that the rule is about, which are those in which its
// check runs: of others it is silent.
func (r *Rule) Kinds() []layout.Kind {
	if r.check == nil { // a rule that is not one of Rules
		return nil
	}
	return kindsOf(r.check)
}

func kindsOf(c check) []layout.Kind {
	switch c := c.(type) {
	case limited:
		return slices.Clone(c.kinds)
	case several: // those in which all its places are
		kinds := kindsOf(c[0])
		for _, one := range c[1:] {
			in := kindsOf(one)
			kinds = slices.DeleteFunc(kinds, func(k layout.Kind) bool { return !slices.Contains(in, k) })
		}
		return kinds
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
	(*buffer)(nil): {layout.QueryDataKind, layout.RegStringKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind},
	(*gap)(nil):    {layout.QueryDataKind, layout.InstancesKind, layout.IdentifiersKind, layout.StringsKind, layout.InstanceBlockKind},

	(*query)(nil):         {layout.QueryDataKind},
	(*answer)(nil):        {layout.QueryDataKind},
	(*idList)(nil):        {layout.QueryDataKind},
	(*table)(nil):         {layout.QueryDataKind},
	(*rawValue)(nil):      {layout.QueryDataKind},
	(*namedInstance)(nil): {layout.QueryDataKind, layout.InstancesKind},
	(*twinName)(nil):      {layout.QueryDataKind, layout.InstancesKind},
	(*listTail)(nil):      {layout.InstancesKind},

	(*registration)(nil):    {layout.RegSetKind, layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind},
	(*regSet)(nil):          {layout.RegSetKind},
	(*regCounter)(nil):      {layout.RegSetKind, layout.RegCounterKind},
	(*detail)(nil):          {layout.RegSetKind, layout.RegCounterKind},
	(*template)(nil):        {layout.TemplateKind},
	(*templateCounter)(nil): {layout.TemplateKind},
	(*instanceBlock)(nil):   {layout.InstanceBlockKind},

	(*identifier)(nil):   {layout.IdentifiersKind},
	(*guid)(nil):         {layout.GUIDsKind},
	(*stringBuffer)(nil): {layout.StringsKind},
	(*entry)(nil):        {layout.StringsKind},
}

// subject returns nil of the type of the subject.
func (boundsOf[S]) subject() any { var none S; return none }
func (checkOf[S]) subject() any  { var none S; return none }
func (endOf[S]) subject() any    { var none S; return none }
