# Sourced: how results are said.

failed=0
wrong() { echo "WRONG $*"; failed=$((failed + 1)); }
soon() { # seconds, command...
  local end=$(($(date +%s) + $1))
  shift
  until "$@"; do [ "$(date +%s)" -lt "$end" ] || return 1; sleep 0.3; done
}
check() { # what, command...
  local what=$1
  shift
  if "$@" >"$room/check" 2>&1; then echo "ok    $what"; else
    wrong "$what: $*"
    head -n 12 "$room/check"
  fi
}
not() { ! "$@"; }
quietly() { "$@" >"$room/said" 2>&1; }
say() { printf '== %s\n' "$*"; }
