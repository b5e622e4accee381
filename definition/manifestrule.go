package definition

import (
	"github.com/perfblock/perfblock/validate"
)

// onManifest returns a check that reports all problems of one kind in a manifest.
func onManifest(kind problemKind) check {
	return check{[]Form{Manifest}, func(f *File, report func(finding)) {
		for _, p := range f.manifest.problems {
			if p.kind == kind {
				report(p.finding)
			}
		}
	}}
}

var manifestRules = []*rule{
	{validate.Rule{
		ID: "PERF4100", Name: "manifest-namespace", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the elements instrumentationManifest and counters have the namespaces of the schema",
		Why:     "Readers that use the namespace find no counters in the manifest.",
		Fix:     "Write xmlns=\"" + eventsNamespace + "\" in instrumentationManifest, and xmlns=\"" + countersNamespace + "\" in counters.",
		Sources: []validate.Source{schemaPage},
	}, onManifest(wrongNamespace)},
	{validate.Rule{
		ID: "PERF4101", Name: "manifest-schema-version", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the element counters has a schemaVersion",
		Why:     "The version decides which attributes the schema requires. The schema requires the version itself.",
		Fix:     "Write schemaVersion=\"2.0\" if the sets have nameID and descriptionID, else schemaVersion=\"1.1\".",
		Sources: []validate.Source{schemaPage},
	}, onManifest(noVersion)},
	{validate.Rule{
		ID: "PERF4102", Name: "manifest-provider-count", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "a manifest has one counters element, and this element has one provider",
		Why:     "The schema allows one provider. Tools refuse a manifest with several providers, or read only the first provider.",
		Fix:     "Write a manifest for each provider.",
		Sources: []validate.Source{schemaPage},
	}, onManifest(providerCount)},
	{validate.Rule{
		ID: "PERF4103", Name: "manifest-required-attribute", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each element has the attributes that the schema requires",
		Why:     "CTRPP refuses a manifest that lacks a required attribute. Without nameID and descriptionID, a set of version 2.0 has no names.",
		Fix:     "Write the attribute.",
		Sources: []validate.Source{schemaPage, providerPage, setPage, counterPage},
	}, onManifest(missingAttribute)},
	{validate.Rule{
		ID: "PERF4104", Name: "manifest-value", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each attribute has a value that the schema allows",
		Why:     "CTRPP refuses a manifest with another value. A conversion leaves out a value that a definition cannot hold.",
		Fix:     "Write an allowed value exactly as it is in the schema: the names of types and other words are case-sensitive.",
		Sources: []validate.Source{schemaPage},
	}, onManifest(wrongValue)},
	{validate.Rule{
		ID: "PERF4105", Name: "manifest-duplicate-attribute", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "no two elements counterAttribute of a counter have the same name",
		Why:     "The schema does not allow two counterAttribute elements with the same name. The second element has no effect. Possibly it was meant to have another name.",
		Fix:     "Remove one of the two elements.",
		Sources: []validate.Source{attribPage},
	}, onManifest(repeatedAttribute)},
	{validate.Rule{
		ID: "PERF4106", Name: "manifest-unknown", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the counters element of a manifest has only elements and attributes that the schema of its schemaVersion defines",
		Why:     "Windows ignores or refuses other elements and attributes, and a conversion leaves them out. Version 2.0 has added nameID and descriptionID and removed resourceBase.",
		Fix:     "Remove the element or attribute, or correct its name or the schemaVersion.",
		Sources: []validate.Source{schemaPage},
	}, onManifest(unknownPart)},
	{validate.Rule{
		ID: "PERF4107", Name: "manifest-composite-type", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "the type of a counter is not perf_counter_composite",
		Why:     "The manifest schema allows perf_counter_composite, but no document and no header file gives the number of this type. A definition that is made from the manifest lacks the type.",
		Fix:     "Use one of the documented types.",
		Sources: []validate.Source{schemaPage, counterPage},
	}, onManifest(compositeType)},
}
