// Package bridge has the source of the bridge, a DLL in C. The bridge passes objects from a
// [github.com/perfblock/perfblock/provider.Publisher] to consumers. [Build] compiles the bridge.
package bridge

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/internal/quote"
)

//go:generate go run ../../internal/bridgegen ../mappinglayout.go layout.h

//go:embed *.c *.h *.def
var source embed.FS

// Source returns the source files of the bridge. They compile with any C compiler for Windows.
func Source() fs.FS { return source }

// The names of the functions that the DLL exports. The key Performance has these names in its values Open, Collect and
// Close.
const (
	Open    = "OpenPerformanceData"
	Collect = "CollectPerformanceData"
	Close   = "ClosePerformanceData"
)

// A target is a processor, with the compilers for it.
type target struct {
	arch      string   // as in GOARCH
	compilers []string // names of mingw-w64
	entry     string   // the symbol of DllMain
}

var targets = []target{
	{"amd64", []string{"x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-clang"}, "DllMain"},
	{"386", []string{"i686-w64-mingw32-gcc", "i686-w64-mingw32-clang"}, "_DllMain@12"},
	{"arm64", []string{"aarch64-w64-mingw32-gcc", "aarch64-w64-mingw32-clang"}, "DllMain"},
}

// errNoCompiler means that no compiler of mingw-w64 for the processor is installed. The error of [Build] then wraps
// errNoCompiler.
var errNoCompiler = errors.New("no compiler")

// Architectures returns the processors for which [Build] makes a DLL, as values of GOARCH.
func Architectures() []string {
	var list []string
	for _, t := range targets {
		list = append(list, t.arch)
	}
	return list
}

// Build compiles the bridge with mingw-w64 and returns the DLL. name is the file name of the DLL, such as Shop.dll. arch
// is one of the [Architectures]. If ctx is done, Build stops the compiler.
func Build(ctx context.Context, name, arch string) ([]byte, error) {
	i := slices.IndexFunc(targets, func(t target) bool { return t.arch == arch })
	if i < 0 {
		return nil, fmt.Errorf("%q is no architecture of the bridge: must be %s", arch, quote.List(Architectures(), "or"))
	}
	t := targets[i]
	compiler := ""
	for _, name := range t.compilers {
		if path, err := exec.LookPath(name); err == nil && compiler == "" {
			compiler = path
		}
	}
	if compiler == "" {
		return nil, fmt.Errorf("%w for %s: install mingw-w64, which has %s, or compile the files in provider/bridge with another compiler, as docs/bridge.md shows", errNoCompiler, arch, quote.List(t.compilers, "or"))
	}
	dir, err := os.MkdirTemp("", "perfblock-bridge-")
	if err != nil {
		return nil, err
	}
	var dll []byte
	err = cc.Unpack(dir, source, "*.c", "*.h", "*.def")
	if err == nil {
		dll, err = compile(ctx, compiler, dir, name, t)
	}
	return dll, errors.Join(err, os.RemoveAll(dir))
}

// compile runs the compiler in dir, the folder with the files of the bridge, and returns the DLL.
func compile(ctx context.Context, compiler, dir, name string, t target) ([]byte, error) {
	// On 386, the division of 64-bit integers calls a function of the compiler's runtime library. gcc and clang have
	// different libraries. This command prints the path of the library.
	library, err := cc.Output(exec.CommandContext(ctx, compiler, "-print-libgcc-file-name"))
	if err != nil {
		return nil, err
	}
	// The DLL does not use the C library, so the compiler must not replace a loop by a call of memset.
	args := []string{
		"-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-s", "-shared", "-nostdlib", "-fno-builtin",
		"-Wl,--entry=" + t.entry, "-Wl,--enable-stdcall-fixup", "-Wl,--no-insert-timestamp", "-o", name,
	}
	if !strings.Contains(filepath.Base(compiler), "clang") { // clang does not have this flag; -fno-builtin is enough for clang
		args = append(args, "-fno-tree-loop-distribute-patterns")
	}
	cmd := exec.CommandContext(ctx, compiler, append(args, "bridge.c", "windows.c", "bridge.def", "-lkernel32", "-ladvapi32", strings.TrimSpace(string(library)))...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "TMPDIR="+dir, "TMP="+dir) // a compiler that is stopped leaves its temporary files
	if _, err := cc.Output(cmd); err != nil {                  // Output waits also for the processes that the compiler starts
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, name))
}
