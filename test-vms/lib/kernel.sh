# Sourced: kernels with their modules, each a folder with "kernel" (absent: the installed linux.uml) and lib/modules/VERSION.

declare -A qemu_suite=([qemu]=bookworm [qemu-bullseye]=bullseye [qemu-trixie]=trixie)

uml_version() { dpkg-query -W -f '${Built-Using}' user-mode-linux | sed 's/.*linux (= \([^)]*\)).*/\1/'; }

kernel_key() { # kernel
  case "$1" in
    uml) { uml_version; declare -f make_uml depmod_in; declare -p netfilter; } | sha256sum | cut -c1-16 ;;
    *) { echo "${qemu_suite[$1]}"; declare -f make_cloud uncompressed depmod_in; } | sha256sum | cut -c1-16 ;;
  esac
}

make_kernel() { # kernel, folder
  mkdir -p "$2/lib/modules"
  case "$1" in
    uml) make_uml "$2" ;;
    *) make_cloud "${qemu_suite[$1]}" "$2" ;;
  esac
}

# The families ip, ip6 and inet of nf_tables are switched off in Debian's user-mode Linux. Its modules carry no checksums of their surroundings,
# so those that are missing, and those that know of them, can be built from the same source with the same settings.
netfilter='nf_nat nf_tables nft_chain_nat nft_nat nft_masq nft_redir nft_reject nft_reject_inet nft_fib nft_fib_inet nft_ct nft_numgen nft_hash
  nft_limit nft_log nft_objref nft_quota nft_compat nft_connlimit'

make_uml() { # folder
  local version source=$1/source release folder ip
  version=$(uml_version)
  release=$(basename /usr/lib/uml/modules/*)
  mkdir -p "$source" "$1/fetched"
  (cd "$1/fetched" && apt-get -qq -o "APT::Sandbox::User=$(id -un)" download "linux-source-${version%.*}=$version") ||
    fail "apt has no linux-source-${version%.*} of version $version, from which user-mode-linux was built: apt-get update; or upgrade user-mode-linux"
  # What the build of a few modules reads: a tenth of it all.
  dpkg-deb --fsys-tarfile "$1"/fetched/*.deb | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' | tar -xJ --strip-components=1 -C "$source" \
    --wildcards '*/Kconfig*' '*/Kbuild*' 'linux-source-*/Makefile' 'linux-source-*/scripts/*' 'linux-source-*/include/*' 'linux-source-*/arch/um/*' \
    'linux-source-*/arch/x86/*' 'linux-source-*/net/*' 'linux-source-*/kernel/*' 'linux-source-*/tools/*' 'linux-source-*/security/*'
  linux.uml --showconfig | sed '/^===/d' >"$source/.config"
  "$source/scripts/config" --file "$source/.config" -e NF_TABLES_INET -e NF_TABLES_IPV4 -e NF_TABLES_IPV6 -m NFT_NAT -m NFT_FIB -m NFT_FIB_INET \
    -m NFT_FIB_IPV4 -m NFT_FIB_IPV6 -m NFT_REJECT -m NFT_REJECT_INET -m NFT_REJECT_IPV4 -m NFT_REJECT_IPV6
  build() { make -C "$source" -j "$(nproc)" ARCH=um KBUILD_MODPOST_WARN=1 "$@" >>"$cache/kernel.log" 2>&1 || { tail -n 20 "$cache/kernel.log" >&2; return 1; }; }
  only() { local dir=$1; shift; printf 'obj-y :=\nobj-m := %s\n' "$(printf '%s.o ' "$@")" >>"$source/$dir/Makefile"; }
  # shellcheck disable=SC2086
  only net/netfilter $netfilter
  for ip in 4 6; do only "net/ipv$ip/netfilter" "nft_reject_ipv$ip" "nft_fib_ipv$ip"; done
  : >"$cache/kernel.log"
  build olddefconfig
  build modules_prepare
  for folder in net/netfilter net/ipv4/netfilter net/ipv6/netfilter; do build "M=$folder" modules; done
  folder=$1/lib/modules/$release
  mkdir -p "$folder"
  (cd "/usr/lib/uml/modules/$release" && cp -a --parents modules.* kernel/net kernel/lib kernel/crypto kernel/fs/overlayfs kernel/drivers/net/{dummy,veth}.ko kernel/drivers/net/bonding "$folder" 2>/dev/null || true)
  (cd "$source" && find net -name '*.ko' -exec install -D -m 644 {} "$folder/kernel/{}" \;)
  depmod_in "$1" "$release"
  rm -rf "$source" "$1/fetched"
}

# depmod of the root file system, so none is needed here.
depmod_in() { # folder, release
  local base
  base=$(find "$cache/built" -maxdepth 1 -name 'rootfs-*' -printf '%T@ %p\n' | sort -rn | head -n 1 | cut -d' ' -f2-)
  mkdir -p "$1/root"
  mount -t overlay -o "lowerdir=$base,upperdir=$(mkdir -p "$1/u" && echo "$1/u"),workdir=$(mkdir -p "$1/w" && echo "$1/w")" bed "$1/root"
  mkdir -p "$1/root/usr/lib/modules"
  mount --bind "$1/lib/modules" "$1/root/usr/lib/modules"
  chroot "$1/root" depmod "$2"
  umount "$1/root/usr/lib/modules" "$1/root"
  rm -rf "$1/root" "$1/u" "$1/w"
}

make_cloud() { # suite, folder
  local package release image
  debian_fetch "$2/fetched" "$1" linux-image-cloud-amd64 || return
  package=$(dpkg-deb -f "$2"/fetched/*.deb Depends | sed 's/[ ,].*//')
  debian_fetch "$2/fetched" "$1" "$package" || return
  dpkg-deb --fsys-tarfile "$2"/fetched/*.deb | tar -x -C "$2" --exclude ./usr/share
  # Newer suites have no /lib of their own.
  if [ -d "$2/usr/lib/modules" ]; then rm -rf "${2:?}/lib" && mv "$2/usr/lib" "${2:?}/lib"; fi
  release=$(basename "$2"/lib/modules/*)
  image=$(find "$2/boot" -name 'vmlinuz-*' | head -n 1)
  uncompressed "$image" >"$2/kernel"
  depmod_in "$2" "$release"
  rm -rf "$2/fetched" "${2:?}/boot" "${2:?}/usr"
}

# The kernel inside of a compressed image: QEMU starts it much sooner. Where it lies is in the image's header.
uncompressed() { # bzImage
  local image=$1 sectors offset length
  read_number() { od -An -t "u$2" -j "$(($1))" -N "$2" "$3" | tr -d ' '; }
  sectors=$(read_number 0x1f1 1 "$1")
  offset=$(((sectors + 1) * 512 + $(read_number 0x248 4 "$1")))
  length=$(read_number 0x24c 4 "$1")
  part() { dd "if=$image" bs=1M iflag=skip_bytes,count_bytes "skip=$offset" "count=$1" status=none; }
  case "$(od -An -t x1 -j "$offset" -N 4 "$1" | tr -d ' ')" in
    fd377a58) part "$length" | xz -dc --single-stream ;;
    02214c18) part "$((length - 4))" | lz4 -dcq ;;
    28b52ffd) part "$((length - 4))" | zstd -dcq ;;
    1f8b*) part "$length" | gzip -dcq 2>/dev/null || true ;;
    *) echo "unknown compression of $1" >&2; return 1 ;;
  esac
}
