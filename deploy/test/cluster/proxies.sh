# Sourced by inside: the service proxy of the nodes.

start_proxies() {
  local number
  case "$proxy-$shape" in
    kube-proxy-*)
      for number in $(numbers); do start_kube_proxy "node-$number"; done
      say "kube-proxy in mode $mode"
      ;;
    *-process)
      apply_rights
      for number in $(numbers); do start_process "node-$number"; done
      say "dualstackd in mode $mode, as a process"
      ;;
    *-daemonset)
      apply_rights
      apply_daemonset
      say "dualstackd in mode $mode, as a DaemonSet"
      ;;
  esac
}

start_kube_proxy() { # node
  # How many connections are tracked is the machine's setting; nothing of the machine is changed.
  "$room/on" "$1" env PATH="$PATH" kube-proxy --kubeconfig "$room/pki/proxy.conf" --hostname-override "$1" --proxy-mode "$mode" \
    --cluster-cidr "$pods" --conntrack-max-per-core 0 \
    --oom-score-adj 0 >>"$evidence/$1-kube-proxy" 2>&1 &
  echo $! >"$room/$1-proxy.pid"
}

apply_rights() {
  k apply -f "$root/deploy/rbac.yaml"
  if [ -n "$provide" ]; then k apply -f "$root/deploy/rbac-node-addresses.yaml" -f "$root/deploy/admission-own-node.yaml"; fi
  if [ -n "$report" ]; then k apply -f "$root/deploy/rbac-pod-ips.yaml"; fi
}

more_options() {
  if [ -n "$provide" ]; then echo "--manage-node-addresses=provide --node-ips=${families,,}"; fi
  if [ -n "$report" ]; then echo "--cri=unix:///run/containerd/containerd.sock --report-pod-ips"; fi
}

start_process() { # node
  local token
  token=$(k create token dualstackd --namespace kube-system --duration 24h)
  printf %s "$token" >"$room/pki/dualstackd.token"
  sed "s#{token: admin}#{tokenFile: $room/pki/dualstackd.token}#" "$room/pki/admin.conf" >"$room/pki/dualstackd.conf"
  "$room/on" "$1" "$program" run --kubeconfig "$room/pki/dualstackd.conf" --hostname-override "$1" --proxy-mode "$mode" --cluster-cidr "$pods" \
    --conntrack-max-per-core 0 --oom-score-adj 0 $(more_options) >>"$evidence/$1-dualstackd" 2>&1 &
  echo $! >"$room/$1-proxy.pid"
}

# The manifests of deploy/, with the addresses and the mode of this cluster.
apply_daemonset() {
  local name
  name=$(tar -xOf "$image" manifest.json | sed -E 's/.*"RepoTags":\["([^"]*)".*/\1/')
  sed -E "s#^( *mode: ).*#\1$mode#; s#^( *clusterCIDR: ).*#\1$pods#; s#https://control-plane.example:6443#$server#
    s#^( *)oomScoreAdj: .*#\1oomScoreAdj: 0\n\1conntrack: {maxPerCore: 0}#" "$root/deploy/config.yaml" | k apply -f -
  # All nodes at once, unless they are to be taken over one by one. Upstream's tests find the pods of a service proxy by the label of kube-proxy's.
  sed -E "s#image: dualstackd:.*#image: $name#; s#k8s-app: dualstackd#k8s-app: kube-proxy#; ${keep_selector:+#}/dualstackd.io\/proxy/d
    s#^( *args: \[run, .*)\]#\1$(for word in $(more_options); do printf ', "%s"' "$word"; done)]#" "$root/deploy/dualstackd.yaml" | k apply -f -
}

# Whether a Service that exists in every cluster answers on both nodes.
served() {
  local number address=10.96.0.1
  case "$families" in IPv6*) address='[fd00:10:96::1]' ;; esac
  for number in $(numbers); do quietly "$room/on" "node-$number" curl -sk --max-time 2 "https://$address/version" || return 1; done
}
