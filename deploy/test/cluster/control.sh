# Sourced by inside: the control plane, and how to speak to it.

k() { kubectl --kubeconfig "$room/pki/admin.conf" "$@"; }

start_control() {
  local pki=$room/pki
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=cluster \
    -addext 'subjectAltName=IP:192.0.2.1,IP:2001:db8::1,IP:127.0.0.1,IP:10.96.0.1,IP:fd00:10:96::1,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,DNS:localhost' \
    -keyout "$pki/key" -out "$pki/crt" 2>/dev/null
  openssl genrsa -out "$pki/accounts" 2048 2>/dev/null
  # token, user, uid, groups
  cat >"$pki/tokens" <<'END'
admin,admin,1,system:masters
proxy,system:kube-proxy,2
END
  for number in $(numbers); do echo "node-$number,system:node:node-$number,$((number + 2)),system:nodes" >>"$pki/tokens"; done
  kubeconfig admin admin
  kubeconfig proxy proxy
  for number in $(numbers); do kubeconfig "node-$number" "node-$number"; done

  mkdir -p "$room/etcd"
  etcd --data-dir "$room/etcd" --unsafe-no-fsync --listen-peer-urls= >"$evidence/etcd" 2>&1 &
  start_server
  soon 60 quietly k get --raw /readyz
  kube-controller-manager --kubeconfig "$pki/admin.conf" --service-account-private-key-file "$pki/accounts" --root-ca-file "$pki/crt" \
    --leader-elect=false --use-service-account-credentials --allocate-node-cidrs --cluster-cidr "$pods" --service-cluster-ip-range "$services" \
    $(masks) --cert-dir "$pki" >"$evidence/controllers" 2>&1 &
  kube-scheduler --kubeconfig "$pki/admin.conf" --leader-elect=false --cert-dir "$pki" >"$evidence/scheduler" 2>&1 &
}

masks() {
  case "$families" in *,*) echo --node-cidr-mask-size-ipv4=24 --node-cidr-mask-size-ipv6=64 ;; IPv4) echo --node-cidr-mask-size=24 ;; IPv6) echo --node-cidr-mask-size=64 ;; esac
}

start_server() {
  local pki=$room/pki
  kube-apiserver --etcd-servers=http://127.0.0.1:2379 --service-cluster-ip-range="$services" --authorization-mode=Node,RBAC \
    --enable-admission-plugins=NodeRestriction --token-auth-file "$pki/tokens" --service-account-issuer=https://kubernetes.default.svc.cluster.local \
    --service-account-signing-key-file "$pki/accounts" --service-account-key-file "$pki/accounts" --tls-cert-file "$pki/crt" --tls-private-key-file "$pki/key" \
    --client-ca-file "$pki/crt" --cert-dir "$pki" --bind-address=:: --advertise-address="$(tr -d '[]' <<<"$host")" --allow-privileged \
    --kubelet-preferred-address-types=InternalIP >>"$evidence/apiserver" 2>&1 &
  echo $! >"$room/server.pid"
}

server_gone() { ! (exec 3<>/dev/tcp/127.0.0.1/6443) 2>/dev/null; }

# Upstream's test of an API server that restarts deletes a pod with its label, and waits until there is another. Deleting this one ends the server at
# once. New connections wait until it is back instead of being refused, because that test takes its first request afterwards for the answer.
start_server_pod() {
  local found pod='apiVersion: v1
kind: Pod
metadata: {name: kube-apiserver, namespace: kube-system, labels: {component: kube-apiserver}}
spec:
  terminationGracePeriodSeconds: 0
  tolerations: [{operator: Exists}]
  containers: [{name: pause, image: "cluster-test/agnhost:1"}]'
  while soon 300 quietly k apply -f - <<<"$pod"; do
    until found=$(k get pod kube-apiserver -n kube-system --ignore-not-found -o name) && [ -z "$found" ]; do
      quietly k wait pod/kube-apiserver -n kube-system --for=delete --timeout=1h || sleep 1
    done
    # The test looks for the pods once more right after it has deleted them.
    sleep 0.5
    nft -f - <<'END'
table inet restart {
  chain input {
    type filter hook input priority 0
    ip daddr 192.0.2.1 tcp dport 6443 tcp flags & (syn | ack) == syn drop
    ip6 daddr 2001:db8::1 tcp dport 6443 tcp flags & (syn | ack) == syn drop
  }
}
END
    kill -KILL "$(cat "$room/server.pid")"
    # Its port is free when the kernel has taken the process apart, which takes a moment.
    soon 10 server_gone
    start_server
    soon 120 quietly curl -skf -H 'Authorization: Bearer admin' https://127.0.0.1:6443/readyz
    nft delete table inet restart
    echo "$(date -u +%T) the API server was ended and started again"
  done
}

kubeconfig() { # name, token
  cat >"$room/pki/$1.conf" <<END
apiVersion: v1
kind: Config
clusters: [{name: cluster, cluster: {server: "$server", certificate-authority: $room/pki/crt}}]
users: [{name: me, user: {token: $2}}]
contexts: [{name: cluster, context: {cluster: cluster, user: me}}]
current-context: cluster
END
}

quietly() { "$@" >/dev/null 2>&1; }

nodes_ready() { [ "$(k get nodes -o 'jsonpath={range .items[*]}{.status.conditions[?(@.type=="Ready")].status} {end}')" = "$(for number in $(numbers); do printf 'True '; done)" ]; }
nodes_have_addresses() { [ "$(k get nodes -o 'jsonpath={range .items[*]}{.status.addresses[?(@.type=="InternalIP")].type} {end}' | wc -w)" -ge 2 ]; }

label_zones() { for number in $(numbers); do quietly k label node "node-$number" "topology.kubernetes.io/zone=zone-$(((number - 1) % 3 + 1))"; done; }

# CoreDNS beside the API server, behind a Service without a selector.
start_dns() {
  local address
  [ -x "$kubernetes/coredns" ] || { say "no DNS: there is no program coredns in $kubernetes"; return; }
  cat >"$room/Corefile" <<END
.:53 {
    errors
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        kubeconfig $room/pki/admin.conf
        pods insecure
        ttl 5
    }
    cache 5
}
END
  coredns -conf "$room/Corefile" >"$evidence/coredns" 2>&1 &
  address=192.0.2.1
  case "$dns" in *:*) address=2001:db8::1 ;; esac
  k apply -f - <<END
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system, labels: {k8s-app: kube-dns}}
spec:
  clusterIP: "$dns"
  ports: [{name: dns, protocol: UDP, port: 53}, {name: dns-tcp, protocol: TCP, port: 53}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kube-dns, namespace: kube-system, labels: {kubernetes.io/service-name: kube-dns, endpointslice.kubernetes.io/managed-by: cluster}}
addressType: $(case "$address" in *:*) echo IPv6 ;; *) echo IPv4 ;; esac)
ports: [{name: dns, protocol: UDP, port: 53}, {name: dns-tcp, protocol: TCP, port: 53}]
endpoints: [{addresses: ["$address"], conditions: {ready: true}}]
END
  say "CoreDNS"
}
