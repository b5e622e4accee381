package validate_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The ByteLength of the first instance is too large.
func ExampleBytes() {
	block, err := builder.NewObject(238).Counter(6, layout.PERF_100NSEC_TIMER_INV).
		Instance("0", 1_000_000).Instance("_Total", 1_000_000).MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	block[104] = 48

	result := validate.Bytes(layout.ObjectsKind, block, validate.Context{})
	for _, finding := range result.Findings {
		fmt.Println(finding)
		fmt.Println(finding.Rule.Fix)
	}
	// Output:
	// error PERF1403 inst-length-bound: object[0].instance[0].ByteLength at 0x68: ByteLength is 48, must be 32, the distance to the counter block
	// Set ByteLength to the length of the structure, the name and the padding. ByteLength does not include the counter block after the instance.
}

// One Validator validates many blocks. It uses the profile of Windows and overrides the severity
// of one rule.
func ExampleNew() {
	v, err := validate.New(validate.Options{
		Profile:   validate.Windows,
		Overrides: []validate.Override{{Rule: "data-trailing-bytes", Severity: validate.Off, Reason: "captures have them"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, capture := range [][]byte{make([]byte, 10), make([]byte, 100)} {
		result := v.Bytes(layout.DataBlockKind, capture, validate.Context{})
		fmt.Println(result.Counts.Error, result.Err(validate.Error))
	}
	// Output:
	// 1 error PERF1101 data-truncated: at 0x0: the input has 10 bytes, must have at least 88, the size of PERF_DATA_BLOCK
	// 1 error PERF1102 data-signature: Signature at 0x0: Signature is 00 00 00 00 00 00 00 00, must be 50 00 45 00 52 00 46 00
}
