# Sourced inside the bed's namespaces: the wire, and nodes on it.

wire() {
  ip link set lo up
  ip link add wire type bridge
  ip link set wire up
  ip addr add 192.0.2.1/24 dev wire
  ip addr add 2001:db8::1/64 dev wire nodad
  # How the bed talks to the nodes, away from what is tested.
  ip link add control type bridge
  ip link set control up
  ip addr add 169.254.77.1/24 dev control
  # The world beyond: addresses of load balancers and external ones come in over node 1.
  ip route add 203.0.113.0/24 via 192.0.2.11
  ip route add 2001:db8:71::/64 via 2001:db8::11
  local n
  for n in $(seq "$NODES"); do
    ip tuntap add mode tap name "n$n"
    ip link set "n$n" master wire up
    ip tuntap add mode tap name "c$n"
    ip link set "c$n" master control up
  done
}

boot() { # node, mode, words for the kernel: in the background; its console goes to a file
  local n=$1 words
  words="root=$([ "$KERNEL" = uml ] && echo /dev/ubda || echo /dev/nvme0n1) rootfstype=ext4 rw quiet systemd.show_status=0 audit=0 net.ifnames=0 panic=-1"
  words+=" bed.node=$n bed.nodes=$NODES bed.mode=$2 ${3:-}"
  # shellcheck disable=SC2086
  case "$KERNEL" in
    uml)
      TMPDIR=$room linux.uml mem=768M "umid=node$n" "uml_dir=$room/" "ubd0=$room/disk$n,$IMAGE" $words \
        con0=null,fd:1 con=null ssl=null \
        "vec0:transport=tap,ifname=n$n,mac=02:00:00:00:00:1$n" "vec1:transport=tap,ifname=c$n,mac=02:00:00:00:01:1$n" \
        >>"$EVIDENCE/console-$n" 2>&1 </dev/null & ;;
    *)
      [ -e "$room/disk$n" ] || qemu-img create -q -f qcow2 -F raw -b "$IMAGE" "$room/disk$n"
      # shellcheck disable=SC2046
      qemu-system-x86_64 -name "node-$n" -machine q35 $(accelerator) -smp 1 -m 1024 -display none -nodefaults -no-user-config \
        -chardev "file,id=serial,path=$EVIDENCE/console-$n,append=on" -serial chardev:serial -kernel "$KERNEL_FOLDER/kernel" \
        -append "console=ttyS0 $words mitigations=off nokaslr no_timer_check" \
        -drive "file=$room/disk$n,if=none,id=disk,format=qcow2,cache=unsafe" -device nvme,drive=disk,serial=bed \
        -netdev "tap,id=n,ifname=n$n,script=no,downscript=no" -device "virtio-net-pci,netdev=n,mac=02:00:00:00:00:1$n,romfile=" \
        -netdev "tap,id=c,ifname=c$n,script=no,downscript=no" -device "virtio-net-pci,netdev=c,mac=02:00:00:00:01:1$n,romfile=" \
        -device virtio-rng-pci -monitor none >>"$EVIDENCE/console-$n" 2>&1 </dev/null & ;;
  esac
  echo $! >"$room/vm-$n"
}

accelerator() {
  if [ -e "$room/kvm" ]; then echo "-cpu host -accel kvm"; else echo "-cpu max -accel tcg,thread=multi,tb-size=256"; fi
}

# Hardware virtualisation is used only where this kernel gets as far as looking for its root with it; a /dev/kvm alone says little.
try_kvm() {
  [ -w /dev/kvm ] || return 0
  (timeout -s KILL 10 qemu-system-x86_64 -machine q35 -cpu host -accel kvm -m 512 -display none -nodefaults -no-user-config -no-reboot \
    -kernel "$KERNEL_FOLDER/kernel" -append "console=ttyS0 root=/dev/none panic=-1" -serial "file:$room/try" || :) >/dev/null 2>&1 </dev/null
  ! grep -q 'Unable to mount root' "$room/try" 2>/dev/null || touch "$room/kvm"
}

# The folder of the bed while it runs. In memory, and gone with the namespace.
make_room() {
  room=/run/bed
  mount -t tmpfs tmpfs /run
  mkdir -p "$room"
}

runs() { # node: does its machine run
  [ -e "$room/vm-$1" ] && kill -0 "$(cat "$room/vm-$1")" 2>/dev/null
}

# off NODE...: they end in order, or the hard way when that takes too long.
off() {
  local n
  for n in "$@"; do on "$n" 'systemctl --no-wall poweroff' >/dev/null 2>&1 & done
  for n in "$@"; do
    soon 20 not runs "$n" || kill -KILL "$(cat "$room/vm-$n")" || true
    rm -f "$room/vm-$n"
  done
}

# Off in order, and on again. A tap stays busy when user-mode Linux starts itself again, so it is a new machine with the old disk.
reboot_node() { # node, mode, words for the kernel
  off "$1"
  boot "$@"
  booted "$1"
}
