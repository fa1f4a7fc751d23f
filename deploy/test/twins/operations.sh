# Sourced by run: what an operator does on a node with real kube-proxy rules, and with a real API server.

# Clients outside and in a pod that never stop, of a Service in both families.
clients() { # node
  rm -f "$room"/loop-*
  ip netns exec "$1-out" "$talk" loop "$room/loop-out" tcp/192.0.2.11/30081 tcp/2001:db8::11/30081 udp/192.0.2.11/30081 tcp/203.0.113.15/80 &
  ip netns exec "$1-pod1" "$talk" loop "$room/loop-pod" tcp/10.96.0.10/80 tcp/fd00:96::10/80 udp/10.96.0.10/80 &
}
good() { cut -d' ' -f1 "$room/loop-$1" 2>/dev/null || echo 0; }
goes_on() { [ "$(good "$1")" -ge "$2" ]; }
no_loss() {
  local where
  for where in out pod; do
    soon 20 goes_on "$where" "$(($(good "$where") + 8))" || { echo "clients of $where are stuck"; return 1; }
    cat "$room/loop-$where" "$room/loop-$where.log" 2>/dev/null || true
    [ "$(cut -d' ' -f2 "$room/loop-$where")" = 0 ] || return 1
  done
}
rules() { ip netns exec "$1" iptables-save; ip netns exec "$1" ip6tables-save; ip netns exec "$1" nft list ruleset; }
rules_of_iptables() { # without counters and what is no rule
  { ip netns exec "$1" iptables-save; ip netns exec "$1" ip6tables-save; } | grep -v '^#' | sed 's/\[[0-9:]*\]//' | grep -E '^(\*|-A|:KUBE)' | sort
}
ready() { asked "$1" status; }

say "kube-proxy's node: dualstackd takes over, in mode iptables, then nftables, and gives back"
create "$here/objects/again.yaml"
addresses web-2 10.244.1.12 fd00:244:1::12
same "a pod came back"
clients kube-proxy
check "clients are served by kube-proxy's rules" soon 20 goes_on pod 20
ended kube-proxy
start_dualstackd kube-proxy iptables
check "dualstackd is ready in its place, mode iptables" soon 60 ready kube-proxy
check "no connection was lost" no_loss
check "the rules are those of the node that always had dualstackd" diff <(rules_of_iptables kube-proxy) <(rules_of_iptables iptables)
same "taken over from kube-proxy"
ended kube-proxy
start_dualstackd kube-proxy nftables
check "ready in mode nftables" soon 60 ready kube-proxy
gone() { ! rules kube-proxy | grep -E 'KUBE-(SVC|SEP|SERVICES|NODEPORTS)'; }
check "nothing of kube-proxy's is left" soon 30 gone
check "no connection was lost" no_loss
same "in mode nftables after kube-proxy"
ended kube-proxy
start_dualstackd kube-proxy iptables
check "back in mode iptables" soon 60 ready kube-proxy
ended kube-proxy
start_kube_proxy kube-proxy
check "kube-proxy is back" soon 30 eval 'ip netns exec kube-proxy curl -s http://127.0.0.1:10256/healthz | grep -q lastUpdated'
check "no connection was lost" no_loss
touch "$room"/loop-{out,pod}.stop
same "given back to kube-proxy"

say "the API server goes while dualstackd restarts"
server_gone() { kill -TERM "$server_pid" && wait "$server_pid" || true; }
server_gone
before=$(rules nftables | sha256sum)
ended nftables
start_dualstackd nftables nftables
said() { asked "$1" status 2>&1 | tee "$evidence/$1.status" | grep -qiE "$2"; }
check "status says that the API server is away" soon 40 said nftables 'cannot|refused|not reached|unreachable|away'
check "rules are what they were" test "$before" = "$(rules nftables | sha256sum)"
start_server
check "the server is back" soon 60 api GET /readyz
check "and dualstackd ready" soon 60 ready nftables
pod_is web-3 false
same "an endpoint that went after the outage"
pod_is web-3 true

say "history that the API server has forgotten"
etcdctl_() { ETCDCTL_API=3 etcdctl --endpoints=http://127.0.0.1:2379 "$@"; }
server_gone
revision=$(etcdctl_ endpoint status --write-out=json 2>/dev/null | sed 's/.*"revision":\([0-9]*\).*/\1/')
check "etcd forgets" etcdctl_ compact "$revision"
start_server
check "the server is back" soon 60 api GET /readyz
pod_is web-2 false
same "an endpoint that went after what was forgotten"
pod_is web-2 true
same "and came back"

check "with nothing but the rights of kube-proxy it was refused nothing that it needs" not grep -lE 'WARN.*(403|[Ff]orbidden)' "$evidence/nftables.log" "$evidence/iptables.log"
check "and nothing else is worth a warning but the event that this release wants in another namespace" eval '! cat "$evidence/nftables.log" "$evidence/iptables.log" | grep -E " (WARN|ERROR) " | grep -vE "event refused reason=Starting code=422|API server (unreachable|refuses)"' 
