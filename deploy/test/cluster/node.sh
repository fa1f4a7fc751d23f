# Sourced by inside: a node, with containerd and kubelet.

start_node() { # number
  local node=node-$1
  rm -f "$room/$node.pid"
  unshare --net --mount --uts --propagation private sh -c "echo \$\$ >$room/$node.pid; exec sleep infinity" &
  soon 5 test -s "$room/$node.pid"
  # Its own folders; the cluster's own stay in sight.
  "$room/on" "$node" sh -c "hostname $node
    mkdir -p /run/cluster && mount -t tmpfs lib /var/lib && mount -t tmpfs log /var/log
    mkdir -p $room/$node && mount --bind $room /mnt && mount -t tmpfs run /run && mkdir /run/cluster && mount --move /mnt /run/cluster
    mount --make-shared /run && mount --make-shared /var/lib
    mkdir -p /run/lock /run/manifests /run/containerd /var/lib/kubelet /var/lib/containerd /var/log/pods /var/log/containers /run/dualstackd /var/lib/dualstackd
    echo 'nameserver 192.0.2.254' >/run/resolv.conf"
  cable "$1"
  containerd_config "$node"
  "$room/on" "$node" env PATH="$PATH" containerd --config "$room/$node/containerd.toml" >>"$evidence/$node-containerd" 2>&1 &
  soon 30 quietly "$room/on" "$node" "$(command -v ctr)" version
  "$room/on" "$node" "$(command -v ctr)" -n k8s.io images import --no-unpack "$cache/images.tar" >>"$evidence/$node-images" 2>&1
  [ "$proxy" != dualstackd ] || [ "$shape" != daemonset ] ||
    "$room/on" "$node" "$(command -v ctr)" -n k8s.io images import "$image" >>"$evidence/$node-images" 2>&1
  kubelet_config "$node" "$1"
  start_kubelet "$1"
  start_sshd "$node"
}

# For the tests that change a node by its shell, where the machine has sshd: root of the control plane is let in, with a key of this cluster.
start_sshd() { # node
  command -v sshd >/dev/null || return 0
  mkdir -p "$room/bin"
  [ -e "$room/pki/ssh" ] || ssh-keygen -q -t ed25519 -N '' -f "$room/pki/ssh"
  # Root already is what these tests ask for.
  printf '#!/bin/sh\nexec "$@"\n' >"$room/bin/sudo"
  chmod +x "$room/bin/sudo"
  cat >"$room/$1/sshd" <<END
Port 22
HostKey $room/pki/ssh
AuthorizedKeysFile $room/pki/ssh.pub
PidFile none
UsePAM no
StrictModes no
PermitRootLogin prohibit-password
SetEnv PATH=$room/bin:/usr/sbin:/usr/bin:/sbin:/bin
END
  "$room/on" "$1" sh -c 'mkdir -p /run/sshd; exec "$@"' sh "$(command -v sshd)" -D -e -f "$room/$1/sshd" >>"$evidence/$1-sshd" 2>&1 &
}

start_kubelet() { # number
  local node=node-$1 addresses
  local -a provider=()
  addresses=$(of_families "192.0.2.1$1" "2001:db8::1$1")
  if [ -n "$provide" ]; then provider=(--cloud-provider=external); else provider=(--node-ip "$addresses"); fi
  "$room/on" "$node" env PATH="$PATH" kubelet --config "$room/$node/kubelet.yaml" --kubeconfig "$room/pki/$node.conf" --hostname-override "$node" \
    --root-dir /var/lib/kubelet --cert-dir "$room/$node" "${provider[@]}" >>"$evidence/$node-kubelet" 2>&1 &
  echo $! >"$room/$node-kubelet.pid"
}

containerd_config() { # node
  cat >"$room/$1/containerd.toml" <<END
version = 3
root = "/var/lib/containerd"
state = "/run/containerd"
oom_score = 0
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.blockfile", "io.containerd.snapshotter.v1.erofs", "io.containerd.nri.v1.nri", "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "/var/lib/containerd-opt"
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "$(sed -n '/pause/{p;q}' "$cache/names")"
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true
  disable_apparmor = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["/usr/lib/cni"]
    conf_dir = "/run/cni/net.d"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      BinaryName = "$here/runc"
      Root = "/run/runc"
      SystemdCgroup = false
END
}

kubelet_config() { # node, number
  cat >"$room/$1/kubelet.yaml" <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
localStorageCapacityIsolation: false
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
staticPodPath: /run/manifests
resolvConf: /run/resolv.conf
clusterDNS: ["$dns"]
clusterDomain: cluster.local
evictionHard: {memory.available: 1Mi, nodefs.available: 1%, imagefs.available: 1%, nodefs.inodesFree: 1%}
nodeStatusUpdateFrequency: 4s
syncFrequency: 10s
fileCheckFrequency: 2s
maxPods: 250
registryPullQPS: 0
serializeImagePulls: false
END
}
