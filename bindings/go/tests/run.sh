#!/usr/bin/env bash
# One step of the tests of the Go binding, with the environment that bindings/CMakeLists.txt sets.
#   run.sh test       all tests, examples and test vectors, verbosely; the examples of programs
#   run.sh race       the same under the race detector, which checks uses of unsafe as well
#   run.sh cgocheck   the same with every store of a Go pointer to C's memory checked
#   run.sh lint       gofmt, go vet with each set of build tags, documentation of everything exported
#   run.sh newop      an operator that is added to the table has its function, once generated
#   run.sh types      the compiler refuses types that could be integers or halves
#   run.sh nocgo      a build without cgo fails and says why; with the tag tileops_nocgo each call does
#   run.sh oldest     build and tests with the oldest Go that is promised
#   run.sh flags      builds without library, with the tag tileops_customenv, with tileops_static (TILEOPS_ARCHIVE)
#   run.sh readme     the README's examples as printed, in an empty folder
#   run.sh loader     programs that find no library, or one that is too old, at run time
#   run.sh bench      the benchmarks, shortly
#   run.sh prebuilt   the tests as one program, tileops.test, for machines without a toolchain
# Exit status 77: skipped, with the reason printed.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
module=$(dirname "$tests")
source "$tests/toolchain.sh"
tools=$module/../../.tools
work=$TILEOPS_BINDING_WORK/$1
rm -rf "$work"
mkdir -p "$work"

skip() {
  echo "skipped: $*"
  exit 77
}

fail() {
  echo "failed: $*" >&2
  exit 1
}

# wants FILE TEXT: the text is in there.
wants() {
  grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "no '$2' in this"; }
}

go=$(find_go "$tools") || skip "no Go 1.21 or newer: run bindings/go/setup.sh .tools"
library=$TILEOPS_PREFIX/$TILEOPS_LIBDIR
export PATH=$(dirname "$go"):$PATH GOTOOLCHAIN=local GOPROXY=off CGO_ENABLED=1
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export GOFLAGS=-buildvcs=false GOWORK=off HOME=${HOME:-$work}
cd "$module"

# All tests, compiled anew: run_lint vets the sources, and a backtrace needs no information for debuggers.
quick_test() { go test -count=1 -vet=off -ldflags=-w "$@" ./...; }

run_test() {
  quick_test -v | tee "$work/log" | grep -vE '^=== |^    --- PASS'
  go run ./examples/serve | tee "$work/log"
  wants "$work/log" "a result of 7 rows: [7 1024]"
  go run ./examples/optimiser | tee "$work/log"
  wants "$work/log" "20 tensors by one call a step"
}

run_prebuilt() {
  go test -c -o "$work/tileops.test" .
  (cd "$work" && ./tileops.test -test.run 'Vectors|Plan') | tail -n 3
}

run_race() {
  quick_test -race
  # The detector knows what a call reads: elements, and not what lies between them.
  go build -race -o "$work/racy" ./tests/racy
  if "$work/racy" 2>"$work/log"; then fail "a race with a call was not found"; fi
  wants "$work/log" "WARNING: DATA RACE"
  "$work/racy" another-column
}

run_cgocheck() {
  GOEXPERIMENT=cgocheck2 quick_test
}

run_lint() {
  local found tags
  found=$(gofmt -l .)
  [[ -z $found ]] || fail "not formatted: $found"
  for tags in "" tileops_static; do go vet -tags "$tags" ./...; done
  CGO_ENABLED=0 go vet -tags tileops_nocgo ./...
  go run ./tests/doccheck .
  go doc -all . >"$work/documentation"
  wants "$work/documentation" "func Add(y, a, b *Tensor, options ...Option) error"
}

