#!/usr/bin/env bash
# Builds the module's fuzz targets for libFuzzer into $OUT: of each the program, its
# seeds, its dictionary and its options. Given names of targets, builds only those.
# The variables are those of OSS-Fuzz: OUT, CXX, CXXFLAGS, LIB_FUZZING_ENGINE, SANITIZER.
set -euo pipefail
module=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
: "${OUT:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}"
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
export OUT

# The tool changes source files, and so does what prepares the targets for it: in a
# copy. In a container the checkout may be another user's, which git has to be told.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
files() { # what git keeps or would, and is there
	git -c safe.directory="$module" -C "$module" ls-files -z --cached --others --exclude-standard "$@" | sort -zu |
		while IFS= read -r -d '' file; do
			[[ ! -e $module/$file || $module/$file == "$OUT"/* ]] || printf '%s\0' "$file"
		done |
		tar -C "$module" --null -T - -cf -
}
files | tar -C "$tree" -xf -
cd "$tree"

# The tool in the version that .ci/tools.mod says, with its sums.
tool=github.com/AdamKorcz/go-118-fuzz-build
go build -modfile=.ci/tools.mod -o tool "$tool"
go mod edit -require="$tool@$(go list -modfile=.ci/tools.mod -m -f '{{.Version}}' "$tool")"
cat .ci/tools.sum >>go.sum
go run ./internal/libfuzzer/dictionary .
export GOFLAGS="${GOFLAGS:-} -mod=mod"
go run ./internal/libfuzzer/prepare -tool "$tool/testing" . >targets

# What a target reads when it starts lies where it lay, seen from its package.
mkdir -p "$OUT/files"
files '*/testdata/*' testdata docs | tar -C "$OUT/files" -xf -
for seeds in internal/libfuzzer/seeds/*; do
	go run "./$seeds" -root . -o "$OUT"
done

tests=$(go list ./... | grep /fuzztargets | paste -sd,)
export module tests
build() { # name, function, package
	if [ "${SANITIZER:-}" = coverage ]; then
		# A test that OSS-Fuzz runs over a corpus and asks for a profile.
		go test -c -vet=off -coverpkg ./... -covermode atomic -o "$OUT/$1" "$3"
		printf 's=%s=%s=\n' "$(go list -m)" "$module" >"$OUT/$1.gocovpath"
		return
	fi
	# What is fuzzed is our own code, without its tests, and the YAML reader where texts are
	# fuzzed: the rest does not tell libFuzzer where it comes by, which would take most of
	# the time.
	local yaml=,go.yaml.in/*
	[[ $1 != fuzz_* ]] || yaml=
	./tool -include "$(go list -m)*$yaml" -preserve "$tests" -o "$1.a" -func "$2" "$3"
	# shellcheck disable=SC2086 # these are lists of words
	$CXX ${CXXFLAGS:-} $LIB_FUZZING_ENGINE ossfuzz/onstack.cc -Wl,--wrap=sigaction "$1.a" -o "$OUT/$1"
	rm -f "$1.a" "$1.h"
}
export -f build
for name in "$@"; do
	awk -v name="$name" '$1 == name { print; found = 1 } END { exit !found }' targets >>asked ||
		{ echo "$name: there is no such target" >&2; exit 1; }
done
[ $# = 0 ] || mv asked targets
xargs -P "$(nproc)" -L 1 bash -euc 'build "$@"' build <targets
# Of what was not asked for there is nothing beside a program that is not there.
for options in "$OUT"/*.options; do
	name=${options%.options}
	[ -x "$name" ] || rm -f "$name".{options,dict} "${name}_seed_corpus.zip"
done
