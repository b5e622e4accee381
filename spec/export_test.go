package spec

var (
	Schema    = schema
	Reference = reference
)
