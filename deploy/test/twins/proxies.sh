# Sourced: who serves a node, and who they are to the API server.

# A kube-proxy that knows the zone of its Node: that of 1.36 can miss the first event of its Node, and then ignores zone hints for its whole
# life (newNodeTopologyConfig waits for an informer that has long been in sync, while its handler is not yet registered).
start_kube_proxy() { # node, mode
  local attempt before
  runs[$1]=$2
  for attempt in 1 2 3 4 5 6 7 8; do
    before=$(stat -c %s "$evidence/$1.log" 2>/dev/null || echo 0)
    run_kube_proxy "$1" "$2"
    at_least 34 && has_zone || return 0
    ! soon 15 knows_zone "$1" "$before" || return 0
    ended "$1"
  done
  wrong "kube-proxy on $1 never learned the zone of its Node"
}
has_zone() { api GET /api/v1/nodes/node-1 | grep -q topology.kubernetes.io/zone; }
knows_zone() { tail -c "+$(($2 + 1))" "$evidence/$1.log" | grep -q 'Updated proxier node topology labels'; }
run_kube_proxy() { # node, mode
  # How many connections are tracked is the machine's setting; nothing of the machine is changed.
  ip netns exec "$1" "$kubernetes/kube-proxy" --kubeconfig "$room/pki/proxy.conf" --hostname-override node-1 --proxy-mode "$2" --vmodule proxier=4 \
    --cluster-cidr 10.244.0.0/16,fd00:244::/32 "${proxy_options[@]}" --conntrack-max-per-core 0 \
    --conntrack-tcp-timeout-established 0 --conntrack-tcp-timeout-close-wait 0 --oom-score-adj 0 >>"$evidence/$1.log" 2>&1 &
  echo $! >"$room/$1.pid"
}
start_dualstackd() { # node, mode, more flags
  mkdir -p "$room/$1/run" "$room/$1/lib" /run/dualstackd
  # /run is the twins' own, /var/lib the machine's.
  ip netns exec "$1" unshare --mount sh -c "mount --bind $room/$1/run /run/dualstackd; mount -t tmpfs lib /var/lib; mkdir /var/lib/dualstackd
    mount --bind $room/$1/lib /var/lib/dualstackd; exec \"\$@\"" sh \
    "$program" run --kubeconfig "$room/pki/dualstackd.conf" --hostname-override "${node_name:-node-1}" --proxy-mode "$2" \
    --cluster-cidr 10.244.0.0/16,fd00:244::/32 --conntrack-max-per-core 0 --oom-score-adj 0 "${@:3}" >>"$evidence/$1.log" 2>&1 &
  echo $! >"$room/$1.pid"
  runs[$1]=$2
}
asked() { # node, words for the command line
  local node=$1
  shift
  ip netns exec "$node" unshare --mount sh -c "mount --bind $room/$node/run /run/dualstackd; exec \"\$@\"" sh "$program" "$@"
}
ended() { local pid; pid=$(cat "$room/$1.pid"); kill -TERM "$pid"; wait "$pid" || true; }