run_newop() {
  cp -r . "$work/module"
  "$TILEOPS_PREFIX/bin/tileops" ops --json >"$work/ops.json"
  python3 - "$work" "$TILEOPS_PREFIX/include/tileops/tileops.h" ../../tools <<'END'
import json, pathlib, sys
work, header, tools = map(pathlib.Path, sys.argv[1:])
sys.path[:0] = [str(work / "module"), str(tools)]
from generate import generate
ops = json.loads((work / "ops.json").read_text())
softcap = json.loads(json.dumps(next(op for op in ops if op["name"] == "elu")))
softcap.update(name="soft_cap", op=9999, category="capping", doc="cap * tanh(x / cap)")
softcap["attributes"][0].update(name="cap_value", key=999, doc="bound of the result")
for name, text in generate(ops + [softcap], header.read_text()).items():
    (work / "module" / name).write_text(text)
END
  cd "$work/module"
  [[ -z $(gofmt -l .) ]] || fail "not formatted: $(gofmt -l .)"
  go vet ./...
  go doc . SoftCap | tee "$work/log"
  wants "$work/log" "func SoftCap(y, x *Tensor, options ...Option) error"
  wants "$work/log" "Options: WithCapValue (1)"
}

run_types() {
  if go build -tags refused -o "$work/refused" ./tests/refused 2>"$work/log"; then fail "halves were taken for integers"; fi
  local type
  for type in half derived eight; do wants "$work/log" "$type does not satisfy tileops.Element"; done
}

run_nocgo() {
  if CGO_ENABLED=0 go build -o "$work/none" ./tests/hello 2>"$work/log"; then fail "built without cgo"; fi
  wants "$work/log" "undefined: tileops_needs_cgo__set_CGO_ENABLED_1_and_CC"
  CGO_ENABLED=0 go test -tags tileops_nocgo -count=1 -v -run 'NoCgo' . >"$work/log" || { cat "$work/log"; exit 1; }
  wants "$work/log" "--- PASS: TestNoCgo"
}

run_oldest() {
  new_enough "$tools/go-oldest/bin/go" || skip "Go $oldest_go is not in .tools: run bindings/go/setup.sh .tools"
  PATH=$(cd "$tools/go-oldest/bin" && pwd):$PATH
  go version
  go vet ./...
  quick_test
}

run_flags() {
  # No pkg-config file: the build says so. A macro of its own keeps it from what was built before.
  if PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR="$work" CGO_CFLAGS="-DRUN_$$" go build -o "$work/none" ./tests/hello >"$work/log" 2>&1; then
    fail "built without a library"
  fi
  wants "$work/log" "Package tileops was not found in the pkg-config search path"

  # Flags of the user alone, and a pkg-config that would fail.
  PKG_CONFIG=false CGO_CFLAGS="-I$TILEOPS_PREFIX/include -I$TILEOPS_PREFIX/include/tileops/third_party" \
    CGO_LDFLAGS="-L$library -ltileops -Wl,-rpath,$library" \
    go build -tags tileops_customenv -o "$work/customenv" ./tests/hello
  env -u LD_LIBRARY_PATH "$work/customenv"

  run_static
}

# A program with the tag tileops_static has the library inside, though the shared one lies beside the
# archive; without an archive the build fails and names it. The archive is that of the C++ tests.
run_static() {
  local prefix=$work/prefix
  mkdir -p "$prefix/lib/pkgconfig"
  ln -s "$TILEOPS_PREFIX/include" "$prefix/include"
  ln -s "$library"/libtileops.so* "$prefix/lib/"
  sed 's|^libdir=.*|libdir=${prefix}/lib|; s|^prefix=.*|prefix=${pcfiledir}/../..|' \
    "$library/pkgconfig/tileops.pc" >"$prefix/lib/pkgconfig/tileops.pc"
  if PKG_CONFIG_PATH=$prefix/lib/pkgconfig CGO_CFLAGS="-DRUN_$$" \
    go build -tags tileops_static -o "$work/static" ./tests/hello >"$work/log" 2>&1; then
    fail "the tag tileops_static built without an archive"
  fi
  wants "$work/log" "cannot find -l:libtileops.a"

  cp "$TILEOPS_ARCHIVE" "$prefix/lib/libtileops.a"
  PKG_CONFIG_PATH=$prefix/lib/pkgconfig CGO_CFLAGS="-DRUN_$$" \
    go build -tags tileops_static -o "$work/static" ./tests/hello
  env -u LD_LIBRARY_PATH ldd "$work/static" >"$work/log"
  if grep -F tileops "$work/log"; then fail "the tag tileops_static linked the shared library"; fi
  env -u LD_LIBRARY_PATH "$work/static"
}

