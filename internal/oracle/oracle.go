// Package oracle reads performance-counter blocks with a C walker, which shares no code with the rest of the module. If
// the walker and package layout disagree, package layout is wrong.
//
//	w, err := oracle.Build(dir)
//	entries, err := w.Walk(ctx, "objects", block)
//	// object[0].counter[1].CounterOffset, at 140, 4 bytes, "8"
//
// The system's compiler builds the walker with the real winperf.h and perflib.h.
// The walker refuses a block if a part is not inside its record. It does not check values.
package oracle

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/internal/cfacts"
)

// HeaderVariable is the environment variable for the path of the winperf.h to build with. Its perflib.h must be in the
// same folder.
const HeaderVariable = "PERFBLOCK_WINPERF_H"

// ErrUnavailable is the error of [Build] on a system without a C compiler or without the headers.
var ErrUnavailable = errors.New("the C walker cannot be built on this system")

//go:embed *.c *.h shim/*.h
var sources embed.FS

// A Walker runs the C program that [Build] has compiled. It is safe for concurrent use while the directory of Build
// exists.
type Walker struct {
	program   string
	sanitized bool
}

// Sanitized reports whether the walker was built with sanitizers, which not every compiler supports.
func (w *Walker) Sanitized() bool { return w.sanitized }

// Build compiles the walker into dir.
func Build(dir string) (*Walker, error) {
	compiler, err := cc.Find()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	args := []string{"-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-I", dir}
	header, err := header()
	if err != nil {
		return nil, err
	}
	if header != "" {
		args = append(args, `-DWINPERF_H="`+filepath.ToSlash(header)+`"`, `-DPERFLIB_H="`+filepath.ToSlash(perflibOf(header))+`"`)
	}
	if err := unpack(dir); err != nil {
		return nil, err
	}
	w := &Walker{program: filepath.Join(dir, "walk.exe"), sanitized: true} // Windows requires the suffix
	args = append(args, "-o", w.program)
	programs, err := fs.Glob(sources, "*.c")
	if err != nil {
		return nil, err
	}
	for _, name := range programs {
		args = append(args, filepath.Join(dir, name))
	}

	// Some compilers accept the flags but do not have the sanitizers. The program then does not start.
	sanitizers := []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
	if _, err := cc.Run(compiler, append(sanitizers, args...)...); err == nil && w.starts() == nil {
		return w, nil
	}
	w.sanitized = false
	if _, err := cc.Run(compiler, args...); err != nil {
		return nil, err
	}
	return w, w.starts()
}

func (w *Walker) starts() error {
	_, err := w.Walk(context.Background(), "objects", nil)
	return err
}

// header returns the path of a winperf.h with a perflib.h in the same folder. It returns "" if the compiler has its own
// headers.
func header() (string, error) {
	if file := os.Getenv(HeaderVariable); file != "" {
		if err := checkHeaders(file); err != nil {
			return "", fmt.Errorf("%w: %s: %w", ErrUnavailable, HeaderVariable, err)
		}
		return filepath.Abs(file)
	}
	if runtime.GOOS == "windows" {
		return "", nil
	}
	for _, cross := range cfacts.Compilers() {
		if file, err := cfacts.Winperf.Path(cross); err == nil && checkHeaders(file) == nil {
			return file, nil
		}
	}
	const debian = "/usr/share/mingw-w64/include/winperf.h" // Debian has the headers in a package without a compiler
	if checkHeaders(debian) == nil {
		return debian, nil
	}
	return "", fmt.Errorf("%w: no winperf.h and perflib.h: install mingw-w64 or set %s", ErrUnavailable, HeaderVariable)
}

// checkHeaders returns an error if winperf.h or the perflib.h in its folder does not exist.
func checkHeaders(winperf string) error {
	for _, file := range []string{winperf, perflibOf(winperf)} {
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// perflibOf returns the path of perflib.h in the folder of the file winperf.
func perflibOf(winperf string) string {
	return filepath.Join(filepath.Dir(winperf), cfacts.Perflib.String())
}

// unpack writes the sources into dir, without subfolders. On Windows it omits the shim headers, because Windows has
// real headers with the same names.
func unpack(dir string) error {
	patterns := []string{"*.c", "*.h"}
	if runtime.GOOS != "windows" {
		patterns = append(patterns, "shim/*.h")
	}
	if err := cc.Unpack(dir, sources, patterns...); err != nil {
		return err
	}
	return cfacts.Unpack(dir)
}

// Need builds a walker for a test. If the walker cannot be built, Need skips or fails the test: see [Usable].
func Need(tb testing.TB) *Walker {
	tb.Helper()
	w, err := Build(tb.TempDir())
	return Usable(tb, w, err)
}

// Usable returns w if err is nil. If err is [ErrUnavailable], it skips the test, or fails the test if
// [cfacts.RequireVariable] is set to "require". Any other error fails the test.
func Usable(tb testing.TB, w *Walker, err error) *Walker {
	tb.Helper()
	if errors.Is(err, ErrUnavailable) {
		cfacts.Absent(tb, err.Error())
	}
	if err != nil {
		tb.Fatal(err)
	}
	return w
}
