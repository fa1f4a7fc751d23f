# Sourced by run, for releases from 1.34 on: what people and programs read of a proxy, besides its rules.

page() { ip netns exec "$1" curl -s --max-time 5 "http://127.0.0.1:$2"; }
# A metric's samples without values, types as they are, and buckets' bounds as numbers, however they are written.
samples() { # node, pattern of names
  page "$1" 10249/metrics | grep -E "^$2" | sed -E '/^#/!s/ [^ ]+$//; s/(le="[0-9]+)\.0"/\1"/' | sort
}
same_metrics() { # node, its twin
  local of
  for of in type:'# TYPE kubeproxy_' sample:kubeproxy_; do
    comm -13 <(samples "$1" "${of#*:}") <(samples "$2" "${of#*:}") | grep . >"$room/missing" && { cat "$room/missing"; return 1; }
  done
  [ "$(samples "$2" kubeproxy_ | wc -l)" -gt 300 ]
}
keys() { grep -oE '"[A-Za-z0-9]+":' | sort -u; }
same_answers() { # node, its twin
  diff <(page "$1" 10249/proxyMode) <(page "$2" 10249/proxyMode) || return 1
  local path
  for path in healthz livez; do
    page "$2" "10256/$path" | grep -q '"healthy":true' || { echo "no health page of $2"; return 1; }
    diff <(page "$1" "10256/$path" | keys) <(page "$2" "10256/$path" | keys) || return 1
  done
}
# Each reads what the other writes, and means the same by it.
same_configuration() { # mode
  local first=$room/config-first again=$room/config-again
  "$kubernetes/kube-proxy" --proxy-mode "$1" --cluster-cidr 10.244.0.0/16,fd00:244::/32 --write-config-to "$first" 2>"$room/said" &&
    "$program" run --config "$first" --write-config-to "$again" &&
    "$kubernetes/kube-proxy" --config "$again" --write-config-to "$first.again" 2>"$room/said" &&
    diff <(meant "$first") <(meant "$first.again")
}
# Nothing and an empty list are the same; of the modes that are not on, kube-proxy leaves periods at 0.
meant() { grep -vE '^ +(splitStream|syncPeriod|minSyncPeriod):' "$1" | sed 's/: null$/: []/'; }
# Flags of kube-proxy that dualstackd does not take.
same_flags() {
  "$kubernetes/kube-proxy" --help | grep -q -- --proxy-mode || { echo "no help of kube-proxy"; return 1; }
  comm -23 <("$kubernetes/kube-proxy" --help | grep -oE '^ +(-[a-z], )?--[a-z0-9-]+' | sed 's/.*--//' | sort) \
    <("$program" run --help | grep -oE -- '--(\[no-\])?[a-z0-9-]+' | sed 's/--//; s/\[no-\]//' | sort -u) >"$room/missing"
  [ ! -s "$room/missing" ] || { cat "$room/missing"; return 1; }
}

for node in "${!twins[@]}"; do
  check "$node has the metrics of ${twins[$node]}, with their types, labels and buckets" same_metrics "$node" "${twins[$node]}"
  check "$node answers load balancers and supervisors as ${twins[$node]} does" same_answers "$node" "${twins[$node]}"
done
for mode in iptables nftables; do check "configuration files go both ways, mode $mode" same_configuration "$mode"; done
check "every flag of kube-proxy is taken" same_flags
