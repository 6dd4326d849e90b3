#!/usr/bin/env bash
# The Debian packages in a fresh root: installed by dpkg, the command's self test run inside, removed
# without a trace. The root holds the packages that they depend on, copied from this system, and
# nothing else. Environment: CMAKE, BUILD, WORK. Exit status 77: skipped, and says why.
set -euo pipefail
skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "$*" >&2
  exit 1
}
for tool in dpkg dpkg-query dpkg-shlibdeps chroot; do
  command -v "$tool" >/dev/null || skip "no $tool"
done
if ((EUID != 0)); then
  unshare -r true 2>/dev/null || skip "neither root nor user namespaces"
  exec unshare -r "$0"
fi
grep -q '^TILEOPS_BUILD_CLI:BOOL=ON' "$BUILD/CMakeCache.txt" || skip "built without the command"

cpack=$(dirname "$CMAKE")/cpack
work=$WORK-deb
root=$work/root
rm -rf "$work"
mkdir -p "$work/packages" "$root"/var/lib/dpkg/{info,updates,triggers} "$root"/tmp
"$cpack" -G DEB --config "$BUILD/CPackConfig.cmake" -B "$work/packages" >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "cpack failed"; }
packages=("$work"/packages/*.deb)
((${#packages[@]} == 3)) || fail "need 3 packages, got ${packages[*]}"

# What must be in each.
for package in "${packages[@]}"; do
  name=$(dpkg-deb -f "$package" Package)
  dpkg-deb -c "$package" >"$work/$name"
  grep -q "/usr/share/doc/$name/copyright" "$work/$name" || fail "$name holds no copyright"
done
grep -q 'man1/tileops.1.gz' "$work/tileops-tools" || fail "no compressed man page"
grep -q 'include/tileops/tileops.h' "$work/libtileops-dev" || fail "no header in libtileops-dev"
runtime=$(echo "$work"/packages/libtileops0*.deb)
dpkg-deb -f "$runtime" Depends | grep -q libtbb12 || fail "no dependency on oneTBB"

# The fresh root: the closure of those dependencies, as dpkg knows it here.
declare -A seen=()
queue=()
add_depends() {
  local name
  for name in $(tr ',' '\n' | sed -E 's/\|.*//; s/\(.*//; s/:any//; s/ //g'); do
    if [[ -z ${seen[$name]:-} && $name != *tileops* ]]; then
      seen[$name]=1
      queue+=("$name")
    fi
  done
}
for package in "${packages[@]}"; do add_depends < <(dpkg-deb -f "$package" Depends); done
: >"$root/var/lib/dpkg/status"
mkdir -p "$root"/usr/{bin,sbin,lib,lib64}
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$root/$folder"; done
while ((${#queue[@]} > 0)); do
  name=${queue[0]}
  queue=("${queue[@]:1}")
  { dpkg-query -s "$name" 2>/dev/null || fail "$name is not installed here"; } >"$work/status"
  { cat "$work/status"; echo; } >>"$root/var/lib/dpkg/status"
  dpkg-query -L "$name" >"$work/list"
  cp "$work/list" "$root/var/lib/dpkg/info/$name:$(dpkg --print-architecture).list"
  # Documentation may be left out of small systems; what a program runs on is a library.
  while read -r file; do
    if [[ -f $file && $file == *.so* ]]; then cp --parents -P "$file" "$root"; fi
  done <"$work/list"
  add_depends < <(sed -n 's/^\(Pre-\)\?Depends: //p' "$work/status")
done

# The script that runs after the installation calls ldconfig.
cp -L "$(command -v dash)" "$root/usr/bin/sh"
cp -L "$(PATH=$PATH:/usr/sbin:/sbin command -v ldconfig)" "$root/usr/sbin/ldconfig"
mkdir -p "$root/etc"
chroot "$root" /usr/sbin/ldconfig

files() { (cd "$root" && find . -path ./var/lib/dpkg -prune -o -print | sort); }
files >"$work/before"
dpkg --root="$root" --force-not-root -i "${packages[@]}" >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg -i"; }
dpkg --root="$root" --audit >"$work/audit"
if grep tileops "$work/audit" | grep -v 'parallelism library'; then fail "dpkg --audit names these"; fi
chroot "$root" /usr/bin/tileops selftest >"$work/selftest" || { cat "$work/selftest"; fail "selftest"; }
tail -n 1 "$work/selftest"
dpkg --root="$root" --purge libtileops-dev tileops-tools "$(dpkg-deb -f "$runtime" Package)" \
  >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --purge"; }
files >"$work/after"
diff "$work/before" "$work/after" || fail "these files were left behind, or taken along"
