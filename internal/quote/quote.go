// Package quote shows in a message what someone wrote, which may be longer than any
// message.
package quote

import (
	"fmt"
	"strings"
)

// Most is how many bytes of a text a message can bear.
const Most = 60

// Short returns s in quotes, and no more of it than a message can bear.
func Short(s string) string {
	if len(s) > Most {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:Most], ""))
	}
	return fmt.Sprintf("%q", s)
}
