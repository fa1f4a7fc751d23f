# Sourced: what the bed says, and which tools it needs.

fail() { echo "test-vms: $*" >&2; exit 2; }
step() { printf '== %s\n' "$*" >&2; }

has_libc_headers() { local header; for header in /usr/include/sys/types.h /usr/include/*/sys/types.h; do [ ! -e "$header" ] || return 0; done; return 1; }

needs() { # kernel...: every missing package in one message
  local kernel tool missing=()
  declare -A packages=(
    [mmdebstrap]=mmdebstrap [mke2fs]=e2fsprogs [unshare]=util-linux [setpriv]=util-linux [ip]=iproute2 [tcpdump]=tcpdump [perl]=perl-base
    [dpkg-deb]=dpkg [flock]=util-linux
  )
  for kernel in "$@"; do
    case "$kernel" in
      uml) packages+=([linux.uml]=user-mode-linux [gcc]=gcc [make]=make [bc]=bc [flex]=flex [bison]=bison [xz]=xz-utils) ;;
      qemu*) packages+=([qemu-system-x86_64]=qemu-system-x86 [qemu-img]=qemu-utils [lz4]=lz4 [xz]=xz-utils [zstd]=zstd) ;;
    esac
  done
  for tool in "${!packages[@]}"; do
    command -v "$tool" >/dev/null || missing+=("${packages[$tool]}")
  done
  # A compiler without the headers of libc is what --no-install-recommends leaves.
  if [ -n "${packages[gcc]:-}" ] && ! has_libc_headers; then missing+=(libc6-dev); fi
  [ "${#missing[@]}" = 0 ] || fail "these packages are missing: ${missing[*]}; install them with apt-get install --no-install-recommends"
  [ -c /dev/net/tun ] || fail "/dev/net/tun is missing: load the module tun"
}
