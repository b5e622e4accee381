package form_test

import (
	"fmt"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
)

type item struct {
	name  string
	limit *uint32 // nil if there is none
}

func Example() {
	reader := yamltext.Reader{What: "an item", MaxBytes: 1 << 20, MaxMarks: 1 << 10, MaxDepth: 8}
	mapping := form.Mapping[item]{Name: "item", What: "an item", Doc: "An item.", Keys: []form.Key[item]{
		{Name: "name", Form: form.Text, Required: true, Doc: "The name.", Field: func(i *item) any { return &i.name }},
		{Name: "limit", Form: form.Integer("number", form.Span{Hi: 100}), Doc: "Default: no limit.", Field: func(i *item) any { return form.Opt(&i.limit) }},
	}}
	for _, text := range []string{"nam: A\nlimit: 101", "name: A # first\nlimit: 0x10"} {
		root, err := reader.Load("", []byte(text))
		if err != nil {
			fmt.Println(err)
			continue
		}
		var one item
		if err := mapping.Read(root, &one); err != nil {
			fmt.Println(err)
			continue
		}
		written, err := mapping.Append(nil, &one, &reader)
		fmt.Print(string(written), err, "\n")
	}
	fmt.Printf("%s", form.Encode(mapping.Section().Schema()))
	// Output:
	// 1:1: an item has no key "nam"; did you mean name?
	// 2:8: limit: 101 is out of range, must be 0 to 100
	// name: A
	// limit: 16
	// <nil>
	// {
	//   "description": "An item.",
	//   "type": "object",
	//   "additionalProperties": false,
	//   "required": [
	//     "name"
	//   ],
	//   "properties": {
	//     "name": {
	//       "description": "The name.",
	//       "type": [
	//         "string",
	//         "number",
	//         "boolean"
	//       ]
	//     },
	//     "limit": {
	//       "description": "Default: no limit.",
	//       "type": "integer",
	//       "minimum": 0,
	//       "maximum": 100
	//     }
	//   }
	// }
}
