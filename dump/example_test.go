package dump_test

import (
	"fmt"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/layout"
)

// This example prints the bytes and the parts of a block. The function Formats returns other formats.
func ExampleText() {
	block := []byte{
		16, 0, 0, 0, 7, 0, 0, 0, 'C', 0, ':', 0, 0, 0, 0, 0,
	}
	fmt.Print(dump.Text(layout.InstancesKind, block))
	// Output:
	// 0000 | 10 00 00 00 | instance[0].Size = 16   -> 0x0010
	// 0004 | 07 00 00 00 | instance[0].InstanceId = 7
	// 0008 | 43 00 3a 00 00 00 | instance[0].Name = "C:"
	// 000e | 00 00 | instance[0].padding
}
