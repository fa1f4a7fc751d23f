# Sourced inside the bed's namespaces: the same node as often as there are proxies to compare, each with its own outside world and its own pods.
# All have the same addresses, so they are never connected but by the wire to the API server, 198.51.100.0/24.

# A namespace that nobody sees from elsewhere.
space() { ip netns add "$1" && ip -n "$1" link set lo up; }

cable() { # namespace, link, namespace, link
  ip link add "$2" netns "$1" type veth peer name "$4" netns "$3"
  ip -n "$1" link set "$2" up
  ip -n "$3" link set "$4" up
}

in_node() { local node=$1; shift; ip netns exec "$node" "$@"; }

server_wire() {
  ip link set lo up
  ip link add server type bridge
  ip link set server up
  ip addr add 198.51.100.1/24 dev server
}

make_node() { # name, number
  local n=$1 pod where
  for where in "$n" "$n-out" "$n-far" "$n-pod1" "$n-pod2" "$n-pod3"; do space "$where"; done

  # The wire of nodes, in the namespace of those outside; a client of a range that some Services do not admit lives there, too.
  ip -n "$n-out" link add wire type bridge
  ip -n "$n-out" link set wire up
  ip -n "$n-out" -batch - <<END
addr add 192.0.2.1/24 dev wire
addr add 2001:db8::1/64 dev wire nodad
addr add 192.0.2.99/24 dev wire
addr add 2001:db8::99/64 dev wire nodad
END
  cable "$n-out" node "$n" eth0
  cable "$n-out" far "$n-far" eth0
  ip -n "$n-out" link set node master wire
  ip -n "$n-out" link set far master wire
  ip -n "$n-out" -batch - <<END
route add 10.96.0.0/16 via 192.0.2.11
route add fd00:96::/112 via 2001:db8::11
route add 203.0.113.0/24 via 192.0.2.11
route add 2001:db8:71::/64 via 2001:db8::11
route add 10.244.1.0/24 via 192.0.2.11
route add fd00:244:1::/64 via 2001:db8::11
END

  # The node that is compared: node-1.
  ip -n "$n" -batch - <<END
addr add 192.0.2.11/24 dev eth0
addr add 2001:db8::11/64 dev eth0 nodad
route add default via 192.0.2.1
route add default via 2001:db8::1
route add 10.244.2.0/24 via 192.0.2.12
route add fd00:244:2::/64 via 2001:db8::12
END
  # And a refusal shall always be said, however many there are.
  in_node "$n" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
    echo 0 >/proc/sys/net/ipv4/icmp_ratelimit; echo 0 >/proc/sys/net/ipv6/icmp/ratelimit
    for key in icmp_msgs_per_sec icmp_msgs_burst; do [ ! -w /proc/sys/net/ipv4/$key ] || echo 100000 >/proc/sys/net/ipv4/$key; done'

  # Another node, where no proxy is, with one pod.
  ip -n "$n-far" -batch - <<END
addr add 192.0.2.12/24 dev eth0
addr add 2001:db8::12/64 dev eth0 nodad
route add default via 192.0.2.1
route add default via 2001:db8::1
route add 10.244.1.0/24 via 192.0.2.11
route add fd00:244:1::/64 via 2001:db8::11
END
  in_node "$n-far" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'

  pod "$n" 1 1 11
  pod "$n" 1 2 12
  pod "$n-far" 2 3 2
  for pod in 1 2 3; do serve "$n-pod$pod" "web-$pod"; done
  # How it hears from the API server.
  ip link add "s-$n" type veth peer name server netns "$n"
  ip link set "s-$n" master server up
  ip -n "$n" addr add "198.51.100.1$2/24" dev server
  ip -n "$n" link set server up
}

pod() { # its node, number of the node, number of the pod, last part of its addresses
  local space=${1%-far}-pod$3
  cable "$1" "pod$3" "$space" eth0
  ip -n "$1" -batch - <<END
addr add 10.244.$2.1/32 dev pod$3
addr add fd00:244:$2::1/128 dev pod$3 nodad
route add 10.244.$2.$4/32 dev pod$3
route add fd00:244:$2::$4/128 dev pod$3
END
  ip -n "$space" -batch - <<END
addr add 10.244.$2.$4/32 dev eth0
addr add fd00:244:$2::$4/128 dev eth0 nodad
route add 10.244.$2.1 dev eth0
route add fd00:244:$2::1 dev eth0
route add default via 10.244.$2.1 dev eth0
route add default via fd00:244:$2::1 dev eth0
END
}

serve() { # namespace, name
  ip netns exec "$1" "$talk" serve "$2" 8080 &
  ip netns exec "$1" "$talk" serve "$2-other" 9090 &
}

# What kubelet of that release keeps on its node, and its kube-proxy relies on.
kubelet_rules() { # node
  local restore
  for restore in iptables-restore ip6tables-restore; do
    in_node "$1" "$restore" --noflush <<'END'
*nat
:KUBE-MARK-DROP - [0:0]
-A KUBE-MARK-DROP -j MARK --set-xmark 0x8000/0x8000
COMMIT
*filter
:KUBE-FIREWALL - [0:0]
-A KUBE-FIREWALL -m comment --comment "kubernetes firewall for dropping marked packets" -m mark --mark 0x8000/0x8000 -j DROP
-A INPUT -j KUBE-FIREWALL
-A OUTPUT -j KUBE-FIREWALL
COMMIT
END
  done
}
