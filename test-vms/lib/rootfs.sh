# Sourced: the root file system of a node, and the image of it with kernel modules and our package.

. "$BED/../bin/debian.sh"

suite=bookworm
packages=systemd,systemd-sysv,udev,dbus,kmod,iproute2,nftables,iptables,ipvsadm,ipset,conntrack,containerd,runc,containernetworking-plugins,procps
packages+=,netcat-openbsd,busybox-static,libstdc++6,zlib1g,util-linux

# What a test node does not need makes it slow to boot.
masked=(
  systemd-{binfmt,random-seed,update-utmp,update-utmp-runlevel,pstore,logind,networkd,resolved,timesyncd,journal-catalog-update,machine-id-commit,firstboot}.service
  systemd-{sysusers,journal-flush,remount-fs,hwdb-update,udevd,udev-trigger,pcrphase,pcrphase-sysinit,user-sessions}.service
  systemd-udevd-{kernel,control}.socket systemd-tmpfiles-clean.timer
  ldconfig.service console-getty.service getty-static.service e2scrub_reap.service e2scrub_all.timer kmod-static-nodes.service
  modprobe@{configfs,dm_mod,drm,efi_pstore,fuse,loop}.service
  getty.target remote-fs.target apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer
  dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount sys-kernel-tracing.mount sys-kernel-config.mount sys-fs-fuse-connections.mount
  containerd.service nftables.service ipvsadm.service
)

make_rootfs() { # folder
  local mirror
  read -r mirror < <(debian_mirrors) || return 1
  mkdir -p "$1"
  chmod 755 "$1"
  mmdebstrap --quiet --mode=root --variant=essential --include="$packages" --skip=check/empty \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt=force-unsafe-io \
    --setup-hook='mkdir -p "$1/var/cache/apt/archives"' --setup-hook="sync-in $cache/debs /var/cache/apt/archives" \
    --customize-hook="sync-out /var/cache/apt/archives $cache/debs" \
    "$suite" "$1" "$mirror"
  rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/* "$1/etc/resolv.conf"
  echo 0123456789abcdef0123456789abcdef >"$1/etc/machine-id"
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$1/etc/hosts"
  : >"$1/etc/fstab"
  local unit
  for unit in "${masked[@]}"; do ln -sf /dev/null "$1/etc/systemd/system/$unit"; done
  ln -sf /lib/systemd/system/multi-user.target "$1/etc/systemd/system/default.target"
}

# A package of a lower version with the same files, to upgrade from.
older_package() { # our package, new file
  local room
  room=$(mktemp -d -p "$(dirname "$2")")
  dpkg-deb --raw-extract "$1" "$room/x"
  sed -i 's/^Version: .*/Version: 0.0.1/' "$room/x/DEBIAN/control"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$room/x" "$2" >/dev/null
  rm -rf "$room"
}

make_image() { # root file system, modules or "", our package, image
  local room=$4.room root
  rm -rf "$room"
  mkdir -p "$room"/{upper,work,root}
  mount -t overlay -o "lowerdir=$1,upperdir=$room/upper,workdir=$room/work" bed "$room/root"
  root=$room/root
  cp -a --no-preserve=ownership "$BED/node/." "$root/"
  [ -z "$2" ] || cp -a --no-preserve=ownership "$2/lib/modules" "$root/usr/lib/"
  mkdir -p "$root"/etc/systemd/system/{sysinit,sockets,multi-user}.target.wants
  ln -s ../bed-network.service "$root/etc/systemd/system/sysinit.target.wants/"
  ln -s ../bed-control.socket "$root/etc/systemd/system/sockets.target.wants/"
  ln -s ../bed-pod.service ../bed-witness.service "$root/etc/systemd/system/multi-user.target.wants/"
  mkdir -p "$root/root/deb"
  cp "$3" "$root/root/deb/dualstackd.deb"
  older_package "$3" "$root/root/deb/older.deb"
  chroot "$root" dpkg -i --force-unsafe-io /root/deb/dualstackd.deb >/dev/null
  ln -s /usr/lib/systemd/system/dualstackd.service "$root/etc/systemd/system/multi-user.target.wants/"
  mke2fs -q -t ext4 -O ^has_journal -E lazy_itable_init=1 -L root -d "$root" "$4" 2000M >/dev/null
  umount "$root"
  rm -rf "$room"
}

image_for() { # kernel, our package: the folder with everything that boots
  local base kernel key
  key=$({ printf '%s\n' "$suite" "$packages" "${masked[@]}"; declare -f make_rootfs; } | sha256sum | cut -c1-16)
  base=$(cached "rootfs-$key" make_rootfs)
  . "$BED/lib/kernel.sh"
  kernel=$(cached "kernel-$1-$(kernel_key "$1")" "make_kernel" "$1")
  key=$(find "$BED/node" -type f -print0 | sort -z | xargs -0 cat "$2" <(declare -f make_image older_package) | sha256sum | cut -c1-16)
  key=$(printf '%s\n' "$base" "$kernel" "$key" | sha256sum | cut -c1-16)
  cached "image-$1-$key" make_image "$base" "$kernel" "$2" >/dev/null
  # Images are large and belong to one package: kept are the newest of the old ones, and those that a run may still boot from.
  find "$cache/built" -maxdepth 1 -name 'image-*' -amin +180 -printf '%A@ %p\n' | sort -rn | tail -n +2 | cut -d' ' -f2- | xargs -r rm -f
  printf '%s\n' "$cache/built/image-$1-$key:$kernel"
}
