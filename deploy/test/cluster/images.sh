# Sourced by up: what is made or fetched once and kept in the cache: etcd and containerd of newer Debian suites, and the images of the tests.
. "$root/bin/debian.sh"

fetch_programs() {
  local room=$cache/programs.part
  if [ ! -x "$cache/programs/etcd" ]; then
    echo "fetching containerd and etcd (once; kept in $cache)"
    rm -rf "$room" && mkdir -p "$room/programs"
    debian_fetch "$room/containerd" sid containerd
    dpkg-deb --fsys-tarfile "$room"/containerd/containerd_*.deb | tar -x -C "$room/programs" --strip-components=3 ./usr/bin
    debian_fetch "$room/etcd" sid etcd-server
    dpkg-deb --fsys-tarfile "$room"/etcd/etcd-server_*.deb | tar -x -C "$room/programs" --strip-components=3 ./usr/bin
    rm -rf "$cache/programs"
    mv "$room/programs" "$cache/programs"
    rm -rf "$room"
  fi
}

# One root file system, with agnhost, nginx, curl, iptables and what else the tests call, under the names that the tests ask for.
make_images() {
  local made part=$cache/images.part name entry command sum config layer
  made=$(cat "$kubernetes/agnhost" "$here/images.sh" | sha256sum | cut -c1-16)
  [ "$(cat "$cache/images.made" 2>/dev/null)" != "$made" ] || return 0
  echo "making the images of the tests (once; kept in $cache)"
  rm -rf "$part" && mkdir -p "$part/out"
  mmdebstrap --quiet --variant=essential --include=wget,curl,iproute2,netcat-openbsd,bind9-dnsutils,iperf,conntrack,iptables,nginx-light,procps,iputils-ping,ca-certificates \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm "$part/root.tar" "$(debian_mirrors | head -n 1)"
  mkdir "$part/more"
  install -D "$kubernetes/agnhost" "$part/more/agnhost"
  [ ! -x "$kubernetes/coredns" ] || install -D "$kubernetes/coredns" "$part/more/coredns"
  [ ! -x "$kubernetes/regression-issue-74839" ] || install -D "$kubernetes/regression-issue-74839" "$part/more/tcp"
  mkdir -p "$part/more/usr/bin" "$part/more/usr/local/bin"
  ln -s /agnhost "$part/more/pause"
  openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout "$part/more/localhost.key" -out "$part/more/localhost.crt" 2>/dev/null
  # Some commands of the tests are for the shell of busybox, which knows more than dash.
  ln -s bash "$part/more/usr/bin/sh"
  tar --append --file "$part/root.tar" --directory "$part/more" --owner=0 --group=0 .
  layer=$(sha256sum "$part/root.tar" | cut -d' ' -f1)
  mkdir "$part/out/$layer"
  mv "$part/root.tar" "$part/out/$layer/layer.tar"
  image_names >"$cache/names"
  {
    printf '['
    while read -r name; do
      entry='[]'
      case "$name" in
        */agnhost:*) entry='["/agnhost"]' command='["pause"]' ;;
        */pause:*) entry='["/agnhost", "pause"]' command='[]' ;;
        */nginx:*) command='["nginx", "-g", "daemon off;"]' ;;
        */regression-issue-74839:*) entry='["/tcp"]' command='[]' ;;
        *) command='["sh"]' ;;
      esac
      config='{"architecture":"'$(dpkg --print-architecture)'","os":"linux","config":{"Entrypoint":'$entry',"Cmd":'$command',"Env":["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]},"rootfs":{"type":"layers","diff_ids":["sha256:'$layer'"]},"history":[{"created_by":"'$name'"}]}'
      sum=$(sha256sum <<<"$config" | cut -d' ' -f1)
      printf '%s\n' "$config" >"$part/out/$sum.json"
      printf '%s{"Config":"%s.json","RepoTags":["%s"],"Layers":["%s/layer.tar"]}' "${comma:-}" "$sum" "$name" "$layer"
      comma=,
    done <"$cache/names"
    printf ']\n'
  } >"$part/out/manifest.json"
  tar --create --file "$cache/images.tar" --directory "$part/out" .
  rm -rf "$part"
  echo "$made" >"$cache/images.made"
}

# As the tests of this release call them, and those of this folder.
image_names() {
  echo cluster-test/agnhost:1
  "$kubernetes/e2e.test" --list-images 2>/dev/null | grep -E '/(agnhost|busybox|nginx|pause|distroless-iptables|regression-issue-74839|glibc-dns-testing):'
}
