# Sourced: what depends on the release of Kubernetes, 1.20 or from 1.34 on.

release=$("$kubernetes/kube-apiserver" --version | sed -E 's/^Kubernetes v1\.([0-9]+).*/\1/')
at_least() { [ "$release" -ge "$1" ]; }
[ "$release" = 20 ] || at_least 34 || { echo "release 1.$release is not one that this test knows: 1.20, or 1.34 and later" >&2; exit 2; }

# How the parts are started; where dualstackd hears of the cluster; who is whose twin, and which mode runs on which node.
server_options=() controllers_options=() proxy_options=()
server=https://198.51.100.1:6443
declare -A twins runs
if at_least 34; then
  nodes=(kube-proxy kube-nftables nftables iptables)
  twins=([iptables]=kube-proxy [nftables]=kube-nftables)
else
  gates=IPv6DualStack=true,EndpointSliceNodeName=true,MixedProtocolLBService=true
  server_options=(--feature-gates="$gates")
  controllers_options=(--feature-gates="$gates" --port=0)
  proxy_options=(--feature-gates="$gates,EndpointSliceProxying=true")
  server=https://198.51.100.1:6444
  nodes=(kube-proxy nftables iptables)
  twins=([iptables]=kube-proxy [nftables]=kube-proxy)
fi
