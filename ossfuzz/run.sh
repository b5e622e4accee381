#!/usr/bin/env bash
# Runs what ossfuzz/build.sh made in $OUT, each program over its seeds and then over
# what libFuzzer makes of them, $RUNS inputs in all, and says how much of the program
# they reached. An input that fails stays in $OUT/found, with all that the program said.
# Given names, runs only those. $LEN is how many bytes an input has at the most, where that
# is to be less than its options say: longer ones take longer, and seeds are cut.
set -euo pipefail
OUT=$(cd "${OUT:?}" && pwd)
RUNS=${RUNS:-100000}
TIME=${TIME:-0} # no limit
LEN=${LEN:-}
[[ $RUNS =~ ^[0-9]+$ && $TIME =~ ^[0-9]+$ && $LEN =~ ^([1-9][0-9]*)?$ ]] || { echo "RUNS, TIME and LEN are numbers" >&2; exit 2; }
export OUT RUNS TIME LEN
mkdir -p "$OUT/found"

run() { # name
	local seeds runs covered start=$SECONDS
	work=$(mktemp -d) # not local: it is removed when the shell ends
	trap 'rm -rf "$work"' EXIT
	mkdir "$work/seeds" "$work/grown"
	unzip -q "$OUT/$1_seed_corpus.zip" -d "$work/seeds"
	seeds=$(find "$work/seeds" -type f | wc -l)
	fault() { # Go says first what is wrong, and then of each goroutine where it is
		cp "$work/log" "$OUT/found/$1.log"
		grep -v '^#' "$work/log" | head -n 60 >&2 || true
		printf '%s: %s; %s has the rest\n' "$1" "$2" "$OUT/found/$1.log" >&2
		exit 1
	}
	# The limits are those of ClusterFuzz. As many programs as there are processors run at once.
	GOMAXPROCS=1 "$OUT/$1" -runs="$RUNS" -max_total_time="$TIME" -seed=1 -dict="$OUT/$1.dict" \
		-max_len="${LEN:-$(sed -n 's/^max_len = //p' "$OUT/$1.options")}" \
		-timeout=25 -rss_limit_mb=2560 -print_final_stats=1 -artifact_prefix="$OUT/found/$1-" \
		"$work/grown" "$work/seeds" >"$work/log" 2>&1 || fault "$1" "fails"
	grep -q "seed corpus: files: $seeds " "$work/log" || fault "$1" "not every one of $seeds seeds was read"
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
	[ "${runs:-0}" -ge "$RUNS" ] || { [ "$TIME" -gt 0 ] && [ "${runs:-0}" -gt "$seeds" ] && [ $((SECONDS - start)) -ge "$TIME" ]; } ||
		fault "$1" "ran ${runs:-0} times, not $RUNS"
	covered=$(sed -n 's/^#.*DONE *cov: \([0-9]*\).*/\1/p' "$work/log")
	[ "${covered:-0}" -ge 50 ] || fault "$1" "reached ${covered:-0} places of the program"
	printf '%-45s %7d runs, %4d seeds, %5d places, %3ds\n' "$1" "$runs" "$seeds" "$covered" $((SECONDS - start))
}
export -f run
cd "$OUT"
if [ $# = 0 ]; then
	for options in *.options; do set -- "$@" "${options%.options}"; done
fi
for name; do
	[ -x "$name" ] || { printf '%s: there is no such program in %s; build.sh makes them\n' "$name" "$OUT" >&2; exit 1; }
done
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -euo pipefail -c 'run "$1"' run {}
