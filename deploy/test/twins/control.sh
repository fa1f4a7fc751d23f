# Sourced inside the bed's namespaces: etcd, API server, controller manager, and how to speak to them.

start_control() { # [COMMAND...]: what is to be done with etcd before the API server is started
  mkdir -p "$room/etcd" "$room/pki"
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=twins -addext 'subjectAltName=IP:198.51.100.1,IP:127.0.0.1' \
    -keyout "$room/pki/key" -out "$room/pki/crt" 2>/dev/null
  openssl genrsa -out "$room/pki/accounts" 2048 2>/dev/null
  # token, user, uid, groups
  printf '%s\n' 'admin,admin,1,system:masters' 'proxy,system:kube-proxy,2' >"$room/pki/tokens"

  etcd --data-dir "$room/etcd" --unsafe-no-fsync --quota-backend-bytes=$((8 << 30)) >"$evidence/etcd" 2>&1 &
  if [ $# -gt 0 ]; then
    soon 20 quietly curl -sf http://127.0.0.1:2379/health || { tail -n 20 "$evidence/etcd"; return 1; }
    "$@"
  fi
  start_server
  soon 60 api GET /readyz >/dev/null 2>&1 || { tail -n 20 "$evidence/apiserver"; return 1; }
  kubeconfig admin https://198.51.100.1:6443 'token: admin'
  kubeconfig proxy https://198.51.100.1:6443 'token: proxy'
  "$kubernetes/kube-controller-manager" --kubeconfig "$room/pki/admin.conf" --service-account-private-key-file "$room/pki/accounts" --leader-elect=false \
    --controllers=endpointslice,endpointslicemirroring,namespace,serviceaccount "${controllers_options[@]}" --cert-dir "$room/pki" \
    >"$evidence/controllers" 2>&1 &
  controllers_pid=$!
  at_least 21 || start_renaming
}

# Release 1.20 has EndpointSlices as v1beta1 only, with the same fields on the wire for what it knows; dualstackd asks for v1, as every
# service proxy since 1.25.
start_renaming() {
  cat >"$room/nginx.conf" <<END
daemon off;
pid $room/nginx.pid;
error_log $evidence/nginx;
events {}
http {
  access_log $evidence/requests;
  client_body_temp_path $room/body; proxy_temp_path $room/temp; fastcgi_temp_path $room/temp; uwsgi_temp_path $room/temp; scgi_temp_path $room/temp;
  server {
    listen 198.51.100.1:6444 ssl;
    ssl_certificate $room/pki/crt; ssl_certificate_key $room/pki/key;
    proxy_http_version 1.1; proxy_buffering off; proxy_read_timeout 3600s; client_max_body_size 0;
    location /apis/discovery.k8s.io/v1/ { proxy_pass https://127.0.0.1:6443/apis/discovery.k8s.io/v1beta1/; }
    location / { proxy_pass https://127.0.0.1:6443; }
  }
}
END
  nginx -c "$room/nginx.conf" 2>>"$evidence/nginx" &
}

start_server() {
  "$kubernetes/kube-apiserver" --etcd-servers=http://127.0.0.1:2379 --service-cluster-ip-range=10.96.0.0/16,fd00:96::/112 \
    "${server_options[@]}" --authorization-mode=RBAC --token-auth-file "$room/pki/tokens" --anonymous-auth=false \
    --service-account-issuer=https://twins --service-account-signing-key-file "$room/pki/accounts" --service-account-key-file "$room/pki/accounts" \
    --tls-cert-file "$room/pki/crt" --tls-private-key-file "$room/pki/key" --cert-dir "$room/pki" --bind-address=0.0.0.0 --advertise-address=198.51.100.1 \
    --disable-admission-plugins=ServiceAccount --allow-privileged --endpoint-reconciler-type=none >>"$evidence/apiserver" 2>&1 &
  server_pid=$!
}

kubeconfig() { # name, server, how the user proves it
  cat >"$room/pki/$1.conf" <<END
apiVersion: v1
kind: Config
clusters: [{name: twins, cluster: {server: "$2", certificate-authority: $room/pki/crt}}]
users: [{name: me, user: {$3}}]
contexts: [{name: twins, context: {cluster: twins, user: me}}]
current-context: twins
END
}

# api METHOD PATH [CONTENT-TYPE]: what goes in is the body; prints the answer, and fails when it is an error.
api() {
  local body=()
  [ "$1" = GET ] || [ "$1" = DELETE ] || body=(-H "Content-Type: ${3:-application/yaml}" --data-binary @-)
  curl -sS --max-time 20 --fail-with-body --cacert "$room/pki/crt" -H 'Authorization: Bearer admin' -X "$1" "${body[@]}" "https://127.0.0.1:6443$2"
}

# Objects of a file, in YAML, divided by "---" lines; kinds as they stand in paths.
create() { # file
  local file path kind
  rm -rf "$room/create" && mkdir "$room/create"
  (cd "$room/create" && csplit -sz -b %03d "$1" '/^---$/' '{*}')
  for file in "$room"/create/*; do
    sed -i '/^---$/d' "$file"
    kind=$(sed -n 's/^kind: //p' "$file")
    [ -n "$kind" ] || continue
    local space
    space=$(sed -n 's/.*namespace: \([a-z-]*\).*/\1/p' "$file" | head -n 1)
    case "$kind" in
      Namespace | Node) path=/api/v1/${kind,,}s ;;
      EndpointSlice) path=/apis/discovery.k8s.io/v1/namespaces/$space/endpointslices ;;
      ClusterRole | ClusterRoleBinding) path=/apis/rbac.authorization.k8s.io/v1/${kind,,}s ;;
      *) path=/api/v1/namespaces/$space/${kind,,}s ;;
    esac
    api POST "$path" <"$file" >"$room/said" || { cat "$file" "$room/said"; return 1; }
  done
}

merge() { # path, JSON: JSON merge patch
  api PATCH "$1" application/merge-patch+json <<<"$2" >"$room/said" || { echo "$1 $2"; cat "$room/said"; return 1; }
}

pod_is() { # name, true or false
  local status=True
  [ "$2" = true ] || status=False
  merge "/api/v1/namespaces/demo/pods/$1/status" '{"status": {"conditions": [{"type": "Ready", "status": "'$status'"}]}}'
}

# What deploy/rbac.yaml allows, and nothing more.
give_token() {
  local token
  token=$(api POST /api/v1/namespaces/kube-system/serviceaccounts/dualstackd/token application/json \
    <<<'{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 86400}}' | sed -n 's/.*"token": *"\([^"]*\)".*/\1/p')
  printf %s "$token" >"$room/pki/token"
  kubeconfig dualstackd "$server" "tokenFile: $room/pki/token"
}

addresses() { # pod, IPv4, IPv6
  merge "/api/v1/namespaces/demo/pods/$1/status" '{"status": {"phase": "Running", "podIP": "'$2'", "podIPs": [{"ip": "'$2'"}, {"ip": "'$3'"}], "conditions": [{"type": "Ready", "status": "True"}]}}'
}

nodes_have_addresses() {
  local n
  for n in 1 2; do
    merge "/api/v1/nodes/node-$n/status" '{"status": {"addresses": [{"type": "InternalIP", "address": "192.0.2.1'$n'"}, {"type": "InternalIP", "address": "2001:db8::1'$n'"}, {"type": "Hostname", "address": "node-'$n'"}]}}'
  done
}
