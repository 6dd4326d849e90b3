#!/usr/bin/env bash
# compile.sh PACK INDEX OPTION...: runs tileops_pack on a share of the kernels.
#   INDEX of 0, 1 or 2: three tests, one for each architecture. They share out one kernel of every body under every kind of
#   policy, so that a run compiles each of these, and take a thirty-sixth each of the kernels that OPTIONs name: in
#   twelve commits each of them is compiled for one architecture, in thirty-six for all three.
#   INDEX of `third`: a third of the kernels that OPTIONs name; all: all of them.
# Each commit takes other parts. TILEOPS_ROTATION, a number, stands in for the commit: to repeat what another one compiled.
set -euo pipefail
pack=$1 index=$2
shift 2
here=$(dirname "${BASH_SOURCE[0]}")
rotation=${TILEOPS_ROTATION:-$((16#$(git -C "$here" rev-parse --short=7 HEAD 2>/dev/null || echo 0)))}
case $index in
  all) part=() ;;
  third) part=(--part "$((rotation % 3))/3") ;;
  *) part=(--part "$(((12 * index + rotation) % 36))/36" --with-each "$(((index + rotation) % 3))/3") ;;
esac
echo "TILEOPS_ROTATION=$((rotation % 36)): tileops_pack ${part[*]}"
exec "$pack" "${part[@]}" "$@"
