#!/usr/bin/env bash
# Checks log.pml: the right one in every bound below, then each broken one, of which an error has to be found.
# Needs Spin 6.5 and a C compiler (Debian: apt-get install spin gcc), 4 GB of memory, and the time that README.md says.
set -euo pipefail
for tool in spin gcc; do
  command -v "$tool" > /dev/null || { echo "verify.sh needs $tool: apt-get install spin gcc" >&2; exit 2; }
done
model="$(cd "$(dirname "$0")" && pwd)/log.pml"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Prints how many states there were, and leaves in $errors how many errors.
check() {
  spin "$@" -a "$model"
  gcc -O2 -w -DSAFETY -DCOLLAPSE -DMEMLIM=4000 -o pan pan.c
  ./pan -m200000 > out
  errors="$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' out)"
  local states
  states="$(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' out)"
  grep -qi 'search depth too small\|out of memory\|search not completed' out && [ "$errors" = 0 ] && errors='not complete'
  echo "$*: $states states, errors: $errors"
}

failed=0
expect_none() { check "$@"; [ "$errors" = 0 ] || failed=1; }
expect_some() { check "$@"; [ "$errors" != 0 ] && [ "$errors" != 'not complete' ] || failed=1; }

expect_none -DCLIENTS=2 -DCALLS=1 -DFAULTS=2
expect_none -DCLIENTS=2 -DCALLS=2 -DFAULTS=0
expect_none -DCLIENTS=2 -DCALLS=2 -DFAULTS=1 -DKINDS=2
expect_none -DCLIENTS=3 -DCALLS=1 -DFAULTS=0 -DKINDS=3 -DKEEP_TOMBSTONES

for broken in NO_ID_CHECK NO_AIM NO_REREAD NO_SWEEP FORGET_TOMBSTONES; do
  expect_some -DCLIENTS=2 -DCALLS=2 -DFAULTS=1 "-D$broken"
done
exit "$failed"