# The module as a proxy serves it, so that the README's commands work as printed, with no network.
serve_module() {
  local version=v0.1.0 path=github.com/libtileops/libtileops/bindings/go
  local folder=$work/proxy/$path/@v
  mkdir -p "$folder"
  python3 - "$path@$version" "$folder/$version.zip" <<'END'
import pathlib, sys, zipfile
prefix, archive = sys.argv[1:]
with zipfile.ZipFile(archive, "w") as z:  # files alone: a module's zip has no entries of folders
    for file in sorted(pathlib.Path(".").rglob("*")):
        if file.is_file():
            z.write(file, f"{prefix}/{file}")
END
  cp go.mod "$folder/$version.mod"
  echo "{\"Version\": \"$version\", \"Time\": \"2026-01-01T00:00:00Z\"}" >"$folder/$version.info"
  echo "$version" >"$folder/list"
}

# The lines between the marks begin:NAME and end:NAME of the README, less the fence.
from_readme() { sed -n "/<!-- begin:$1 -->/,/<!-- end:$1 -->/p" README.md | sed '/^<!--/d; /^```/d'; }

# build_readme NAME ENVIRONMENT...: the README's example in an empty folder, by the commands of that name.
build_readme() {
  local name=$1 modules
  shift
  rm -rf "$work/empty"
  mkdir "$work/empty"
  from_readme example >"$work/empty/main.go"
  from_readme "$name" >"$work/$name.sh"
  from_readme output >"$work/expected"
  [[ -s $work/empty/main.go && -s $work/$name.sh && -s $work/expected ]] || fail "no example in the README"
  # A folder of its own each time: go remembers which files the module of a folder had.
  modules=$(mktemp -d "$work/modules-XXXXXXXX")
  (
    cd "$work/empty"
    env "$@" GOFLAGS="-buildvcs=false -modcacherw" GOMODCACHE="$modules" bash -euo pipefail "$work/$name.sh"
  ) >"$work/output"
  diff "$work/expected" "$work/output"
  # The expression, in the same folder.
  from_readme expression >"$work/empty/main.go"
  from_readme expression-output >"$work/expected"
  [[ -s $work/empty/main.go && -s $work/expected ]] || fail "no expression in the README"
  (
    cd "$work/empty"
    env "$@" GOFLAGS="-buildvcs=false -modcacherw" GOMODCACHE="$modules" go run .
  ) >"$work/output"
  diff "$work/expected" "$work/output"
  diff "$work/empty/main.go" examples/expression/main.go
}

run_readme() {
  build_readme clone GOPROXY=off TILEOPS="$(cd ../.. && pwd)"
  serve_module
  build_readme release GOPROXY="file://$work/proxy" GONOSUMDB='*'
}

run_loader() {
  go build -o "$work/hello" ./tests/hello
  "$work/hello"
  # Missing: the loader names what it looked for.
  if env -u LD_LIBRARY_PATH "$work/hello" 2>"$work/log"; then fail "ran without a library"; fi
  wants "$work/log" "libtileops.so"
  # Too old, and too new by a major version.
  local version
  for version in 50 20000; do
    echo "unsigned tileops_version(void) { return $version; }" >"$work/other.c"
    "${CC:-cc}" -shared -fPIC -o "$work/other.so" "$work/other.c"
    if LD_PRELOAD=$work/other.so "$work/hello" 2>"$work/log"; then fail "ran with version $version"; fi
    wants "$work/log" "does not fit the header this program was compiled with (got $((version / 10000)).0.$((version % 100)), need $(pkg-config --modversion tileops)"
    wants "$work/log" "errors.Is(err, tileops.ErrVersion): true"
  done
}

run_bench() {
  go test -run '^$' -bench . -benchtime 100ms . | tee "$work/log"
  wants "$work/log" "ns-over-C/op"
}

run_"$1"
