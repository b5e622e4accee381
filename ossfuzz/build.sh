#!/usr/bin/env bash
# Builds every fuzz target of the module for libFuzzer, with its seeds, its dictionary
# and its options, into $OUT. The variables are those of OSS-Fuzz: $OUT, $CXX,
# $CXXFLAGS, $LIB_FUZZING_ENGINE. With names of targets as arguments only those.
set -euo pipefail
module=$(cd "$(dirname "$0")/.." && pwd)
tool=github.com/AdamKorcz/go-118-fuzz-build
: "${OUT:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}"
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)

# The tool and what prepares the targets change source files: in a copy.
tree=$(mktemp -d)
[ -n "${KEEP:-}" ] || trap 'rm -rf "$tree"' EXIT
list() { git -c safe.directory="$module" -C "$module" ls-files -z "$@"; }
list | tar -C "$module" --null -T - -cf - | tar -C "$tree" -xf -
cd "$tree"

# The tool in the version, and with the sums, that CI has.
go build -modfile=.ci/tools.mod -o tool $tool
go mod edit -require=$tool@"$(go list -modfile=.ci/tools.mod -m -f '{{.Version}}' $tool)"
cat .ci/tools.sum >>go.sum
export GOFLAGS="${GOFLAGS:-} -mod=mod"
go run ./internal/libfuzzer/prepare -tool $tool/testing "$tree" >targets

# What the targets' bodies read, in folders of the same names.
list -- '*/testdata/*' testdata docs | tar -C "$module" --null -T - -cf - | (mkdir -p "$OUT/files" && tar -C "$OUT/files" -xf -)
for seeds in internal/libfuzzer/seeds/*; do
	go run "./$seeds" -root "$tree" -o "$OUT"
done

build() { # name, function, package
	./tool -o "$1.a" -func "$2" "$3"
	# shellcheck disable=SC2086 # flags are several words
	$CXX ${CXXFLAGS:-} $LIB_FUZZING_ENGINE "$1.a" -o "$OUT/$1"
	rm -f "$1.a" "$1.h"
}
while IFS=$'\t' read -r name function package; do
	[[ $# = 0 || " $* " = *" $name "* ]] || continue
	build "$name" "$function" "$package"
done <targets
