package golden

// Members collects the names of all members in the JSON value v. It adds them to the map names.
func Members(names map[string]bool, v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			Members(names, e)
		}
	case map[string]any:
		for name, e := range v {
			names[name] = true
			Members(names, e)
		}
	}
}

// Properties collects the names of the members that the JSON Schema v describes. It adds them to the map names.
func Properties(names map[string]bool, v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			Properties(names, e)
		}
	case map[string]any:
		for name, e := range v {
			Properties(names, e)
			if p, ok := e.(map[string]any); ok && name == "properties" {
				for name := range p {
					names[name] = true
				}
			}
		}
	}
}
