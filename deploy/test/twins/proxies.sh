# Sourced: who serves a node, and who they are to the API server.

start_kube_proxy() { # node, mode
  # How many connections are tracked is the machine's setting; nothing of the machine is changed.
  ip netns exec "$1" "$kubernetes/kube-proxy" --kubeconfig "$room/pki/proxy.conf" --hostname-override node-1 --proxy-mode "$2" \
    --cluster-cidr 10.244.0.0/16,fd00:244::/32 "${proxy_options[@]}" --conntrack-max-per-core 0 \
    --conntrack-tcp-timeout-established 0 --conntrack-tcp-timeout-close-wait 0 --oom-score-adj 0 >>"$evidence/$1.log" 2>&1 &
  echo $! >"$room/$1.pid"
  runs[$1]=$2
}
start_dualstackd() { # node, mode, more flags
  mkdir -p "$room/$1/run" "$room/$1/lib" /run/dualstackd /var/lib/dualstackd
  ip netns exec "$1" unshare --mount sh -c "mount --bind $room/$1/run /run/dualstackd; mount --bind $room/$1/lib /var/lib/dualstackd; exec \"\$@\"" sh \
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
