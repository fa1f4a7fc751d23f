# Sourced: what is asked of every node. Lines are "PROTO ADDRESS PORT [SOURCE]".

services=$(seq 10 25) node_ports=$(seq 30080 30092) outer_ips='10 11 15 16 17 18 20' health_ports='30098 30099'
if at_least 34; then
  services=$(seq 10 41) node_ports="$(seq 30080 30097) $(seq 30100 30107)" outer_ips="$outer_ips 31 32 33" health_ports="$health_ports 30109"
fi

to_cluster_ips() { # and the second port of one of them
  local n proto
  printf '%s\n' 'tcp 10.96.0.10 81' 'tcp fd00:96::10 81'
  for n in $services; do for proto in tcp udp; do echo "$proto 10.96.0.$n 80"; echo "$proto fd00:96::$n 80"; done; done; }
# Ports of theirs that no Service has: mode nftables refuses them, as kube-proxy's does; in mode iptables they go wherever routes lead.
to_other_ports() {
  local address
  for address in 10.96.0.10 fd00:96::10; do printf '%s\n' "tcp $address 82" "udp $address 81"; done
  printf '%s\n' 'tcp 10.96.0.14 8080' 'tcp fd00:96::14 8080' 'tcp 10.96.77.77 80' 'tcp fd00:96::7777 80'
}
unserved_refused() {
  local from said
  for from in nftables-out nftables nftables-pod1; do
    said=$(to_other_ports | grep -v 77 | ip netns exec "$from" "$probe")
    [ "$(grep -c ': refused$' <<<"$said")" = 6 ] || { echo "from $from:"; echo "$said"; return 1; }
  done
}
to_node_ports() { # ADDRESS...
  local port proto address
  for address in "$@"; do for port in $node_ports; do for proto in tcp udp; do echo "$proto $address $port"; done; done; done
}
to_outer_ips() { # [SOURCE for IPv4, for IPv6]
  local n proto
  for n in $outer_ips; do for proto in tcp udp; do echo "$proto 203.0.113.$n 80${1:+ $1}"; echo "$proto 2001:db8:71::$n 80${2:+ $2}"; done; done
}

# Everyone who can send a packet, and all they send.
probes_from() { # where
  case "$1" in
    out)
      to_cluster_ips
      to_node_ports 192.0.2.11 2001:db8::11
      to_outer_ips
      to_outer_ips 192.0.2.99 2001:db8::99 ;;
    node) to_cluster_ips; to_node_ports 192.0.2.11 2001:db8::11 127.0.0.1; to_outer_ips ;;
    pod1 | pod2) to_cluster_ips; to_node_ports 192.0.2.11 2001:db8::11; to_outer_ips ;;
    # Its own node has no proxy that would know a ClusterIP.
    pod3) to_node_ports 192.0.2.11 2001:db8::11 ;;
  esac
}

# What is known to be otherwise, and left out of the comparison:
# - release 1.20 does not serve external IPs to the node itself, as all have since;
# - in mode nftables, as in kube-proxy's own, the first addresses of the node have node ports, loopback has none; and the node itself is refused, too,
#   where a Service has no endpoints, not only others; and who is not admitted to an address is dropped, whether there are endpoints or not;
#   and a pod of another node that comes back to itself over a node port that keeps the client gets no answer (docs/decisions.md).
comparable() { # node, twin: from what was seen on one of them
  local left_out=()
  at_least 34 || left_out+=(-e 's/^(node: ... (203\.0\.113\.1[01]|2001:db8:71::1[01]) 80): .*/\1: whatever/')
  if [ "${runs[$1]}" != "${runs[$2]}" ]; then
    left_out+=(
      -e 's/^(pod3: ... [0-9a-f.:]+ 3008[01246]): .*/\1: whatever/'
      -e 's/^(node: ... 127\.0\.0\.1 [0-9]+): .*/\1: whatever/'
      -e 's/^((node: ... (203\.0\.113\.|2001:db8:71::)[0-9]+ 80)|([a-z0-9]+: ... (203\.0\.113\.|2001:db8:71::)17 80[^:]*( 2001:[0-9a-f:]*)?)): (refused|silent)$/\1: refused or silent/'
    )
  fi
  sed -E "${left_out[@]}" -e ''
}

health() { # node: what the health ports tell a load balancer
  local port
  for port in $health_ports; do
    printf 'health: tcp 192.0.2.11 %s: ' "$port"
    ip netns exec "$1-out" curl -s -m 3 -o /dev/null -w '%{http_code}\n' "http://192.0.2.11:$port/" || true
  done
}

# One of several is another one on each node: who is chosen is chance, that it is one is not.
probed() { # node, result, "all" or a file of probes
  local from space pids=()
  for from in out node pod1 pod2 pod3; do
    space=$1-$from
    [ "$from" != node ] || space=$1
    asked_of "$from" "$3" | ip netns exec "$space" "$probe" | sed "s/^/$from: /" >"$2.$from" &
    pids+=($!)
  done
  for from in "${pids[@]}"; do wait "$from"; done
  {
    for from in out node pod1 pod2 pod3; do cat "$2.$from"; done |
      sed -E '/ ((10\.96\.0\.|fd00:96::)(14|19) 80|(203\.0\.113\.|2001:db8:71::)10 80|[0-9a-f.:]+ 30087) *:/ s/answered by web-[123] as [^ ,]*$/answered by one/'
    health "$1"
  } | sort >"$2"
  rm -f "$2".*
}
asked_of() { # from, "all" or a file of probes
  if [ "$2" = all ]; then probes_from "$1"; else sed -n "s/^$1: \(.*\):\$/\1/p" "$2"; fi
}
