# Sourced: the Services of the scenarios, as manifests.

# put NODE NAME: the manifest from standard input replaces /etc/dualstackd/manifests/NAME.yaml at once.
put() {
  local text
  text=$(cat)
  on "$1" "cat >/etc/dualstackd/manifests/.$2 <<'MANIFEST'
$text
MANIFEST
mv /etc/dualstackd/manifests/.$2 /etc/dualstackd/manifests/$2.yaml"
}

slices() { # service, port lines, node numbers...: an EndpointSlice per family with the pods of these nodes
  local service=$1 ports=$2 family n
  shift 2
  for family in 4 6; do
    printf -- '---\napiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: %s-%s, namespace: demo, labels: {kubernetes.io/service-name: %s}}\n' \
      "$service" "$family" "$service"
    printf 'addressType: IPv%s\nports: %s\nendpoints:\n' "$family" "$ports"
    for n in "$@"; do
      printf -- '- {addresses: ["%s"], nodeName: node-%s, conditions: {ready: true}}\n' \
        "$([ "$family" = 4 ] && echo "10.244.$n.2" || echo "fd00:244:$n::2")" "$n"
    done
  done
}

# "web": every pod, every kind of address, TCP and UDP.
web() { # node numbers with endpoints
  cat <<'END'
apiVersion: v1
kind: Service
metadata: {name: web, namespace: demo}
spec:
  type: NodePort
  ipFamilyPolicy: RequireDualStack
  ipFamilies: [IPv4, IPv6]
  clusterIP: 10.96.0.10
  clusterIPs: [10.96.0.10, "fd00:96::10"]
  externalIPs: [203.0.113.10, "2001:db8:71::10"]
  ports:
  - {name: tcp, protocol: TCP, port: 80, targetPort: 8080, nodePort: 30080}
  - {name: udp, protocol: UDP, port: 80, targetPort: 8080, nodePort: 30080}
END
  slices web '[{name: tcp, protocol: TCP, port: 8080}, {name: udp, protocol: UDP, port: 8080}]' "$@"
}

# "near": external traffic stays on the node that it reached.
near() { # node numbers with endpoints
  cat <<'END'
apiVersion: v1
kind: Service
metadata: {name: near, namespace: demo}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  healthCheckNodePort: 30099
  ipFamilyPolicy: RequireDualStack
  ipFamilies: [IPv4, IPv6]
  clusterIP: 10.96.0.20
  clusterIPs: [10.96.0.20, "fd00:96::20"]
  ports:
  - {name: tcp, protocol: TCP, port: 80, targetPort: 8080, nodePort: 30081}
status: {loadBalancer: {ingress: [{ip: 203.0.113.20}, {ip: "2001:db8:71::20"}]}}
END
  slices near '[{name: tcp, protocol: TCP, port: 8080}]' "$@"
}

# "signal": every kind of address, over SCTP.
signal() { # node numbers with endpoints
  cat <<'END'
apiVersion: v1
kind: Service
metadata: {name: signal, namespace: demo}
spec:
  type: LoadBalancer
  ipFamilyPolicy: RequireDualStack
  ipFamilies: [IPv4, IPv6]
  clusterIP: 10.96.0.30
  clusterIPs: [10.96.0.30, "fd00:96::30"]
  externalIPs: [203.0.113.30, "2001:db8:71::30"]
  ports:
  - {name: sctp, protocol: SCTP, port: 3868, targetPort: 8132, nodePort: 30082}
status: {loadBalancer: {ingress: [{ip: 203.0.113.31}, {ip: "2001:db8:71::31"}]}}
END
  slices signal '[{name: sctp, protocol: SCTP, port: 8132}]' "$@"
}

every_node() { seq "$NODES" | tr '\n' ' '; }

# The two on all nodes, and in force there.
services() {
  local n
  for n in $(every_node); do
    # shellcheck disable=SC2046
    (web $(every_node) | put "$n" web && near $(every_node) | put "$n" near) &
  done
  wait
  together
  for n in $(every_node); do check "node $n has two Services in force" soon 30 status_says "$n" "IPv4 and IPv6 in force; 2 services"; done
  apart
  # To verify the scenarios themselves: they must fail without what this command removes on the nodes.
  [ -z "${DUALSTACKD_VM_SABOTAGE:-}" ] || each "$DUALSTACKD_VM_SABOTAGE"
  check "by rules of mode $MODE and no other" eval 'is "$(on 1 /usr/lib/bed/modes)" "$MODE"'
}
