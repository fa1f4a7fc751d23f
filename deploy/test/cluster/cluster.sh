# Sourced in the namespaces of the control plane: what this cluster is, and how to change it.
room=/run/cluster
. "$room/settings"
export PATH=$cache/programs:$kubernetes:$PATH:/usr/sbin:/sbin

numbers() { seq "$count"; }

# Of two values, IPv4's and IPv6's, what this cluster has, in its order.
of_families() { # IPv4's, IPv6's
  case "$families" in
    IPv4) echo "$1" ;;
    IPv6) echo "$2" ;;
    IPv4,IPv6) echo "$1,$2" ;;
    IPv6,IPv4) echo "$2,$1" ;;
  esac
}
case "$families" in
  IPv4*) host=192.0.2.1 ;;
  IPv6*) host='[2001:db8::1]' ;;
esac
server=https://$host:6443
services=$(of_families 10.96.0.0/16 fd00:10:96::/112)
pods=$(of_families 10.244.0.0/16 fd00:10:244::/48)
dns=$(of_families 10.96.0.10 fd00:10:96::a)
dns=${dns%,*}
. "$here/wires.sh"
. "$here/control.sh"
. "$here/node.sh"
. "$here/proxies.sh"
