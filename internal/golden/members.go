package golden

// Members collects the names of all members in the JSON value v. It adds them to the map names.
func Members(names map[string]bool, v any) {
	eachMember(v, func(name string, _ any) { names[name] = true })
}

// Properties collects the names of the members that the JSON Schema v describes. It adds them to the map names.
func Properties(names map[string]bool, v any) {
	eachMember(v, func(name string, value any) {
		if p, ok := value.(map[string]any); ok && name == "properties" {
			for name := range p {
				names[name] = true
			}
		}
	})
}

// eachMember calls visit for each member in the JSON value v.
func eachMember(v any, visit func(name string, value any)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			eachMember(e, visit)
		}
	case map[string]any:
		for name, value := range v {
			visit(name, value)
			eachMember(value, visit)
		}
	}
}
