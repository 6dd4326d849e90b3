# Sourced: which Go there is. The module needs 1.21.

oldest_go=1.21.13  # the oldest one that the tests run with, where it can be had
fetched_go=1.24.11 # the one that setup.sh fetches where there is none

# new_enough GO: is that a Go of 1.21 or newer?
new_enough() {
  local version
  [[ -x $1 ]] || return 1
  version=$(GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return 1
  [[ $version =~ ^go1\.([0-9]+) ]] && ((BASH_REMATCH[1] >= 21))
}

# find_go TOOLS: prints the program, of the private folder or of the system.
find_go() {
  local go
  for go in "$1/go/bin/go" "$(type -P go || true)" /usr/local/go/bin/go /usr/lib/go-1.*/bin/go; do
    if new_enough "$go"; then
      echo "$go"
      return 0
    fi
  done
  return 1
}
