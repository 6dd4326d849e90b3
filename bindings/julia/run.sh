#!/usr/bin/env bash
# Runs a test of the binding with the Julia of setup.sh, or of PATH: `run.sh tests | interpreted | vectors | example | overhead`.
# Needs TILEOPS_PREFIX, TILEOPS_LIBDIR and TILEOPS_BINDING_WORK. Status 77: there is no Julia.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=$here/TileOps

julia=$here/../../.tools/julia/bin/julia
if [[ ! -x $julia ]]; then
  julia=$(type -P julia) || {
    echo "skipped: there is no Julia; bindings/julia/setup.sh tells why (./dev setup)"
    exit 77
  }
fi

work=$TILEOPS_BINDING_WORK/julia
mkdir -p "$work"
# Compiled packages go beside the other build products, not to the user's ~/.julia.
export JULIA_DEPOT_PATH=$work/depot
export TILEOPS_LIBRARY=$TILEOPS_PREFIX/$TILEOPS_LIBDIR
export TILEOPS_CACHE=off JULIA_NUM_THREADS=${JULIA_NUM_THREADS:-4}
unset JULIA_PROJECT JULIA_LOAD_PATH

case $1 in
  tests)
    exec "$julia" --startup-file=no --project="$package" "$package/test/runtests.jl" layout dtypes plans open list allocations concurrency
    ;;
  interpreted)
    # What compiles more than it computes, as the vectors do: calls of many types, each made once.
    export TILEOPS_NET_CASES=${TILEOPS_NET_CASES:-24}
    exec "$julia" --compile=min -O0 --startup-file=no --project="$package" "$package/test/runtests.jl" \
      table arrays calls processes inference broadcasting expressions rows fusion dlpack devices bad_input numbers net library doctests
    ;;
  vectors)
    exec "$julia" --compile=min -O0 --startup-file=no --project="$package" "$package/test/runtests.jl" vectors
    ;;
  overhead) exec "$julia" --startup-file=no --project="$package" "$package/bench/overhead.jl" ;;
  example)
    # The first example of the README, as printed, in an empty folder and with nothing but the
    # installed library and the package.
    rm -rf "$work/example"
    mkdir -p "$work/example"
    cd "$work/example"
    sed -n '/<!-- begin:example -->/,/<!-- end:example -->/p' "$package/README.md" | sed '/^<!--/d; /^```/d' >example.jl
    sed -n '/<!-- begin:output -->/,/<!-- end:output -->/p' "$package/README.md" | sed '/^<!--/d; /^```/d' >expected.txt
    [[ -s example.jl && -s expected.txt ]]
    JULIA_LOAD_PATH=$here: "$julia" --startup-file=no example.jl | tee printed.txt
    diff expected.txt printed.txt
    # A server's loop, by as many tasks as there are threads.
    JULIA_LOAD_PATH=$here: "$julia" --startup-file=no "$package/examples/serve.jl" | tee printed.txt
    grep -qF 'a result of 7 rows: (1024, 7)' printed.txt
    # A step of an optimiser, over all tensors by one call.
    JULIA_LOAD_PATH=$here: "$julia" --startup-file=no "$package/examples/optimiser.jl" | tee printed.txt
    grep -qF '20 tensors by one call a step' printed.txt
    ;;
  *)
    echo "usage: $0 tests | interpreted | vectors | example | overhead" >&2
    exit 2
    ;;
esac
