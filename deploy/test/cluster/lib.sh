# Sourced by the commands of this folder: where things are, and whether the cluster runs.
root=$(readlink -f "$here/../../..")
state=/run/dualstackd-cluster
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dualstackd/cluster

fail() { echo "$(basename "$0"): $*" >&2; exit 2; }

# The first process of the cluster, by its number and by what it is; it may be of another checkout.
running() { [ -s "$state/pid" ] && grep -qz '/deploy/test/cluster/inside$' "/proc/$(cat "$state/pid")/cmdline" 2>/dev/null; }

# Where control groups are made: each hierarchy of version 1, or the one of version 2.
hierarchies() {
  if [ -e /sys/fs/cgroup/cgroup.procs ]; then echo /sys/fs/cgroup; else
    local each
    for each in /sys/fs/cgroup/*/; do [ -L "${each%/}" ] || [ ! -e "$each/cgroup.procs" ] || echo "${each%/}"; done
  fi
}

# Removes the groups of clusters that have ended.
remove_groups() {
  local group hierarchy
  for hierarchy in $(hierarchies); do
    for group in "$hierarchy"/dualstackd-cluster-*; do
      [ -d "$group" ] || continue
      # Its number is that of its "watch", which removes it itself.
      [ "${group##*-}" = "$$" ] || ! grep -qz '/deploy/test/cluster/watch$' "/proc/${group##*-}/cmdline" 2>/dev/null || continue
      find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
    done
  done
}

# Runs a command in the namespaces of the control plane.
in_cluster() { nsenter --target "$(cat "$state/pid")" --mount --net --pid --ipc --uts --cgroup -- env --chdir=/ "$@"; }

soon() { # seconds, command...
  local end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 0.2
  done
}
