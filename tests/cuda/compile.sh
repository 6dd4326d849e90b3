#!/usr/bin/env bash
# compile.sh PACK INDEX OPTION...: runs tileops_pack on a third of the kernels. Three tests with an INDEX of 0, 1 and 2
# share out all kernels; with each commit every part goes to the next of the three. INDEX `all`: all kernels.
# TILEOPS_ROTATION, a number, stands in for the commit: to repeat what another commit compiled.
set -euo pipefail
pack=$1 index=$2
shift 2
part=()
if [[ $index != all ]]; then
  here=$(dirname "${BASH_SOURCE[0]}")
  rotation=${TILEOPS_ROTATION:-$((16#$(git -C "$here" rev-parse --short=7 HEAD 2>/dev/null || echo 0)))}
  part=(--part "$(((index + rotation) % 3))/3")
  echo "part $(((index + rotation) % 3)) of the kernels (TILEOPS_ROTATION=$((rotation % 3)))"
fi
exec "$pack" "${part[@]}" "$@"
