# Sourced by inside: the network between the control plane, which is also the client from outside, and the nodes.

# Clients of load balancers come from addresses of no network that the nodes are in: 198.51.100.1 and 2001:db8:1::1.
wire_control() {
  ip link set lo up
  ip link add name wire0 type bridge
  ip link set wire0 up
  case "$families" in
    *IPv4*)
      ip addr add 192.0.2.1/24 dev wire0
      ip addr add 198.51.100.1/32 dev lo
      ;;
  esac
  case "$families" in
    *IPv6*)
      ip addr add 2001:db8::1/64 dev wire0 nodad
      ip addr add 2001:db8:1::1/128 dev lo
      ;;
  esac
  # A balancer chooses a node for each connection, not for each client.
  echo 1 >/proc/sys/net/ipv4/fib_multipath_hash_policy
  echo 1 >/proc/sys/net/ipv6/fib_multipath_hash_policy
  mount_settings
}

# What a process of the cluster would set for the whole machine goes into files of the cluster's.
mount_settings() {
  local key
  for key in kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes vm/overcommit_memory vm/panic_on_oom; do
    [ -e "/proc/sys/$key" ] || continue
    mkdir -p "$room/sys/$(dirname "$key")"
    cat "/proc/sys/$key" >"$room/sys/$key"
    mount --bind "$room/sys/$key" "/proc/sys/$key"
  done
}

cable() { # number of the node
  local node=node-$1
  ip link add "n$1" type veth peer name eth0 netns "$(cat "$room/$node.pid")"
  ip link set "n$1" master wire0 up
  "$room/on" "$node" ip link set lo up
  "$room/on" "$node" ip link set eth0 up
  case "$families" in
    *IPv4*)
      "$room/on" "$node" ip addr add "192.0.2.1$1/24" dev eth0
      "$room/on" "$node" ip route add default via 192.0.2.1
      ;;
  esac
  case "$families" in
    *IPv6*)
      "$room/on" "$node" ip addr add "2001:db8::1$1/64" dev eth0 nodad
      "$room/on" "$node" ip route add default via 2001:db8::1
      ;;
  esac
  "$room/on" "$node" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
}

# The pods of a node are behind the node, for the control plane and for the other nodes.
wire_node() { # number
  local node=node-$1 other cidr via ranges=
  soon 60 node_cidrs "$node"
  for cidr in $(node_cidrs "$node"); do
    case "$cidr" in *:*) via=2001:db8::1$1 ;; *) via=192.0.2.1$1 ;; esac
    ip route replace "$cidr" via "$via"
    for other in $(numbers); do [ "$other" = "$1" ] || "$room/on" "node-$other" ip route replace "$cidr" via "$via"; done
    ranges+="${ranges:+, }[{\"subnet\": \"$cidr\"}]"
  done
  local routes='{"dst": "0.0.0.0/0"}, {"dst": "::/0"}'
  case "$families" in
    IPv4) routes='{"dst": "0.0.0.0/0"}' ;;
    IPv6) routes='{"dst": "::/0"}' ;;
  esac
  cat >"$room/$node.conflist" <<END
{
  "cniVersion": "0.4.0", "name": "cluster",
  "plugins": [
    {"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false, "hairpinMode": true,
     "ipam": {"type": "host-local", "dataDir": "/run/cni/data", "ranges": [$ranges], "routes": [$routes]}},
    {"type": "portmap", "capabilities": {"portMappings": true}}
  ]
}
END
  # containerd hears of a file that is written, or renamed within the folder; not of one that is moved into it.
  "$room/on" "$node" sh -c "mkdir -p /run/cni/net.d /run/cni/data; cat >/run/cni/net.d/part; mv /run/cni/net.d/part /run/cni/net.d/10-cluster.conflist" <"$room/$node.conflist"
}

node_cidrs() { # node
  local found
  found=$(k get node "$1" -o 'jsonpath={.spec.podCIDRs[*]}' 2>/dev/null) || return 1
  [ -n "$found" ] && echo "$found"
}
