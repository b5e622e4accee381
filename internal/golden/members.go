package golden

// Members adds the names of all members in a JSON value to names.
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

// Properties adds to names the name of each member that a JSON Schema describes.
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
