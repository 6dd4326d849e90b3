#!/usr/bin/env bash
# Python for the tests: `setup.sh TOOLS` makes TOOLS/python, an environment of the newest Python here that has headers
# (3.11 or newer), with what builds and tests the package. Where there is none, or a package cannot be had, it says so and
# exits with 0: the tests are skipped then. torch and jax are tested where somebody has installed them there.
set -euo pipefail

if (($# != 1)); then
  echo "usage: $0 TOOLS" >&2
  exit 2
fi
mkdir -p "$1"
environment=$(cd "$1" && pwd)/python
packages=(numpy ml_dtypes scikit-build-core apache-tvm-ffi)

# usable PYTHON: it starts, is new enough, and has Python.h.
usable() {
  "$1" -c 'import sys, sysconfig, pathlib, venv
sys.exit(sys.version_info < (3, 11) or not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists())' 2>/dev/null
}

complete() { "$environment/bin/python3" -c 'import numpy, ml_dtypes, scikit_build_core, tvm_ffi' 2>/dev/null; }

if complete; then exit 0; fi
found=
for minor in {19..11}; do
  for python in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$minor".*/bin/python3; do
    if [[ -z $found ]] && usable "$python"; then found=$python; fi
  done
done
if [[ -z $found ]]; then
  echo "python: no Python of 3.11 or newer with headers here (Debian: python3-dev)"
  exit 0
fi
rm -rf "$environment"
"$found" -m venv "$environment"
"$environment/bin/python3" -m pip install -q "${packages[@]}" || echo "python: ${packages[*]} could not be installed"
echo "python: $("$environment/bin/python3" --version), $found"
