package outfile

import (
	"io/fs"
	"os"
)

// Stat describes what [Write] would write to, behind any links. The error is that
// of os.Stat where there is nothing yet.
func Stat(path string) (fs.FileInfo, error) {
	if path == Stdout {
		return os.Stdout.Stat()
	}
	return os.Stat(path)
}

// Overwrites reports whether what is written to out is lost to who reads in: they
// are one file, by whatever names. A terminal, a pipe or a socket may well be both
// at once, for nothing that was written to it comes back.
func Overwrites(out, in fs.FileInfo) bool {
	const passing = fs.ModeCharDevice | fs.ModeNamedPipe | fs.ModeSocket
	return out.Mode()&passing == 0 && os.SameFile(out, in)
}
