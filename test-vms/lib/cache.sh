# Sourced: the cache of what is built, and the record of what a run owns. A thing is built beside its place and renamed into it, so a build
# that was killed is never taken for a whole one.

cache=${DUALSTACKD_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dualstackd/test-vms}

open_cache() {
  mkdir -p "$cache"/{built,debs,runs,owned}
  clean_owned
  find "$cache/built" -maxdepth 1 -name '*.part' -mmin +120 -exec rm -rf {} +
  # Evidence of the last twenty runs, and what was used in the last month.
  find "$cache/runs" -mindepth 1 -maxdepth 1 -type d | sort | head -n -20 | xargs -r rm -rf
  find "$cache/built" -mindepth 1 -maxdepth 1 -atime +30 -exec rm -rf {} +
}

started() { # pid: when it started, in the kernel's ticks; nothing if there is no such process
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20
}

lives() { # pid, start: is it still the same process
  [ -n "$1" ] && [ -n "$2" ] && [ "$(started "$1")" = "$2" ]
}

# A record has two lines: the run, and the process whose end is the end of everything that the run started.
own() { # pid
  printf '%s %s\n' "$$" "$(started $$)" "$1" "$(started "$1")" >"$cache/owned/$$"
  trap 'rm -f "$cache/owned/$$"' EXIT
}

clean_owned() {
  local record pid start
  for record in "$cache"/owned/*; do
    [ -e "$record" ] || continue
    { read -r pid start || true; } <"$record"
    if lives "${pid:-}" "${start:-}"; then continue; fi
    { read -r pid start && read -r pid start || true; } <"$record"
    if lives "${pid:-}" "${start:-}"; then
      step "a run was killed: ending what it left, process $pid"
      kill -KILL "$pid" || true
    fi
    rm -f "$record"
  done
}

forget_built() { rm -rf "${cache:?}"/built/*; }

hash_of() { cat "$@" | sha256sum | cut -c1-16; }

# cached NAME COMMAND...: the path of $cache/built/NAME, made by "COMMAND... PATH" if it is not there. Mounts that the command makes end with
# it, also if it is killed.
cached() {
  local path=$cache/built/$1 what=$1
  shift
  (
    exec 9>"$cache/lock"
    flock 9
    if [ ! -e "$path" ]; then
      step "making $what (once; kept in $cache)"
      rm -rf "$path.part"
      setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
        bash -euo pipefail -O inherit_errexit -c '. "$BED/lib/say.sh"; . "$BED/lib/cache.sh"; . "$BED/lib/rootfs.sh"; . "$BED/lib/kernel.sh"; "$@"' make "$@" "$path.part" >&2 9>&- ||
        { rm -rf "$path.part"; fail "could not make $what"; }
      mv "$path.part" "$path"
    fi
    # When it was used last. Not when it was written: user-mode Linux compares that with what stood there when its disk was made.
    touch -a "$path"
  ) || exit $?
  printf '%s\n' "$path"
}

our_package() { # the .deb of this source tree, built again when a source is newer
  local top deb
  top=$(readlink -f "$BED/..")
  built() { find "$top/systemd" -mindepth 2 -maxdepth 2 -path '*/target/dualstackd_*.deb' | head -n 1; }
  deb=$(built)
  if [ -z "$deb" ] || [ -n "$(find "$top" -path '*/target' -prune -o \( -path '*/src/main/*' -o -path '*/systemd/*' -o -path "$top/bin/*" -o -path "$top/docs/man/*" -o -name pom.xml \) -newer "$deb" -type f -print -quit)" ]; then
    step "building the package"
    (
      cd "$top"
      . bin/jdk.sh
      find_jdk25 >&2
      build() { mvn -B -ntp -q -Dspotless.check.skip=true "$@" -Ddist -Dproduct -Dmaven.test.skip=true package >"$cache/package.log" 2>&1; }
      build -o || build || { tail -n 30 "$cache/package.log" >&2; exit 1; }
    ) || fail "the package does not build; $cache/package.log"
    deb=$(built)
  fi
  printf '%s\n' "$deb"
}

inner() { # pid of unshare: the first process of its namespaces, as seen from here
  cut -d' ' -f1 "/proc/$1/task/$1/children"
}
