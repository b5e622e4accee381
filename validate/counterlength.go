package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var counterLengthRules = []*Rule{
	{
		ID: "PERF1301", Name: "ctr-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "DefinitionLength leaves the 40 bytes of a PERF_COUNTER_DEFINITION to every counter",
		Why:     "Behind DefinitionLength the values start. A reader that goes on takes them for a definition; one that minds leaves the object.",
		Fix:     "Look for a ByteLength before this counter that is too large, and count all definitions into DefinitionLength.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DefinitionLength"), netdata},
		check:   onCounter.guard(counterTruncated),
	},
	{
		ID: "PERF1302", Name: "ctr-byte-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "ByteLength of a PERF_COUNTER_DEFINITION is at least 40 and no more than DefinitionLength leaves",
		Why:     "It is where the next definition starts. Of a shorter one a reader takes the last fields from the next; with 0 it does not get on at all, and with too much it leaves the object.",
		Fix:     "Write 40, the size of the structure. Where no definition stands here, the ByteLength of the one before leads astray.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "ByteLength"), dotnet, netdata},
		Misread: []string{".NET before 9.0 reads one counter again and again where it is 0"},
		check:   onCounter.guard(counterLengthMin),
	},
	{
		ID: "PERF1303", Name: "ctr-byte-length-exact", Severity: Warning, Since: "v0.1.0",
		Doc:     "ByteLength of a PERF_COUNTER_DEFINITION is 40",
		Why:     "It is the size of the structure. A longer one is legal to a reader that follows the lengths, but some go on by 40 and misread every counter that follows.",
		Fix:     "Write 40, and nothing between two definitions.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "ByteLength"), values},
		Misread: []string{"perflib_exporter and Microsoft's sample step by 40"},
		check:   onCounter.check(counterLengthExact),
	},
}

const counterSize = int64(40)

func counterTruncated(p *pass, c *counter) bool {
	left := c.of.body() - c.off
	if left < counterSize {
		p.bytes(c, "", c.off, int(max(left, 0)), fmt.Sprintf("DefinitionLength leaves %d bytes for it", max(left, 0)), "the 40 of a PERF_COUNTER_DEFINITION")
		return false
	}
	return true
}

func counterLengthMin(p *pass, c *counter) bool {
	n, left := int64(c.ByteLength()), c.of.body()-c.off
	switch {
	case n == counterSize:
		return true
	case int64(c.of.DefinitionLength()) == int64(c.of.HeaderLength())+counterSize*int64(c.of.NumCounters()):
		p.field(c, "ByteLength", n, "40: DefinitionLength has room for no more in each")
	case n < counterSize || n > left:
		p.field(c, "ByteLength", n, "%s, the bytes DefinitionLength leaves", between(counterSize, left))
	default:
		return true
	}
	return false
}

func counterLengthExact(p *pass, c *counter) {
	if n := int64(c.ByteLength()); n != counterSize {
		p.field(c, "ByteLength", n, "40")
	}
}
