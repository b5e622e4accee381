package report

import (
	"path"
	"strings"
)

// uriOf returns the path of a file as a reference that URIs know: a relative path
// stays relative, and any other gets the scheme file. Windows says whether paths are
// those of Windows, which have two separators, drives and shares.
func uriOf(name string, windows bool) string {
	if windows {
		name = strings.ReplaceAll(name, `\`, "/")
		if share, ok := strings.CutPrefix(name, "//"); ok {
			return "file://" + percent(path.Clean(share), "")
		}
		if len(name) > 2 && name[1] == ':' && name[2] == '/' {
			return "file:///" + percent(path.Clean(name), ":")
		}
	}
	name = path.Clean(name)
	if strings.HasPrefix(name, "/") {
		return "file://" + percent(name, "")
	}
	return percent(name, "")
}

// percent returns name with all bytes escaped but those that mean nothing in a URI,
// slashes, and those to keep. A colon would make a scheme of what is before it.
func percent(name, keep string) string {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(unreserved+"/"+keep, name[i]) >= 0 {
			b.WriteByte(name[i])
		} else {
			b.WriteString("%" + strings.ToUpper(hex(uint64(name[i]), 2)))
		}
	}
	return b.String()
}
