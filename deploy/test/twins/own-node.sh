# Sourced by run: what dualstackd tells the API server of its node: addresses, annotations, events.

say "the node's own addresses, at the real server"
create "$here/../../rbac-node-addresses.yaml"
create "$here/objects/node-3.yaml"
node_3() { api GET /api/v1/nodes/node-3 | tr -d '\n' | sed 's/  */ /g'; }
node_3_has() { # extended regular expression
  node_3 >"$room/node-3"
  grep -qE "$1" "$room/node-3"
}
listed() { # addresses in their order, the name last
  local text='"addresses": \[' address
  for address in "$@"; do text+=' \{ "type": "InternalIP", "address": "'$address'" \},'; done
  printf '%s' "$text"' \{ "type": "Hostname", "address": "[^"]*" \} \]'
}
as_node_3() { # what --node-ips says
  ended nftables
  node_name=node-3 start_dualstackd nftables nftables --manage-node-addresses provide --node-ips "$1"
}
as_node_3 ipv6,ipv4
check "IPv6 first, then IPv4" soon 40 node_3_has "$(listed 2001:db8::11 192.0.2.11)"
check "the taint of an external cloud provider is gone" soon 10 not node_3_has uninitialized
check "no annotation of kubelet's, which could not say a family" not node_3_has provided-node-ip
as_node_3 192.0.2.11,2001:db8::11
check "the other way round after a restart with another --node-ips" soon 40 node_3_has "$(listed 192.0.2.11 2001:db8::11)"
check "kubelet's annotation has the addresses" soon 10 node_3_has '"alpha.kubernetes.io/provided-node-ip": "192.0.2.11,2001:db8::11"'
version() { node_3 | sed -E 's/.*"resourceVersion": "([0-9]+)".*/\1/'; }
before=$(version)
as_node_3 192.0.2.11,2001:db8::11
soon 40 asked nftables status >"$room/said" 2>&1 || true
sleep 3
check "nothing is written that is there" eval '[ "$before" = "$(version)" ]'
started() { api GET /apis/events.k8s.io/v1/namespaces/default/events | tr -d '\n' | grep -q '"reason": "Starting"'; }
! at_least 34 || check "the event Starting is there" soon 20 started
