# Sourced by run: what an operator does on a node with real kube-proxy rules, and with a real API server.

# Clients outside and in a pod that do not stop until no_loss has asked, of a Service in both families. Between two operations there are
# none: probes want connection tracking empty, and that alone ends connections.
clients() { # node
  rm -f "$room"/loop-*
  ip netns exec "$1-out" "$talk" loop "$room/loop-out" tcp/192.0.2.11/30081 tcp/2001:db8::11/30081 udp/192.0.2.11/30081 tcp/203.0.113.15/80 &
  talkers=($!)
  ip netns exec "$1-pod1" "$talk" loop "$room/loop-pod" tcp/10.96.0.10/80 tcp/fd00:96::10/80 udp/10.96.0.10/80 &
  talkers+=($!)
}
good() { cut -d' ' -f1 "$room/loop-$1" 2>/dev/null || echo 0; }
goes_on() { [ "$(good "$1")" -ge "$2" ]; }
unharmed() {
  local where
  for where in out pod; do
    soon 20 goes_on "$where" "$(($(good "$where") + 8))" || { echo "clients of $where are stuck"; return 1; }
    cat "$room/loop-$where" "$room/loop-$where.log" 2>/dev/null || true
    [ "$(cut -d' ' -f2 "$room/loop-$where")" = 0 ] || return 1
  done
}
no_loss() {
  local lost=0
  unharmed || lost=$?
  touch "$room"/loop-{out,pod}.stop
  wait "${talkers[@]}" || true
  return "$lost"
}
served() { soon 20 goes_on out 20 && soon 20 goes_on pod 20; }
rules() { ip netns exec "$1" iptables-save; ip netns exec "$1" ip6tables-save; ip netns exec "$1" nft list ruleset; }
rules_of_iptables() { # without counters and what is no rule; and without an IPv6 KUBE-FIREWALL, which is kubelet's, who writes it for IPv4 only
  local family
  for family in iptables ip6tables; do
    ip netns exec "$1" "$family-save" | sed -nE 's/\[[0-9:]*\]//; s/^(\*|-A|:KUBE)/'"$family"' \1/p'
  done | grep -v '^ip6tables.*KUBE-FIREWALL' | sort
}
ready() { asked "$1" status; }

say "kube-proxy's node: dualstackd takes over, in mode iptables, then nftables, and gives back"
create "$here/objects/again.yaml"
addresses web-2 10.244.1.12 fd00:244:1::12
same "a pod came back"
at_least 34 && check "the rules of kube-proxy are dualstackd's to the letter, in mode iptables" diff <(rules_of_iptables kube-proxy) <(rules_of_iptables iptables)
clients kube-proxy
check "clients are served by kube-proxy's rules" served
ended kube-proxy
start_dualstackd kube-proxy iptables
check "dualstackd is ready in its place, mode iptables" soon 60 ready kube-proxy
check "no connection was lost" no_loss
check "the rules are those of the node that always had dualstackd" diff <(rules_of_iptables kube-proxy) <(rules_of_iptables iptables)
same "taken over from kube-proxy"
clients kube-proxy
check "clients are served in mode iptables" served
ended kube-proxy
start_dualstackd kube-proxy nftables
check "ready in mode nftables" soon 60 ready kube-proxy
gone() { ! rules kube-proxy | grep -E 'KUBE-(SVC|SEP|SERVICES|NODEPORTS)'; }
check "nothing of kube-proxy's is left" soon 30 gone
check "no connection was lost" no_loss
at_least 34 && twins=([kube-proxy]=kube-nftables)
same "in mode nftables after kube-proxy"
clients kube-proxy
check "clients are served in mode nftables" served
ended kube-proxy
start_dualstackd kube-proxy iptables
check "back in mode iptables" soon 60 ready kube-proxy
ended kube-proxy
start_kube_proxy kube-proxy iptables
check "kube-proxy is back" soon 30 eval 'ip netns exec kube-proxy curl -s http://127.0.0.1:10256/healthz | grep -q lastUpdated'
check "no connection was lost" no_loss
at_least 34 && twins=([iptables]=kube-proxy [nftables]=kube-nftables)
# Chains that came with 1.24: nothing leads to them any more, but release 1.20 could never delete a chain that they lead to.
unknown_chains() { # iptables or ip6tables
  local step chain
  ip netns exec kube-proxy "$1" -w -t nat -S | sed -nE 's/^-N (KUBE-(EXT|SVL)-.*)/\1/p' >"$room/unknown"
  for step in -F -X; do while read -r chain; do ip netns exec kube-proxy "$1" -w -t nat "$step" "$chain" || return 1; done <"$room/unknown"; done
  [ -s "$room/unknown" ]
}
if ! at_least 24; then
  check "nothing of kube-proxy's leads to the chains that it does not know (IPv4)" unknown_chains iptables
  check "nothing of kube-proxy's leads to the chains that it does not know (IPv6)" unknown_chains ip6tables
fi
same "given back to kube-proxy"
check "with nothing but the rights of kube-proxy it was refused nothing that it needs" not grep -lE 'WARN.*(403|[Ff]orbidden)' "$evidence/nftables.log" "$evidence/iptables.log"

if at_least 34; then
  say "kube-proxy's node in mode nftables: dualstackd takes over, and gives back"
  tables() { ip netns exec kube-nftables nft list tables | awk '{ print $3 }' | sort -u | tr '\n' ' '; }
  are_tables() { [ "$(tables)" = "$1" ]; }
  clients kube-nftables
  check "clients are served by kube-proxy's table" served
  ended kube-nftables
  start_dualstackd kube-nftables nftables
  check "dualstackd is ready in its place" soon 60 ready kube-nftables
  check "kube-proxy's table is gone" soon 20 are_tables "dualstackd "
  check "no connection was lost" no_loss
  twins=([kube-nftables]=nftables)
  same "taken over from kube-proxy in mode nftables"
  twins=([iptables]=kube-proxy [nftables]=kube-nftables)
  clients kube-nftables
  check "clients are served in mode nftables" served
  ended kube-nftables
  start_kube_proxy kube-nftables nftables
  # It calls itself healthy before it has written anything.
  written() { ip netns exec kube-nftables nft list map "$1" kube-proxy service-ips | grep -qF "$2"; }
  check "kube-proxy is back" soon 90 eval 'written ip 10.96.0.10 && written ip6 fd00:96::10'
  for family in ip ip6; do ip netns exec kube-nftables nft delete table "$family" dualstackd; done
  check "no connection was lost" no_loss
  same "given back to kube-proxy in mode nftables"
fi

say "the API server goes while dualstackd restarts"
server_gone() { kill -TERM "$server_pid" && wait "$server_pid" || true; }
server_gone
lasting() { ip netns exec nftables nft -s list ruleset | sed 's/ expires [^ ,}]*//g'; }
lasting >"$evidence/nftables.before"
ended nftables
start_dualstackd nftables nftables
said() { # node, what: the command fails while the node is not healthy
  asked "$1" status >"$evidence/$1.status" 2>&1 || true
  grep -qE "$2" "$evidence/$1.status"
}
check "status says that the API server is away" soon 40 said nftables 'no updates: since .* rules stay as they are'
check "rules are what they were" diff "$evidence/nftables.before" <(lasting)
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

check "and nothing else is worth a warning but the event that this release wants in another namespace" eval '! cat "$evidence/nftables.log" "$evidence/iptables.log" | grep -E " (WARN|ERROR) " | grep -vE "event refused reason=Starting code=422|API server (unreachable|refuses)|events cannot be sent, they are kept"' 
