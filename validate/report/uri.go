package report

import (
	"net/url"
	"path"
	"strings"
)

// uriOf returns the path of a file as a URI reference. A relative path stays relative. A path in the working folder
// becomes relative, unless it is on a Windows share. All other references have the scheme file.
func uriOf(name, folder string, windows bool) string {
	share := windows && strings.HasPrefix(strings.ReplaceAll(name, `\`, "/"), "//")
	name = inFolder(name, folder, windows) // relative, because GitHub shows only files of the repository
	switch {
	case share:
		return "file:/" + percent(name)
	case windows && len(name) > 2 && name[1] == ':' && name[2] == '/':
		return "file:///" + percent(name)
	case strings.HasPrefix(name, "/"):
		return "file://" + percent(name)
	}
	return percent(name)
}

// inFolder returns name with slashes as separators. If name is an absolute path below folder, the result is relative
// to folder.
func inFolder(name, folder string, windows bool) string {
	if windows {
		name, folder = strings.ReplaceAll(name, `\`, "/"), strings.ReplaceAll(folder, `\`, "/")
	}
	name = path.Clean(name)
	if below := strings.TrimSuffix(folder, "/") + "/"; folder != "" && len(name) > len(below) &&
		(name[:len(below)] == below || windows && strings.EqualFold(name[:len(below)], below)) {
		return name[len(below):]
	}
	return name
}

// percent escapes all bytes of name except unreserved characters and slashes.
func percent(name string) string {
	// PathEscape would keep colons. Text before the first colon of a URI reference is the scheme.
	return queryToPath.Replace(url.QueryEscape(name))
}

var queryToPath = strings.NewReplacer("+", "%20", "%2F", "/")
